/* Device models: every GPU of the guide's A.1, from models.def (device-model.md names each number's
 * source). */
#ifndef SIMTCL_MODEL_H
#define SIMTCL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct model {
    const char *name;              /* "Tesla C1060" */
    uint8_t cc_major, cc_minor;    /* compute capability */
    uint8_t devices;               /* OpenCL devices on one board */
    uint32_t multiprocessors;      /* of one device */
    uint32_t clock_mhz;            /* shader clock */
    uint64_t memory_bytes;         /* of one device */
    uint32_t memory_bandwidth_mbs; /* peak, MB/s; 0: not published */
    uint8_t partitions;            /* memory partitions, 64 bits of bus each */
    bool integrated;               /* works in the host's memory */
    /* limits, by compute capability (guide A.1.1 to A.1.4) */
    uint32_t max_group; /* work-items in a work-group */
    uint32_t max_item[3];
    uint32_t registers;    /* 32-bit, an SM */
    uint32_t shared_bytes; /* local memory of a group */
    uint32_t constant_bytes;
    uint32_t private_bytes; /* of one work-item */
    uint32_t resident_groups, resident_warps;
    uint32_t cluster; /* multiprocessors of a TPC, which share a texture cache and the port to
                         memory */
    uint32_t
        register_granule; /* registers and bytes of shared memory are given to groups by these */
    uint32_t shared_granule;
    /* atomics of 32 bits in global memory; of those in shared memory, and of 64 bits */
    bool global_atomics, shared_atomics;
    bool doubles;
    bool overlap;   /* copies while a kernel runs */
    bool unlimited; /* model "host": no GPU limits */
};

/* What errors about a GPU's limits end with. */
#define MODEL_BEYOND "SIMTCL_MODEL=host lifts this limit"

/* The TPCs of a device; the last may have fewer multiprocessors than the others. */
uint32_t model_clusters(const struct model *m);

/* The model of that name (case, blanks, "-" and "_" do not matter; "geforce", "tesla", "quadro" may
 * be left out), or NULL. "" or NULL: the default, Tesla C1060. */
const struct model *model_find(const char *name);
/* The model, or the default one for NULL. */
const struct model *model_or_default(const struct model *m);
/* The i-th model of the table, NULL past the end. */
const struct model *model_at(unsigned i);

#endif
