/* Values of a kernel's variables, one lane's: read, taken apart, written for a person. Private to
 * device/debug. */
#ifndef SIMTCL_LANEVALUE_H
#define SIMTCL_LANEVALUE_H

#include "scene.h"

/* Where the debugger looks at: a lane of a warp, in one of the frames of expanded calls. */
struct lanevalue_view {
    const struct debug_launch *d;
    uint32_t warp, lane;
    uint32_t call; /* of the frame; the place in it: */
    uint16_t file;
    uint32_t line;
};

struct lanevalue {
    uint32_t type;                /* of the kernel's types; 0: a number of the debugger's: */
    uint8_t form;                 /* enum isa_form: sint, uint, real */
    uint8_t size;                 /* 4 or 8 */
    int64_t i;                    /* numbers and pointers */
    double r;                     /* reals */
    bool is_place;                /* an address, of no type that the kernel knows */
    bool loaded;                  /* i or r hold it; else it lies */
    const uint8_t *bytes, *known; /* with the debugger, or, NULL, */
    uint8_t space;                /* in memory */
    uint32_t address;
};

/* A variable's value. False: `why` says why it has none: "not assigned yet", "optimised out". */
bool lanevalue_of(const struct lanevalue_view *at, uint32_t variable, struct lanevalue *v,
                  char why[160]);
/* Loads a number or a pointer. False: it is none, or cannot be read. */
bool lanevalue_load(const struct lanevalue_view *at, struct lanevalue *v, char why[160]);
/* The part of a value that lies at an offset, of that type. */
struct lanevalue lanevalue_part(const struct lanevalue *v, uint32_t type, uint32_t offset);
/* What a pointer points to, as a value of its type. False: a pointer to void. */
bool lanevalue_pointee(const struct lanevalue_view *at, const struct lanevalue *v, int64_t index,
                       struct lanevalue *to, char why[160]);
bool lanevalue_true(const struct lanevalue *v);

/* As text: numbers, (vectors), {arrays}, {structs = ...}, pointers by object and offset. */
void lanevalue_write(const struct lanevalue_view *at, const struct lanevalue *v, char *text,
                     size_t size);

#endif
