//: test beyond_the_end
//: global 64
//: local 32
//: arg out float[50] = 0
//: arg in float[50] = i
//: arg n int 50
//: expect out = i
kernel void beyond_the_end(global float *out, global const float *in, int n) {
    int i = get_global_id(0);
    if (i < n) out[i] = in[i];
}

//: test halo
//: global 64
//: local 32
//: arg out float[64] = 0
//: arg in float[64] = i
//: arg n int 64
kernel void halo(global float *out, global const float *in, int n) {
    local float tile[34];
    int i = get_global_id(0), l = get_local_id(0);
    tile[l + 1] = in[i];
    if (l == 0) tile[0] = i > 0 ? in[i - 1] : 0;
    if (l == 31) tile[33] = i + 1 < n ? in[i + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[l] + tile[l + 1] + tile[l + 2];
}

//: test moved_pointer
//: global 32
//: local 32
//: arg out int[32] = 0
kernel void moved_pointer(global int *out) {
    int room[40];
    int *middle = room + 20, i = get_global_id(0);
    for (int j = -20; j < 20; j++) middle[j] = i + j;
    out[i] = middle[-(i % 20)];
}

//: test one_past_the_end
//: global 4
//: arg out int[4] = 0
//: arg in int[16] = 1
//: expect out = 16
kernel void one_past_the_end(global int *out, global const int *in) {
    int sum = 0;
    for (global const int *p = in, *end = in + 16; p != end; p++) sum += *p;
    out[get_global_id(0)] = sum;
}

//: test one_of_two
//: global 32
//: local 32
//: arg a int[32] = i
//: arg b int[32] = -i
//: arg out int[32] = 0
//: expect out = i & 1 ? -i : i
kernel void one_of_two(global const int *a, global const int *b, global int *out) {
    int i = get_global_id(0);
    global const int *from = i & 1 ? b : a;
    out[i] = from[i];
}

//: test argument_or_variable
//: global 32
//: local 32
//: arg room local 128
//: arg out int[32] = 0
//: expect out = i
kernel void argument_or_variable(local int *room, global int *out) {
    local int own[64];
    int l = get_local_id(0);
    local int *to = l & 1 ? room : own + 32;
    to[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = l & 1 ? room[l] : own[l + 32];
}

//: test difference
//: global 16
//: arg a int[16] = i
//: arg b int[16] = 100 + i
//: arg out int[16] = 0
//: expect out = 100 + i
kernel void difference(global const int *a, global const int *b, global int *out) {
    int i = get_global_id(0);
    global const int *p = a + i;
    out[i] = b[p - a];
}

//: test array_of_pointers
//: global 16
//: arg a int[16] = i
//: arg b int[16] = 100 + i
//: arg c int[16] = 200 + i
//: arg out int[16] = 0
//: expect out = i % 3 * 100 + i
kernel void array_of_pointers(global const int *a, global const int *b, global const int *c, global int *out) {
    int i = get_global_id(0);
    global const int *from[3];
    from[0] = a;
    from[1] = b;
    from[2] = c;
    out[i] = from[i % 3][i];
}

//: test padded_tile
//: global 16 16
//: local 16 16
//: arg out float[256] = 0
//: arg in float[256] = i
//: expect out = (i % 16) * 16 + i / 16
kernel void padded_tile(global float *out, global const float *in) {
    local float tile[16 * 17];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y * 17 + x] = in[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] = tile[x * 17 + y];
}

//: test vectors_of_three
//: global 4
//: arg out float[12] = 0
//: arg in float[12] = i
//: expect out = i
kernel void vectors_of_three(global float *out, global const float *in) {
    int i = get_global_id(0);
    vstore3(vload3(i, in), i, out);
}

//: test structure_as_bytes
//: global 8
//: arg out int[8] = 0
//: expect out = i
kernel void structure_as_bytes(global int *out) {
    struct { int a[4]; int b[4]; } s;
    int i = get_global_id(0);
    private int *all = (private int *)&s;
    for (int j = 0; j < 8; j++) all[j] = j;
    out[i] = i < 4 ? s.a[i] : s.b[i - 4];
}

constant int table[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};

//: test table_as_a_row
//: global 8
//: arg out int[8] = 0
//: expect out = i
kernel void table_as_a_row(global int *out) {
    constant int *row = table[0];
    int i = get_global_id(0);
    out[i] = row[i];
}

//: test copied_in
//: global 32
//: local 32
//: arg out float[32] = 0
//: arg in float[32] = i
//: expect out = 31 - i
kernel void copied_in(global float *out, global const float *in) {
    local float tile[32];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, 32, 0);
    wait_group_events(1, &e);
    out[l] = tile[31 - l];
}

//: test last_of_a_row
//: global 8 8
//: local 8 8
//: arg out int[64] = 0
//: arg in int[64] = i
//: expect out = i % 8 == 7 ? 0 : i + 1
kernel void last_of_a_row(global int *out, global const int *in) {
    int x = get_global_id(0), y = get_global_id(1);
    global const int *row = in + y * 8;
    if (x + 1 < 8) out[y * 8 + x] = row[x + 1];
}

//: test image_read_clamped
//: global 8 4
//: local 8 4
//: arg out float[32] = 0
//: arg in image2d 8 4 = i
kernel void image_read_clamped(global float *out, read_only image2d_t in) {
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 8 + x] = read_imagef(in, s, (int2)(x + 1, y - 1)).x;
}

//: test repeated_by_parts
//: global 8
//: local 8
//: arg out float[8] = 0
//: arg in image2d 8 1 = i
//: expect out = (i + 3) % 8
kernel void repeated_by_parts(global float *out, read_only image2d_t in) {
    const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
    int i = get_global_id(0);
    out[i] = read_imagef(in, s, (float2)((i + 3.5f) / 8, 0.5f)).x;
}

//: test between_texels
//: global 7
//: local 7
//: arg out float[7] = 0
//: arg in image2d 8 1 = i
//: expect out = i + 0.5
kernel void between_texels(global float *out, read_only image2d_t in) {
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    int i = get_global_id(0);
    out[i] = read_imagef(in, s, (float2)(i + 1, 0.5f)).x;
}
