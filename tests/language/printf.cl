// printf (6.12.13 of 1.2), in order of work-items.
//: versions 1.0 1.1 1.2

//: test formats
//: global 1
//: output 42 -7 ff 0X1F 52 c +3
//: output 1.50 2.500000e+00 0x1p+0 inf
//: output 1,2,3,4 1.00,2.00
//: output [   ab] [ab   ] 100%
//: output 18446744073709551615 -1 200 -56
kernel void formats() {
    printf("%d %i %x %#X %o %c %+d\n", 42, -7, 255, 31, 42, 'c', 3);
    printf("%.2f %e %a %f\n", 1.5f, 2.5f, 1.0f, INFINITY);
    printf("%v4d %.2v2hlf\n", (int4)(1, 2, 3, 4), (float2)(1, 2));
    printf("[%5s] [%-5s] 100%%\n", "ab", "ab");
    printf("%lu %ld %hhu %hhd\n", ULONG_MAX, -1L, 200, 200);
}

// Letters of C99 that OpenCL C lacks, for size_t and its kin.
//: test sizes
//: global 1
//: output 7 -3 1099511627776 00005 %zu z
kernel void sizes() {
    size_t n = 7;
    ptrdiff_t d = -3;
    printf("%zu %td %jd %05zi %%zu z\n", n, d, 1L << 40, n - 2);
}

//: test ordered
//: global 4
//: output item 0
//: output item 1
//: output item 2
//: output item 3
kernel void ordered() { printf("item %d\n", (int)get_global_id(0)); }
