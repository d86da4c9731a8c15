/* Banks of shared memory (guide 3.1.2.5, figures 3-5 to 3-8): one warp, two half-warps. Where a test's stores are not
 * its subject they have no conflict: 2 requests, 2 passes. */
//: model 8800gtx gtx280

//: test stride1
//: kernel strided
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 1
//: expect out = i
//: expect shared_store == 1
//: expect shared_load == 1
//: expect shared_access == 4
//: expect shared_passes == 4
//: expect shared_replay == 0
//: expect shared_conflict == 1
//: expect warp_serialize == 0

//: test stride2
//: kernel strided
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 2
//: expect out = i * 2 % 32
//: expect shared_access == 4
//: expect shared_passes == 6
//: expect shared_replay == 2
//: expect shared_conflict == 2
//: expect warp_serialize == 2

//: test stride3
//: kernel strided
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 3
//: expect out = i * 3 % 32
//: expect shared_passes == 4
//: expect shared_conflict == 1

//: test stride0
//: kernel strided
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 0
//: expect out = 0
//: expect shared_passes == 4
//: expect shared_replay == 0
//: expect shared_conflict == 1
kernel void strided(global int *out, int s) {
    local int t[32];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l * s & 31];
}

/* Figure 3-7: strides of two and of eight words, without going round. What is stored first is one word a lane. */
//: test far2
//: kernel far
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 2
//: expect shared_access == 4
//: expect shared_passes == 6
//: expect shared_conflict == 2

//: test far4
//: kernel far
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 4
//: expect shared_passes == 10
//: expect shared_conflict == 4

//: test far8
//: kernel far
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 8
//: expect shared_passes == 18
//: expect shared_replay == 14
//: expect shared_conflict == 8
//: expect warp_serialize == 14

//: test far15
//: kernel far
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 15
//: expect shared_passes == 4
//: expect shared_conflict == 1

//: test far16
//: kernel far
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg s int 16
//: expect shared_passes == 34
//: expect shared_conflict == 16
kernel void far(global int *out, int s) {
    local int t[512];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l * s];
}

/* Figure 3-5, right: any permutation. */
//: test permutation
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = i * 7 % 16 + i / 16 * 16
//: expect shared_access == 4
//: expect shared_passes == 4
//: expect shared_conflict == 1
kernel void permutation(global int *out) {
    local int t[32];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[(l * 7 & 15) + (l & 16)];
}

/* Figure 3-8, right: lanes 3, 5, 6 and 11 of each half-warp want the word of bank 5, the others a bank each. */
//: test broadcast
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = (i & 15) == 3 || (i & 15) == 6 || (i & 15) == 11 ? (i & 16) + 5 : i
//: expect shared_access == 4
//: expect shared_passes == 4
//: expect shared_conflict == 1
kernel void broadcast(global int *out) {
    local int t[32];
    int l = get_local_id(0), k = l & 15;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[k == 3 || k == 6 || k == 11 ? (l & 16) + 5 : l];
}

/* Four chars lie in a word: the store and the load take four passes a half-warp each. */
//: test chars
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = 31 - i
//: expect shared_access == 4
//: expect shared_passes == 16
//: expect shared_replay == 12
//: expect shared_conflict == 4
kernel void chars(global int *out) {
    local char t[32];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l];
}

/* And none where they are four apart. */
//: test chars_apart
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = 31 - i
//: expect shared_access == 4
//: expect shared_passes == 4
//: expect shared_conflict == 1
kernel void chars_apart(global int *out) {
    local char t[128];
    int l = get_local_id(0);
    t[4 * l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[4 * (31 - l)];
}

//: test shorts
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = 31 - i
//: expect shared_passes == 8
//: expect shared_conflict == 2
kernel void shorts(global int *out) {
    local short t[32];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l];
}

/* 64 bits are two requests of 32, each with a stride of two words. */
//: test longs
//: global 32
//: local 32
//: arg out long[32] = 0
//: expect out = 31 - i
//: expect shared_store == 1
//: expect shared_load == 1
//: expect shared_access == 8
//: expect shared_passes == 16
//: expect shared_replay == 8
//: expect shared_conflict == 2
kernel void longs(global long *out) {
    local long t[32];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l];
}

/* The guide's way around: halves in arrays of their own. */
//: test split_longs
//: global 32
//: local 32
//: arg out long[32] = 0
//: expect out = 31 - i
//: expect shared_access == 8
//: expect shared_passes == 8
//: expect shared_conflict == 1
kernel void split_longs(global long *out) {
    local uint low[32], high[32];
    int l = get_local_id(0);
    low[l] = l;
    high[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = low[31 - l] | (long)high[31 - l] << 32;
}

/* float4: four requests, each with a stride of four words. */
//: test quads
//: global 32
//: local 32
//: arg out float4[32] = 0
//: expect shared_store == 1
//: expect shared_load == 1
//: expect shared_access == 16
//: expect shared_passes == 64
//: expect shared_conflict == 4
kernel void quads(global float4 *out) {
    local float4 t[32];
    int l = get_local_id(0);
    t[l] = (float4)(l);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l];
}

/* struct { float x, y, z; }: three requests without conflict. */
//: test threes
//: global 32
//: local 32
//: arg out float[32] = 0
//: expect out = 93 - 3 * i
//: expect shared_access == 12
//: expect shared_passes == 12
//: expect shared_conflict == 1
struct three {
    float x, y, z;
};
kernel void threes(global float *out) {
    local struct three t[32];
    int l = get_local_id(0);
    t[l].x = l, t[l].y = l, t[l].z = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l].x + t[31 - l].y + t[31 - l].z;
}

/* struct { float x, y; }: two requests with conflicts. */
//: test twos
//: global 32
//: local 32
//: arg out float[32] = 0
//: expect out = 62 - 2 * i
//: expect shared_access == 8
//: expect shared_passes == 16
//: expect shared_conflict == 2
struct two {
    float x, y;
};
kernel void twos(global float *out) {
    local struct two t[32];
    int l = get_local_id(0);
    t[l].x = l, t[l].y = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l].x + t[31 - l].y;
}

/* All lanes write one place: one write a half-warp. */
//: test one_place
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = 9
//: expect shared_access == 4
//: expect shared_passes == 4
//: expect shared_conflict == 1
kernel void one_place(global int *out) {
    local int t[32];
    int l = get_local_id(0);
    t[0] = 9;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[0];
}
