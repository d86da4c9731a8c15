/* The functions bench.def names, by class of kernel: rows_memory.c, rows_local.c, rows_grid.c,
 * rows_compute.c, rows_latency.c. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H
#include "job.h"

void rows_stream(struct bench_job *job);
void rows_copy(struct bench_job *job);
void rows_daxpy(struct bench_job *job);
void rows_transpose(struct bench_job *job);
void rows_gray(struct bench_job *job);

void rows_matmul(struct bench_job *job);
void rows_dgemm(struct bench_job *job);
void rows_reduce(struct bench_job *job);
void rows_scan(struct bench_job *job);
void rows_histogram(struct bench_job *job);
void rows_bitonic_sort(struct bench_job *job);
void rows_fft(struct bench_job *job);
void rows_spmv(struct bench_job *job);

void rows_stencil_2d(struct bench_job *job);
void rows_stencil_3d(struct bench_job *job);
void rows_lbm(struct bench_job *job);
void rows_convolution(struct bench_job *job);
void rows_image_blur(struct bench_job *job);
void rows_image_mirror(struct bench_job *job);

void rows_mandelbrot(struct bench_job *job);
void rows_nbody(struct bench_job *job);
void rows_sha256(struct bench_job *job);
/* For the host: the 64 constants (cube roots of the first primes), the digest of 32 bytes. */
void rows_sha256_constants(uint32_t constants[64]);
void rows_sha256_digest(uint32_t digest[8]);
void rows_black_scholes(struct bench_job *job);
void rows_monte_carlo(struct bench_job *job);
void rows_kmeans(struct bench_job *job);
void rows_math(struct bench_job *job);
void rows_constant_table(struct bench_job *job);
void rows_private_array(struct bench_job *job);
void rows_bytecode(struct bench_job *job);
void rows_collatz(struct bench_job *job);
void rows_hash(struct bench_job *job);
void rows_string_search(struct bench_job *job);

void rows_launch_latency(struct bench_job *job);
void rows_build_latency(struct bench_job *job);
#endif
