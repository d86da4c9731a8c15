/* What the debugger knows of a launch it follows: where each warp of the group that runs is, and
 * what variables hold, by the notes of the code (device/isa/SPEC.md, "Notes"). Private to
 * device/debug. */
#ifndef SIMTCL_SCENE_H
#define SIMTCL_SCENE_H

#include <stdio.h>

#include "debug.h"
#include "device/isa/vars.h"

/* What the notes told of one variable in one warp. */
struct scene_image {
    uint8_t *bytes, *known; /* of a value: `size` of each lane, one lane behind the other */
    uint32_t placed;        /* lanes for which it lies in the frame, */
    uint32_t place[ISA_WARP];
};

struct scene_warp {
    const struct isa_inst *at; /* what is to be executed next; NULL: it has not begun */
    const struct isa_inst *statement, *before; /* the one begun last, and the one before that */
    uint32_t mask, live, start;                /* start: lanes that there are */
    uint32_t *masks;                           /* by instruction: when a region was last entered */
    struct scene_image *images;                /* by variable */
};

struct debug_launch {
    const struct launch *l;
    const struct isa_kernel *k;
    const struct isa_module *m;
    struct memory *memory;
    struct group *g; /* that runs; NULL: none has begun */
    bool noted;      /* the kernel was built with -g */
    bool *followed;  /* of each variable: some note speaks of it */
    uint32_t *calls; /* of each instruction: the expanded call it belongs to */
    uint32_t nwarps;
    struct scene_warp *warps;
};

struct debug_launch *scene_new(const struct launch *l, const struct isa_kernel *k,
                               struct memory *memory);
void scene_free(struct debug_launch *d);
void scene_begin(struct debug_launch *d, struct group *g); /* the next group */
void scene_before(struct debug_launch *d, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                  uint32_t live);
void scene_noted(struct debug_launch *d, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                 const struct group_operand *operands);

/* Does a statement begin with the instruction that the warp is at? Kernels built without -g have
 * one wherever the line changes. fresh: not merely another part of the line it is at. */
bool scene_statement(const struct debug_launch *d, const struct scene_warp *w, bool *fresh);
uint32_t scene_index(const struct debug_launch *d, const struct isa_inst *i);
/* The expanded call that an instruction belongs to; how many there are around it and with it. */
uint32_t scene_call(const struct debug_launch *d, const struct isa_inst *i);
uint32_t scene_depth(const struct debug_launch *d, uint32_t call);

/* Work-item ids of a lane. */
struct scene_item {
    uint32_t local[3], global[3];
};
struct scene_item scene_item(const struct debug_launch *d, uint32_t warp, uint32_t lane);

/* Copies n bytes of memory as a lane of a warp sees it. False: not all of it is there. */
bool scene_read(const struct debug_launch *d, uint32_t warp, uint32_t lane, enum isa_space space,
                uint32_t address, void *to, size_t n);

/* The variable of that name that is seen at a line of a call (its latest declaration); 0: none. */
uint32_t scene_find(const struct debug_launch *d, const char *name, size_t length, uint32_t call,
                    uint16_t file, uint32_t line);
bool scene_sees(const struct debug_launch *d, const struct isa_var *v, uint32_t call, uint16_t file,
                uint32_t line);

/* What lies at an address, for a person: "in + 16", "0x40 in no object". */
void scene_describe(const struct debug_launch *d, uint32_t warp, uint32_t lane,
                    enum isa_space space, uint32_t address, char *text, size_t size);
/* Bytes from there to the end of its object; 0: there is none. */
uint64_t scene_left(const struct debug_launch *d, uint32_t warp, uint32_t lane,
                    enum isa_space space, uint32_t address);
/* "lanes 0-3, 7", "lane 5", "no lanes". */
void scene_lanes(uint32_t mask, char *text, size_t size);
const char *scene_file(const struct debug_launch *d, uint16_t file);

#endif
