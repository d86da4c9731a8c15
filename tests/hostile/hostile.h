/* What the tests of hostile input share: chance, canaries in host memory, a context that is proved
 * good after each blow, and a parent that tells which seed killed the process. */
#ifndef TESTS_HOSTILE_H
#define TESTS_HOSTILE_H

#include <stdint.h>

#include "tests/api/api.h"

/* ---- chance: the same for the same seed ---- */

void hostile_seed(uint64_t seed);
unsigned hostile_chance(unsigned n);
#define HOSTILE_ANY(list) list[hostile_chance(sizeof list / sizeof *list)]

/* ---- canaries ---- */

/* Fills pages all over the process's memory and blocks of malloc with a pattern. */
void canaries_place(void);
/* Is all of it as it was? Says which is not. */
bool canaries_live(void);
/* Host memory of `size` bytes for a CL_MEM_USE_HOST_PTR buffer, watched on both sides to the byte;
 * one at a time. It is filled with zeros at each call. */
void *canaries_host(size_t size);

/* ---- a field ---- */

/* A context, a kernel that gives right results in it, and arguments for hostile ones. */
struct hostile_field {
    struct api a;
    cl_program good_program;
    cl_kernel good;
    cl_mem in, out;     /* of the good kernel */
    cl_mem device;      /* HOSTILE_BYTES */
    cl_mem host;        /* HOSTILE_BYTES of canaries_host */
    cl_mem read, write; /* images of HOSTILE_TEXELS squared, RGBA of floats */
    cl_sampler sampler;
    unsigned ran, faulted, refused; /* launches */
};
enum { HOSTILE_BYTES = 5000, HOSTILE_TEXELS = 16 };

struct hostile_field hostile_open(void);
void hostile_close(struct hostile_field *f);
/* A new one, which goes on with the counts of f; f is closed. */
struct hostile_field hostile_again(struct hostile_field *f);
/* Enqueues k and waits. True: it ran to its end; false: it was refused or had a fault. The host's
 * buffer is mapped and unmapped, so that what is in it comes back. */
bool hostile_launch(struct hostile_field *f, cl_kernel k, size_t items, const size_t *group);
/* Does the good kernel still give the right result, and are the canaries alive? */
bool hostile_good(struct hostile_field *f);

/* ---- main ---- */

struct hostile_test {
    const char *name;
    /* The tests with seeds `seed` to `seed` + `count` - 1, in one process. Notes in *at which one
     * is under way. Zero: all is well. */
    int (*run)(uint64_t seed, unsigned count, volatile unsigned *at);
    void (*show)(uint64_t seed); /* prints one to stderr */
};
/* NAME SEED COUNT: runs the test in a child; one that dies or fails is shown. */
int hostile_main(int argc, char **argv, const struct hostile_test *test);

#endif
