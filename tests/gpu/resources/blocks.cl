/* Straight code with many addresses: a global access takes an address in a register and nothing
 * more. */
#define EACH_30(F)                                                                                 \
    F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15) F(16)    \
    F(17) F(18) F(19) F(20) F(21) F(22) F(23) F(24) F(25) F(26) F(27) F(28) F(29)

#define LOAD(i) int v##i = x[i];
#define STORE(i) x[i] = v##i;
kernel void thirty_values(global int *x) { EACH_30(LOAD) EACH_30(STORE) }
#undef LOAD
#define LOAD(i) int v##i = y[i];
kernel void thirty_indexed_constants(global int *x, constant int *y) {
    EACH_30(LOAD) EACH_30(STORE)
}
constant int table[30] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                          21, 22, 23, 24, 25, 26, 27, 28, 29, 30};
#undef LOAD
#define LOAD(i) int v##i = ((volatile constant int *)table)[i];
kernel void thirty_constants(global int *x) { EACH_30(LOAD) EACH_30(STORE) }

kernel void system_words(global uint *data, global uint *unused) {
    data[0] = get_work_dim();
    data[1] = get_local_size(0);
    data[2] = get_local_size(1);
    data[3] = get_num_groups(0);
    data[4] = get_local_size(1);
    data[5] = get_num_groups(0);
}

kernel void system_halves(global ushort *data, global ushort *unused) {
    local ushort x[1];
    x[0] = 0x1234;
    barrier(CLK_LOCAL_MEM_FENCE);
    data[0] = x[0];
    data[1] = (ushort)get_local_size(0);
    data[2] = (ushort)get_local_size(1);
    data[3] = (ushort)get_local_size(2);
    data[4] = (ushort)get_num_groups(0);
    data[5] = (ushort)get_num_groups(1);
    data[6] = (ushort)get_group_id(0);
    data[7] = (ushort)get_group_id(1);
}

kernel void places(global short *data) {
    data[0] = (short)get_group_id(0);
    data[1] = (short)get_group_id(1);
    data[2] = 0;
    data[3] = (short)get_local_id(0);
    data[4] = (short)get_local_id(1);
    data[5] = (short)get_local_id(2);
    data[6] = (short)get_local_size(0);
    data[7] = (short)get_local_size(1);
    data[8] = (short)get_local_size(2);
    data[9] = (short)get_num_groups(0);
    data[10] = (short)get_num_groups(1);
    data[11] = 1;
}

kernel void eleven_words(global int *dest, int a, int b, int c, int d, int e, int f, int g, int h,
                         int i, int j, int l) {
    dest[0] = a, dest[1] = b, dest[2] = c, dest[3] = d, dest[4] = e, dest[5] = f;
    dest[6] = g, dest[7] = h, dest[8] = i, dest[9] = j, dest[10] = l;
}

kernel void shorts_and_shared(short a, global short *dest, short b, short c, short d, short e,
                              short f, short g, short h, short i, short j, short l) {
    local int x[20];
    dest[0] = a, dest[1] = b, dest[2] = c, dest[3] = d, dest[4] = e, dest[5] = f;
    dest[6] = g, dest[7] = h, dest[8] = i, dest[9] = j, dest[10] = l;
    dest[10] = x[0], dest[11] = x[1], dest[12] = x[2], dest[13] = x[3], dest[14] = x[4];
    dest[15] = x[5], dest[16] = x[6], dest[17] = x[7], dest[18] = x[8], dest[19] = x[9];
    dest[20] = x[10], dest[21] = x[11], dest[22] = x[12], dest[23] = x[13], dest[24] = x[14];
    dest[25] = x[15], dest[26] = x[16];
}

kernel void shared_bytes(global char *data, global char *data2) {
    local char x[256], y;
    x[0] = *data;
    x[1] = *data;
    x[2] = *data;
    x[3] = *data;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) data2[i] = x[i];
    data2[8] = y;
}

kernel void shared_byte(char data3, global int *data, global char *data2, char data4) {
    local char y[256], x;
    y[100] = y[101];
    x = (char)*data;
    barrier(CLK_LOCAL_MEM_FENCE);
    data2[0] = x;
    data2[1] = x;
    data2[2] = data3;
    data2[3] = data4;
}

kernel void vectors(global int *x) {
    int2 v = *(global int2 *)x;
    uint place = (uint)get_group_id(0);
    x[0] = (int)place;
    *(global int4 *)(x + 4) = (int4)((int)get_num_groups(0), v.y, (int)place, 0);
}

kernel void reduce_argument(global float *x) { /* in steps, by parts of pi / 2 */
    float2 v = *(global float2 *)x;
    float place = (float)get_group_id(0), r = v.x;
    x[0] = place;
    r -= v.y * 1.5703125f;
    r -= v.y * 4.83512879e-4f;
    r -= v.y * 3.13855707e-7f;
    r -= v.y * 6.0771e-11f;
    *(global float4 *)(x + 4) = (float4)(v.x, r, place, 0.0f);
}

kernel void multiply_adds(global float *x) {
    float2 v = *(global float2 *)x;
    float w = x[8], place = as_float((uint)get_group_id(0));
    float a = mad(v.y, place, v.x);
    float b = mad(v.y, v.y, a);
    float c = mad(place, w, b);
    c = mad(w, c, a);
    a = mad(1.0000001f, c, a);
    a = mad(1.0000001f, c, a);
    a = mad(1.0000001f, a, 1.0000002f);
    a = mad(1.0000004f, a, 1.0000005f);
    a = a * 1.0000001f - b;
    a = b - a * 1.0000002f;
    a = a * 1.0000001f + b;
    a = -a - b * 1.5703125f;
    a += c;
    int i = mad24(40, as_int(v.x), 2);
    i = mul24(i, 17) - as_int(a);
    i = as_int(a) - mul24(i, 17);
    x[0] = place;
    *(global float4 *)(x + 4) = (float4)(as_float(i), a, place, w);
}

kernel void textures(global float4 *x, read_only image1d_t one, read_only image2d_t two,
                     read_only image3d_t three) {
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;
    float4 v = *x;
    float g = read_imagef(one, s, v.x).y;
    float4 b = read_imagef(three, s, v);
    *x = (float4)(v.x, g, b.y, native_exp2(v.z) - b.x);
}
