/* What the kernels of variants/ compute, by the host. */
#ifndef BENCH_VARIANTS_HOST_H
#define BENCH_VARIANTS_HOST_H

/* Kernel number n of variants.def: reads a and b, writes out, as its parameters say. */
void variants_host_run(int n, const void *a, const void *b, void *out, int w, int h, int d);

#endif
