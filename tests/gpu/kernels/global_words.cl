/* Words of 1 to 16 bytes and a structure, in order (guide 3.1.2.1): one warp, whose half-warps the rules look at. */
//: model 8800gtx gtx280

//: test bytes
//: global 32
//: local 32
//: arg out uchar[32] = 0
//: arg in uchar[32] = i
//: expect out = i
//: expect gld_request == 1
//: expect gld_bytes == 32
//: expect gld_incoherent == 2
//: expect gld_transactions_1_0 == 32
//: expect gld_moved_1_0 == 1024
//: expect gld_32b == 2
//: expect gld_64b == 0
//: expect gld_128b == 0
//: expect gld_moved == 64
//: expect gst_incoherent == 2
//: expect gst_32b == 2
kernel void bytes(global uchar *out, global const uchar *in) {
    int i = get_global_id(0);
    out[i] = in[i];
}

//: test shorts
//: global 32
//: local 32
//: arg out ushort[32] = 0
//: arg in ushort[32] = i
//: expect out = i
//: expect gld_bytes == 64
//: expect gld_incoherent == 2
//: expect gld_transactions_1_0 == 32
//: expect gld_32b == 2
//: expect gld_total == 2
//: expect gst_incoherent == 2
//: expect gst_32b == 2
//: expect gst_total == 2
kernel void shorts(global ushort *out, global const ushort *in) {
    int i = get_global_id(0);
    out[i] = in[i];
}

//: test ints
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg in int[32] = i
//: expect out = i
//: expect gld_bytes == 128
//: expect gld_coherent == 2
//: expect gld_incoherent == 0
//: expect gld_transactions_1_0 == 2
//: expect gld_moved_1_0 == 128
//: expect gld_64b == 2
//: expect gld_total == 2
//: expect gld_moved == 128
//: expect gst_coherent == 2
//: expect gst_64b == 2
kernel void ints(global int *out, global const int *in) {
    int i = get_global_id(0);
    out[i] = in[i];
}

//: test pairs
//: global 32
//: local 32
//: arg out int2[32] = 0
//: arg in int2[32] = i
//: expect out = i
//: expect gld_request == 1
//: expect gld_bytes == 256
//: expect gld_coherent == 2
//: expect gld_transactions_1_0 == 2
//: expect gld_moved_1_0 == 256
//: expect gld_128b == 2
//: expect gld_total == 2
//: expect gst_request == 1
//: expect gst_coherent == 2
//: expect gst_128b == 2
kernel void pairs(global int2 *out, global const int2 *in) {
    int i = get_global_id(0);
    out[i] = in[i];
}

//: test quads
//: global 32
//: local 32
//: arg out int4[32] = 0
//: arg in int4[32] = i
//: expect out = i
//: expect gld_request == 1
//: expect gld_bytes == 512
//: expect gld_coherent == 2
//: expect gld_transactions_1_0 == 4
//: expect gld_128b == 4
//: expect gld_total == 4
//: expect gst_request == 1
//: expect gst_coherent == 2
//: expect gst_transactions_1_0 == 4
//: expect gst_128b == 4
kernel void quads(global int4 *out, global const int4 *in) {
    int i = get_global_id(0);
    out[i] = in[i];
}

/* Figure 3-3, right: three loads, each with a stride of 12 bytes. Each half-warp's 184 bytes lie in two segments, one
 * of which is used in both halves. */
//: test structures
//: global 32
//: local 32
//: arg out float[32] = 0
//: arg in float[96] = i
//: expect out = 9 * i + 3
//: expect gld_request == 3
//: expect gld_bytes == 384
//: expect gld_incoherent == 6
//: expect gld_transactions_1_0 == 96
//: expect gld_32b == 0
//: expect gld_64b == 6
//: expect gld_128b == 6
//: expect gst_coherent == 2
//: expect gst_64b == 2
struct three {
    float x, y, z;
};
kernel void structures(global float *out, global const struct three *in) {
    int i = get_global_id(0);
    out[i] = in[i].x + in[i].y + in[i].z;
}

/* Figure 3-1, right: lanes that are off do not matter. */
//: test half_of_them
//: global 32
//: local 32
//: arg out int[32] = -1
//: arg in int[32] = i
//: expect out = i % 2 ? i : -1
//: expect gld_bytes == 64
//: expect gld_coherent == 2
//: expect gld_incoherent == 0
//: expect gld_64b == 2
//: expect gst_coherent == 2
//: expect gst_64b == 2
kernel void half_of_them(global int *out, global const int *in) {
    int i = get_global_id(0);
    if (i % 2) out[i] = in[i];
}

/* Figure 3-2, left: pairs of lanes exchange their words. */
//: test exchanged
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg in int[32] = i
//: expect out = i % 2 ? i - 1 : i + 1
//: expect gld_incoherent == 2
//: expect gld_transactions_1_0 == 32
//: expect gld_64b == 2
//: expect gld_total == 2
//: expect gst_coherent == 2
kernel void exchanged(global int *out, global const int *in) {
    int i = get_global_id(0);
    out[i] = in[i ^ 1];
}

/* All lanes read one word, and one lane writes one. */
//: test one_word
//: global 32
//: local 32
//: arg out int[32] = -1
//: arg in int[32] = i + 7
//: expect out = i == 5 ? 10 : -1
//: expect gld_incoherent == 2
//: expect gld_transactions_1_0 == 32
//: expect gld_32b == 2
//: expect gld_total == 2
//: expect gst_request == 1
//: expect gst_coherent == 1
//: expect gst_incoherent == 0
//: expect gst_transactions_1_0 == 1
//: expect gst_32b == 1
//: expect gst_total == 1
kernel void one_word(global int *out, global const int *in) {
    int i = get_global_id(0), x = in[3];
    if (i == 5) out[i] = x;
}

/* Structures that their alignment makes words: one instruction. */
//: test aligned8
//: global 32
//: local 32
//: arg out float[32] = 0
//: arg in float[64] = i
//: expect out = 4 * i + 1
//: expect gld_request == 1
//: expect gld_bytes == 256
//: expect gld_coherent == 2
//: expect gld_transactions_1_0 == 2
//: expect gld_128b == 2
//: expect gld_total == 2
struct __attribute__((aligned(8))) aligned_two {
    float a, b;
};
kernel void aligned8(global float *out, global const struct aligned_two *in) {
    int i = get_global_id(0);
    struct aligned_two v = in[i];
    out[i] = v.a + v.b;
}

/* Three floats and their padding are a word of 16 bytes. */
//: test aligned16
//: global 32
//: local 32
//: arg out float[32] = 0
//: arg in float[128] = i
//: expect out = 12 * i + 3
//: expect gld_request == 1
//: expect gld_bytes == 512
//: expect gld_coherent == 2
//: expect gld_transactions_1_0 == 4
//: expect gld_128b == 4
//: expect gld_total == 4
struct __attribute__((aligned(16))) aligned_three {
    float a, b, c;
};
kernel void aligned16(global float *out, global const struct aligned_three *in) {
    int i = get_global_id(0);
    struct aligned_three v = in[i];
    out[i] = v.a + v.b + v.c;
}

/* Not aligned: an instruction for each member, with a stride of two words. */
//: test not_aligned
//: global 32
//: local 32
//: arg out float[32] = 0
//: arg in float[64] = i
//: expect out = 4 * i + 1
//: expect gld_request == 2
//: expect gld_bytes == 256
//: expect gld_incoherent == 4
//: expect gld_transactions_1_0 == 64
//: expect gld_128b == 4
//: expect gld_total == 4
struct two {
    float a, b;
};
kernel void not_aligned(global float *out, global const struct two *in) {
    int i = get_global_id(0);
    struct two v = in[i];
    out[i] = v.a + v.b;
}

/* Five floats, aligned to 16 and so padded to 32 bytes: two instructions instead of five. */
//: test five
//: global 32
//: local 32
//: arg out float[32] = 0
//: arg in float[256] = i
//: expect out = 40 * i + 10
//: expect gld_request == 2
//: expect gld_incoherent == 4
//: expect gld_128b == 16
//: expect gld_total == 16
struct __attribute__((aligned(16))) aligned_five {
    float a, b, c, d, e;
};
kernel void five(global float *out, global const struct aligned_five *in) {
    int i = get_global_id(0);
    struct aligned_five v = in[i];
    out[i] = v.a + v.b + v.c + v.d + v.e;
}
