/* Memory requests: the words in which the device moves an object. */
#ifndef SIMTCL_REQUEST_H
#define SIMTCL_REQUEST_H

#include <stdint.h>

enum {
    REQUEST_BYTES = 16,
    REQUEST_MOST = 128 /* of an object of 128 bytes that is aligned to 1 */
};

/* One instruction's share of an object. */
struct request_word {
    uint8_t offset; /* from the object's beginning */
    uint8_t bytes;  /* 1, 2, 4, 8 or 16 */
};

/* The instructions that move an object of 1 to 128 bytes which the compiler knows to lie at a
 * multiple of `alignment` (a power of two): words of 16, 8, 4, 2 and 1 bytes, the widest that the
 * alignment and what is left allow (guide 3.1.2.1: a structure of five floats, aligned to 16, takes
 * two instructions when padded to 32 bytes, and five when not aligned). Returns how many. */
unsigned request_split(unsigned bytes, unsigned alignment, struct request_word out[REQUEST_MOST]);

/* The same for a load, which may fetch the padding behind an object: three floats aligned to 16 are
 * one word of 16 bytes (guide 3.1.2.1: such a structure takes a single instruction). */
unsigned request_split_load(unsigned bytes, unsigned alignment,
                            struct request_word out[REQUEST_MOST]);

#endif
