/* Random OpenCL C that does what no program should. */
#ifndef TESTS_HOSTILE_SOURCE_H
#define TESTS_HOSTILE_SOURCE_H

/* From hostile_chance: a program of one kernel,
 *   k(global int *o, global int *h, constant int *c, local int *l, read_only image2d_t ri,
 *     write_only image2d_t wi, sampler_t s, int n, int m)
 * which loads and stores far outside of them, and worse. Its l is meant to have *local_bytes.
 * In one of some forty a loop does not end. The text is the callee's until the next call. */
const char *hostile_source(unsigned *local_bytes);

#endif
