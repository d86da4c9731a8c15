/* The functions bench.def names, by class of kernel: rows_memory.c, rows_local.c, rows_grid.c,
 * rows_compute.c, rows_latency.c. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H
#include "job.h"

void rows_stream(struct job *job);
void rows_copy(struct job *job);
void rows_daxpy(struct job *job);
void rows_transpose(struct job *job);
void rows_gray(struct job *job);

void rows_matmul(struct job *job);
void rows_dgemm(struct job *job);
void rows_reduce(struct job *job);
void rows_scan(struct job *job);
void rows_histogram(struct job *job);
void rows_bitonic_sort(struct job *job);
void rows_fft(struct job *job);
void rows_spmv(struct job *job);

void rows_stencil_2d(struct job *job);
void rows_stencil_3d(struct job *job);
void rows_lbm(struct job *job);
void rows_convolution(struct job *job);
void rows_image_blur(struct job *job);
void rows_image_mirror(struct job *job);

void rows_mandelbrot(struct job *job);
void rows_nbody(struct job *job);
void rows_sha256(struct job *job);
/* For the host: the 64 constants (cube roots of the first primes), the digest of 32 bytes. */
void rows_sha256_constants(uint32_t constants[64]);
void rows_sha256_digest(uint32_t digest[8]);
void rows_black_scholes(struct job *job);
void rows_monte_carlo(struct job *job);
void rows_kmeans(struct job *job);
void rows_math(struct job *job);
void rows_constant_table(struct job *job);
void rows_private_array(struct job *job);
void rows_bytecode(struct job *job);
void rows_collatz(struct job *job);
void rows_hash(struct job *job);
void rows_string_search(struct job *job);

void rows_launch_latency(struct job *job);
void rows_build_latency(struct job *job);
#endif
