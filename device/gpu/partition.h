/* Memory partitions: which of a device's memory controllers an address belongs to. Addresses go
 * round them in steps of 256 bytes; where an image is tiled, higher bits turn the order (published
 * by the envytools project from observation). Pure functions. */
#ifndef SIMTCL_PARTITION_H
#define SIMTCL_PARTITION_H

#include <stdint.h>

enum { PARTITION_STEP = 256, PARTITION_MOST = 8, PARTITION_ROW = 2048 /* of its banks */ };

/* Of linear memory (buffers), of a device with `partitions` (1 to 8). */
unsigned partition_linear(uint32_t address, unsigned partitions);

/* Of tiled memory (images). With 1, 3, 5 and 7 partitions the same as linear. */
unsigned partition_tiled(uint32_t address, unsigned partitions);

/* The byte in its partition's own memory that an address is, linear or tiled. */
uint32_t partition_offset(uint32_t address, unsigned partitions);

#endif
