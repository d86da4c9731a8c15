// printf (6.12.13 of 1.2): flags, widths, precisions, lengths and vectors.
//: versions 1.0 1.1 1.2

//: test flags
//: output [+5][ 5][00005][5    ][    5]
//: output [0x1f][037][0X1F][0x0001f][1F]
//: output [+1.5][ 1.5][001.5][1.5  ][  1.5][2.]
//: output [00042][  042][+0042]
//: output [-0007][     -7][-7     ]
kernel void flags() {
    printf("[%+d][% d][%05d][%-5d][%5d]\n", 5, 5, 5, 5, 5);
    printf("[%#x][%#o][%#X][%#07x][%X]\n", 31, 31, 31, 31, 31);
    printf("[%+.1f][% .1f][%05.1f][%-5.1f][%5.1f][%#.0f]\n", 1.5f, 1.5f, 1.5f, 1.5f, 1.5f, 2.0f);
    printf("[%.5d][%5.3d][%+.4d]\n", 42, 42, 42);
    printf("[%05d][%7d][%-7d]\n", -7, -7, -7);
}

//: test reals
//: output 3.141593 3.14 3 3.141593e+00 3.14E+00 3.14159 3.1
//: output 1e+10 1E-05 100000 1e+06 0.0001
//: output inf -inf INF nan
//: output 0x1.8p+1 0X1P-2 0x1.921fb6p+1
//: output -0.000000 0.000000 1
kernel void reals() {
    printf("%f %.2f %.0f %e %.2E %g %.2g\n", M_PI_F, M_PI_F, M_PI_F, M_PI_F, M_PI_F, M_PI_F, M_PI_F);
    printf("%g %G %g %g %g\n", 1e10f, 1e-5f, 100000.0f, 1000000.0f, 0.0001f);
    printf("%f %f %F %f\n", INFINITY, -INFINITY, INFINITY, fabs(NAN));
    printf("%a %A %a\n", 3.0f, 0.25f, M_PI_F);
    printf("%f %f %g\n", -0.0f, 0.0f, 1.0f);
}

//: test lengths
//: arg c char -1
//: arg s short -2
//: arg l long -3
//: output -1 255 -2 65534 -3 18446744073709551613
//: output ff fffe fffffffffffffffd -1 -2
//: output 9223372036854775807 -9223372036854775808 1777777777777777777777
kernel void lengths(char c, short s, long l) {
    printf("%hhd %hhu %hd %hu %ld %lu\n", c, c, s, s, l, l);
    printf("%hhx %hx %lx %d %d\n", c, s, l, c, s);
    printf("%ld %ld %lo\n", LONG_MAX, LONG_MIN, ULONG_MAX);
}

//: test vectors
//: output 1,2,3 -1,-2 97,98,99,100
//: output 1.5,2.5,3.5,4.5 [ 1, 2][1 ,2 ]
//: output ff,1,80,7f 0x1,0x2 1,2,3,4,5,6,7,8
//: output 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 -5,6
//: output 1.00e+00,2.00e+00 001,002,003
kernel void vectors() {
    printf("%v3hld %v2hd %v4hhd\n", (int3)(1, 2, 3), (short2)(-1, -2), (char4)('a', 'b', 'c', 'd'));
    printf("%.1v4hlf [%2v2hld][%-2v2hld]\n", (float4)(1.5f, 2.5f, 3.5f, 4.5f), (int2)(1, 2), (int2)(1, 2));
    printf("%v4hhx %#v2hlx %v8hu\n", (uchar4)(255, 1, 128, 127), (uint2)(1, 2), (ushort8)(1, 2, 3, 4, 5, 6, 7, 8));
    printf("%v16hhd %v2ld\n", (char16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), (long2)(-5, 6));
    printf("%.2v2hle %03v3hld\n", (float2)(1, 2), (int3)(1, 2, 3));
}

//: test strings
//: output abc|  abc|abc  |ab||%|x
//: output zero two three
//: output a "quoted" tab	end
//: output no arguments
//: output one 1 two 2.0 s c
//: output (null) [    (null)]
constant char *constant words[] = {"zero", "one", "two"};
kernel void strings() {
    constant char *w = "three";
    printf("%s|%5s|%-5s|%.2s|%s|%%|%c\n", "abc", "abc", "abc", "abc", "", 'x');
    printf("%s %s %s\n", words[0], words[2], w);
    printf("a \"quoted\" tab\tend\n");
    printf("no arguments\n");
    printf("one %d " "two %.1f %s %c\n", 1, 2.0f, "s", 99);
    printf("%s [%10s]\n", (void *)0, (constant char *)0);
}

//: test results
//: output 1
//: output 0 0
kernel void results() {
    int n = printf("%d\n", 1);
    printf("%d %d\n", n, printf("") < 0);
}

// Whole lines, in the order of work-items, however they diverge; a line in parts stays one line.
//: test order
//: global 40
//: local 8
//: output 0 even 0
//: output 1 odd 1
//: output 2 even 2
//: output 3 odd 3 3
//: output 4 even 4
//: output 5 odd 5
//: output 6 even 6
//: output 7 odd 7
//: output 37 last
//: output 38 last
//: output 39 last
kernel void order() {
    int i = get_global_id(0);
    if (i < 8) {
        printf("%d ", i);
        if (i & 1)
            printf("odd %d", i);
        else
            printf("even %d", i);
        if (i == 3) printf(" %d", i);
        printf("\n");
    } else if (i > 36) {
        printf("%d last\n", i);
    }
}

//: test pointers
//: global 1
//: arg out int[4] = 0
//: output 1 1
kernel void pointers(global int *out) {
    printf("%d %d\n", out != 0, sizeof(out) == 4);
}
