// Rows, one for each work-item, of any length: 8 elements at a time, 4 of those that are left, and others.

//: test sums_0
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[1] = i
//: arg n int 0
//: expect out = 0 * i * 0 + 0 * (0 - 1) / 2 + i
kernel void sums(global int *out, global const int *in, int n)
{
    int i = get_global_id(0), sum = i;
    for (int k = 0; k < n; k++) sum += in[i * n + k];
    out[i] = sum;
}

//: test sums_1
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[70] = i
//: arg n int 1
//: expect out = 1 * i * 1 + 1 * (1 - 1) / 2 + i

//: test sums_2
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[140] = i
//: arg n int 2
//: expect out = 2 * i * 2 + 2 * (2 - 1) / 2 + i

//: test sums_3
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[210] = i
//: arg n int 3
//: expect out = 3 * i * 3 + 3 * (3 - 1) / 2 + i

//: test sums_4
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[280] = i
//: arg n int 4
//: expect out = 4 * i * 4 + 4 * (4 - 1) / 2 + i

//: test sums_5
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[350] = i
//: arg n int 5
//: expect out = 5 * i * 5 + 5 * (5 - 1) / 2 + i

//: test sums_7
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[490] = i
//: arg n int 7
//: expect out = 7 * i * 7 + 7 * (7 - 1) / 2 + i

//: test sums_8
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[560] = i
//: arg n int 8
//: expect out = 8 * i * 8 + 8 * (8 - 1) / 2 + i

//: test sums_9
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[630] = i
//: arg n int 9
//: expect out = 9 * i * 9 + 9 * (9 - 1) / 2 + i

//: test sums_11
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[770] = i
//: arg n int 11
//: expect out = 11 * i * 11 + 11 * (11 - 1) / 2 + i

//: test sums_12
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[840] = i
//: arg n int 12
//: expect out = 12 * i * 12 + 12 * (12 - 1) / 2 + i

//: test sums_13
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[910] = i
//: arg n int 13
//: expect out = 13 * i * 13 + 13 * (13 - 1) / 2 + i

//: test sums_15
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[1050] = i
//: arg n int 15
//: expect out = 15 * i * 15 + 15 * (15 - 1) / 2 + i

//: test sums_16
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[1120] = i
//: arg n int 16
//: expect out = 16 * i * 16 + 16 * (16 - 1) / 2 + i

//: test sums_20
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[1400] = i
//: arg n int 20
//: expect out = 20 * i * 20 + 20 * (20 - 1) / 2 + i

//: test sums_23
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[1610] = i
//: arg n int 23
//: expect out = 23 * i * 23 + 23 * (23 - 1) / 2 + i

//: test sums_28
//: kernel sums
//: global 70
//: local 35
//: arg out int[70] = -1
//: arg in int[1960] = i
//: arg n int 28
//: expect out = 28 * i * 28 + 28 * (28 - 1) / 2 + i

//: test down_0
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[1] = i % 7
//: arg n int 0
//: expect out = 0 == 0 ? -5 : ((i + 1) * 0 - 1) % 7 * 100 + i * 0 % 7
// The first and the last one, of bytes, from the end on, by a pointer.
kernel void down(global float *out, global const uchar *in, int n)
{
    int i = get_global_id(0), first = -1, last = 0;
    global const uchar *at = in + (i + 1) * n;
    while (n-- > 0) {
        last = *--at;
        first = first < 0 ? last : first;
    }
    out[i] = first < 0 ? -5 : first * 100 + last;
}

//: test down_1
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[70] = i % 7
//: arg n int 1
//: expect out = 1 == 0 ? -5 : ((i + 1) * 1 - 1) % 7 * 100 + i * 1 % 7

//: test down_2
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[140] = i % 7
//: arg n int 2
//: expect out = 2 == 0 ? -5 : ((i + 1) * 2 - 1) % 7 * 100 + i * 2 % 7

//: test down_3
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[210] = i % 7
//: arg n int 3
//: expect out = 3 == 0 ? -5 : ((i + 1) * 3 - 1) % 7 * 100 + i * 3 % 7

//: test down_4
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[280] = i % 7
//: arg n int 4
//: expect out = 4 == 0 ? -5 : ((i + 1) * 4 - 1) % 7 * 100 + i * 4 % 7

//: test down_5
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[350] = i % 7
//: arg n int 5
//: expect out = 5 == 0 ? -5 : ((i + 1) * 5 - 1) % 7 * 100 + i * 5 % 7

//: test down_7
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[490] = i % 7
//: arg n int 7
//: expect out = 7 == 0 ? -5 : ((i + 1) * 7 - 1) % 7 * 100 + i * 7 % 7

//: test down_8
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[560] = i % 7
//: arg n int 8
//: expect out = 8 == 0 ? -5 : ((i + 1) * 8 - 1) % 7 * 100 + i * 8 % 7

//: test down_9
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[630] = i % 7
//: arg n int 9
//: expect out = 9 == 0 ? -5 : ((i + 1) * 9 - 1) % 7 * 100 + i * 9 % 7

//: test down_11
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[770] = i % 7
//: arg n int 11
//: expect out = 11 == 0 ? -5 : ((i + 1) * 11 - 1) % 7 * 100 + i * 11 % 7

//: test down_12
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[840] = i % 7
//: arg n int 12
//: expect out = 12 == 0 ? -5 : ((i + 1) * 12 - 1) % 7 * 100 + i * 12 % 7

//: test down_13
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[910] = i % 7
//: arg n int 13
//: expect out = 13 == 0 ? -5 : ((i + 1) * 13 - 1) % 7 * 100 + i * 13 % 7

//: test down_15
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[1050] = i % 7
//: arg n int 15
//: expect out = 15 == 0 ? -5 : ((i + 1) * 15 - 1) % 7 * 100 + i * 15 % 7

//: test down_16
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[1120] = i % 7
//: arg n int 16
//: expect out = 16 == 0 ? -5 : ((i + 1) * 16 - 1) % 7 * 100 + i * 16 % 7

//: test down_20
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[1400] = i % 7
//: arg n int 20
//: expect out = 20 == 0 ? -5 : ((i + 1) * 20 - 1) % 7 * 100 + i * 20 % 7

//: test down_23
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[1610] = i % 7
//: arg n int 23
//: expect out = 23 == 0 ? -5 : ((i + 1) * 23 - 1) % 7 * 100 + i * 23 % 7

//: test down_28
//: kernel down
//: global 70
//: local 35
//: arg out float[70] = -1
//: arg in uchar[1960] = i % 7
//: arg n int 28
//: expect out = 28 == 0 ? -5 : ((i + 1) * 28 - 1) % 7 * 100 + i * 28 % 7
