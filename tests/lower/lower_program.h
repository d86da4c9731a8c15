/* Random OpenCL C programs for differential tests: integers of all widths, vectors, arrays,
 * structs, every kind of loop, switch and goto, functions. They are free of undefined behaviour the
 * compilers at hand exploit, end after few turns, and write all they computed to out[4 * id + 0 ..
 * 3]. */
#ifndef SIMTCL_TESTS_LOWER_PROGRAM_H
#define SIMTCL_TESTS_LOWER_PROGRAM_H

/* The text of program number `seed`: kernel k(__global uint *out, __global const uint *in), in
 * holding 512 values. malloc'ed; NULL without memory. */
char *lower_program_random(unsigned seed);

#endif
