//: test read_ahead
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg in float[64] = i
//: fault outside every buffer
kernel void read_ahead(global float *out, global const float *in) {
    int i = get_global_id(0);
    out[i] = in[i + 1] - in[i];
}

//: test write_before
//: global 64
//: local 32
//: arg out int[64] = 0
kernel void write_before(global int *out) {
    int i = get_global_id(0);
    out[i - 1] = i;
}

//: test last_bytes
//: global 4
//: arg out char[14] = 0
kernel void last_bytes(global uchar *out) {
    int i = get_global_id(0);
    vstore4((uchar4)(i), i, out);
}

//: test neighbour
//: global 32
//: local 32
//: arg out float[32] = 0
kernel void neighbour(global float *out) {
    local float tile[32];
    local float other[32];
    int l = get_local_id(0);
    other[l] = 1;
    tile[l + 1] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l] + other[l];
}

void put(local int *to, int at, int value) {
    to[at] = value;
}

//: test in_a_function
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg room local 128
kernel void in_a_function(global int *out, local int *room) {
    int l = get_local_id(0);
    put(room, l * 2, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = room[l];
}

//: test private_array
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg n int 5
kernel void private_array(global int *out, int n) {
    int v[4], w[4] = {n, 2, 3, 4};
    int i = get_global_id(0);
    for (int j = 0; j < n; j++) v[j] = i + j;
    out[i] = v[i & 3] + w[i & 3];
}

constant int table[4] = {1, 2, 3, 4};
constant int next[4] = {5, 6, 7, 8};

//: test constant_array
//: global 8
//: arg out int[8] = 0
kernel void constant_array(global int *out) {
    int i = get_global_id(0);
    out[i] = table[i] + next[i & 3];
}

//: test rows_too_long
//: global 8 4
//: local 8 4
//: arg out int[30] = 0
//: arg width int 8
kernel void rows_too_long(global int *out, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * width + x] = x;
}

//: test vector_across_the_end
//: global 2
//: arg out float[8] = 0
//: arg in float[7] = i
kernel void vector_across_the_end(global float4 *out, global const float4 *in) {
    int i = get_global_id(0);
    out[i] = in[i];
}

//: test atomic_behind
//: global 32
//: local 32
//: arg bins int[10] = 0
kernel void atomic_behind(global int *bins) {
    atomic_inc(&bins[get_global_id(0) % 11]);
}

struct particle {
    float position[3];
    float mass;
};

//: test member_of_a_structure
//: global 5
//: arg p float[16] = i
//: arg out float[5] = 0
kernel void member_of_a_structure(global const struct particle *p, global float *out) {
    int i = get_global_id(0);
    out[i] = p[i].mass;
}

//: test tile_by_columns
//: global 16 16
//: local 16 16
//: arg out float[256] = 0
//: arg in float[256] = i
kernel void tile_by_columns(global float *out, global const float *in) {
    local float tile[16][15];
    int x = get_local_id(0), y = get_local_id(1);
    tile[x][y] = in[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] = tile[y][x];
}

//: test from_a_number
//: global 1
//: arg out int[4] = 0
//: arg address uint 64
//: fault outside every buffer
kernel void from_a_number(global int *out, uint address) {
    out[0] = *(global int *)(size_t)address;
}

//: test either_of_two
//: global 8
//: arg a int[8] = i
//: arg b int[4] = i
//: arg out int[8] = 0
kernel void either_of_two(global const int *a, global const int *b, global int *out) {
    int i = get_global_id(0);
    global const int *from = i & 1 ? b : a;
    out[i] = from[i];
}

//: test image_read_without_mode
//: global 8 4
//: local 8 4
//: arg out float[32] = 0
//: arg in image2d 8 4 = i
kernel void image_read_without_mode(global float *out, read_only image2d_t in) {
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 8 + x] = read_imagef(in, s, (int2)(x + 1, y - 1)).x;
}

//: test repeated_by_texels
//: global 8
//: local 8
//: arg out float[8] = 0
//: arg in image2d 8 1 = i
kernel void repeated_by_texels(global float *out, read_only image2d_t in) {
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
    int i = get_global_id(0);
    out[i] = read_imagef(in, s, (float2)(i + 0.5f, 0.5f)).x;
}

//: test integers_normalised
//: global 8
//: local 8
//: arg out float[8] = 0
//: arg in image2d 8 1 = i
kernel void integers_normalised(global float *out, read_only image2d_t in) {
    const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int i = get_global_id(0);
    out[i] = read_imagef(in, s, (int2)(i, 0)).x;
}

//: test integers_filtered
//: global 8
//: local 8
//: arg out float[8] = 0
//: arg in image2d 8 1 = i
kernel void integers_filtered(global float *out, read_only image2d_t in) {
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
    int i = get_global_id(0);
    out[i] = read_imagef(in, s, (int2)(i, 0)).x;
}
//= simtcl: <program source>:9:14: error: load of 4 bytes outside its object [memory]
//=     9 |     out[i] = in[i + 1] - in[i];
//=       |              ^~~~~~~~~
//=   kernel "read_ahead", work-item global (63,0,0) local (63,0,0) of group (0,0,0)
//=   buffer 2, 256 bytes, created at clCreateBuffer call 2, argument `in`: 0 bytes past its end
//= simtcl: <program source>:18:5: error: store of 4 bytes outside its object [memory]
//=    18 |     out[i - 1] = i;
//=       |     ^~~~~~~~~~
//=   kernel "write_before", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   buffer 3, 256 bytes, created at clCreateBuffer call 3, argument `out`: 4 bytes before its begin
//= simtcl: <program source>:26:5: error: store of 1 byte outside its object [memory]
//=    26 |     vstore4((uchar4)(i), i, out);
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "last_bytes", work-item global (3,0,0) local (3,0,0) of group (0,0,0)
//=   buffer 4, 14 bytes, created at clCreateBuffer call 4, argument `out`: 0 bytes past its end
//=   2 times
//= simtcl: <program source>:38:5: error: store of 4 bytes outside its object [memory]
//=    38 |     tile[l + 1] = l;
//=       |     ^~~~~~~~~~~
//=   kernel "neighbour", work-item global (31,0,0) local (31,0,0) of group (0,0,0)
//=   local variable `tile`, 128 bytes: 0 bytes past its end, in variable `other`
//= simtcl: <program source>:44:5: error: store of 4 bytes outside its object [memory]
//=    44 |     to[at] = value;
//=       |     ^~~~~~
//=   in "put", called at <program source>:54:5
//=   kernel "in_a_function", work-item global (16,0,0) local (16,0,0) of group (0,0,0)
//=   128 bytes of local memory, argument `room`: 0 bytes past its end
//=   16 times
//= simtcl: <program source>:67:33: error: store of 4 bytes outside its object [memory]
//=    67 |     for (int j = 0; j < n; j++) v[j] = i + j;
//=       |                                 ^~~~
//=   kernel "private_array", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   private variable `v`, 16 bytes: 0 bytes past its end, in variable `w`
//=   32 times
//= simtcl: <program source>:79:14: error: load of 4 bytes outside its object [memory]
//=    79 |     out[i] = table[i] + next[i & 3];
//=       |              ^~~~~~~~
//=   kernel "constant_array", work-item global (4,0,0) local (4,0,0) of group (0,0,0)
//=   constant variable `table`, 16 bytes: 0 bytes past its end, in variable `next`
//=   4 times
//= simtcl: <program source>:89:5: error: store of 4 bytes outside its object [memory]
//=    89 |     out[y * width + x] = x;
//=       |     ^~~~~~~~~~~~~~~~~~
//=   kernel "rows_too_long", work-item global (6,3,0) local (6,3,0) of group (0,0,0)
//=   buffer 9, 120 bytes, created at clCreateBuffer call 9, argument `out`: 0 bytes past its end
//=   2 times
//= simtcl: <program source>:98:14: error: load of 16 bytes outside its object [memory]
//=    98 |     out[i] = in[i];
//=       |              ^~~~~
//=   kernel "vector_across_the_end", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//=   buffer 11, 28 bytes, created at clCreateBuffer call 11, argument `in`: its last 4 bytes are past the end
//= simtcl: <program source>:106:5: error: atomic operation of 4 bytes outside its object [memory]
//=   106 |     atomic_inc(&bins[get_global_id(0) % 11]);
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "atomic_behind", work-item global (10,0,0) local (10,0,0) of group (0,0,0)
//=   buffer 12, 40 bytes, created at clCreateBuffer call 12, argument `bins`: 0 bytes past its end
//=   2 times
//= simtcl: <program source>:120:14: error: load of 4 bytes outside its object [memory]
//=   120 |     out[i] = p[i].mass;
//=       |              ^~~~~~~~~
//=   kernel "member_of_a_structure", work-item global (4,0,0) local (4,0,0) of group (0,0,0)
//=   buffer 13, 64 bytes, created at clCreateBuffer call 13, argument `p`: 12 bytes past its end
//= simtcl: <program source>:131:5: error: store of 4 bytes outside its object [memory]
//=   131 |     tile[x][y] = in[y * 16 + x];
//=       |     ^~~~~~~~~~
//=   kernel "tile_by_columns", work-item global (15,15,0) local (15,15,0) of group (0,0,0)
//=   local variable `tile`, 960 bytes: 0 bytes past its end
//= simtcl: <program source>:133:23: error: load of 4 bytes outside its object [memory]
//=   133 |     out[y * 16 + x] = tile[y][x];
//=       |                       ^~~~~~~~~~
//=   kernel "tile_by_columns", work-item global (15,15,0) local (15,15,0) of group (0,0,0)
//=   local variable `tile`, 960 bytes: 0 bytes past its end
//= simtcl: <program source>:142:14: error: load of 4 bytes through a null pointer [memory]
//=   142 |     out[0] = *(global int *)(size_t)address;
//=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "from_a_number", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   address 0x40
//= simtcl: <program source>:153:14: error: load of 4 bytes where no object is [memory]
//=   153 |     out[i] = from[i];
//=       |              ^~~~~~~
//=   kernel "either_of_two", work-item global (5,0,0) local (5,0,0) of group (0,0,0)
//=   4 bytes past its end: of buffer 19, 16 bytes, created at clCreateBuffer call 19, argument `b`
//=   2 times
//= simtcl: <program source>:164:22: error: image read outside the image [memory]
//=   164 |     out[y * 8 + x] = read_imagef(in, s, (int2)(x + 1, y - 1)).x;
//=       |                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "image_read_without_mode", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   image 22, 128 bytes, created at clCreateImage call 1, argument `in`: coordinates (1, -1) of 8 x 4 texels, by a sampler without an addressing mode
//=   11 times
//= simtcl: <program source>:175:14: error: image read by a sampler that does not suit it [memory]
//=   175 |     out[i] = read_imagef(in, s, (float2)(i + 0.5f, 0.5f)).x;
//=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "repeated_by_texels", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   image 24, 32 bytes, created at clCreateImage call 2, argument `in`: repeating asks for normalised coordinates
//=   8 times
//= simtcl: <program source>:186:14: error: image read by a sampler that does not suit it [memory]
//=   186 |     out[i] = read_imagef(in, s, (int2)(i, 0)).x;
//=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "integers_normalised", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   image 26, 32 bytes, created at clCreateImage call 3, argument `in`: integer coordinates ask for a sampler that does not normalise them
//=   8 times
//= simtcl: <program source>:197:14: error: image read by a sampler that does not suit it [memory]
//=   197 |     out[i] = read_imagef(in, s, (int2)(i, 0)).x;
//=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "integers_filtered", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   image 28, 32 bytes, created at clCreateImage call 4, argument `in`: integer coordinates ask for the nearest texel
//=   8 times
