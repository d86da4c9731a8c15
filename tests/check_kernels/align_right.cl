//: test vectors_of_elements
//: global 4
//: arg in float[20] = i
//: arg out float[4] = 0
//: expect out = i + 2
kernel void vectors_of_elements(global const float *in, global float *out) {
    int i = get_global_id(0);
    out[i] = vload4(0, in + i).z;
}

//: test packed
//: global 4
//: arg in char[20] = i
//: arg out char[4] = 0
//: expect out = i * 5 + 4
struct __attribute__((packed)) record {
    int number;
    char mark;
};
kernel void packed(global const struct record *in, global char *out) {
    int i = get_global_id(0);
    out[i] = in[i].mark;
}

//: test bytes_of_an_int
//: global 4
//: arg in int[4] = 1 << 8 * i
//: arg out int[4] = 0
//: expect out = 1
kernel void bytes_of_an_int(global const int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = ((global const char *)(in + i))[i];
}

struct __attribute__((packed)) mixed {
    char mark;
    int number;
};

//: test member_of_a_packed_structure
//: global 4
//: arg in char[20] = 1
//: arg out int[4] = 0
//: expect out = 0x01010101
kernel void member_of_a_packed_structure(global const struct mixed *in, global int *out) {
    int i = get_global_id(0);
    out[i] = in[i].number;
}

//: test three_by_three
//: global 4
//: arg in float[12] = i
//: arg out float[4] = 0
//: expect out = 9 * i + 3
kernel void three_by_three(global const float *in, global float *out) {
    int i = get_global_id(0);
    float3 v = vload3(i, in);
    out[i] = v.x + v.y + v.z;
}

//: test offset_by_its_size
//: global 4
//: arg in char[80] = 1
//: arg out int[4] = 0
//: expect out = 0x01010101
kernel void offset_by_its_size(global const char *in, global int *out) {
    int i = get_global_id(0);
    out[i] = ((global const int4 *)(in + 16))[i].w;
}

//: test numbers_of_bytes
//: global 4
//: arg in uchar[20] = 2
//: arg out int[4] = 0
//: expect out = 0x02020202
kernel void numbers_of_bytes(global const uchar *in, global int *out) {
    int i = get_global_id(0);
    out[i] = as_int(vload4(0, in + 3 * i + 1));
}

struct record3 {
    char mark;
    int3 numbers;
};

//: test member_after_a_gap
//: global 4
//: local 4
//: arg out int[4] = 0
//: expect out = i
kernel void member_after_a_gap(global int *out) {
    local struct record3 t[4];
    int i = get_local_id(0);
    t[i].mark = 1;
    t[i].numbers = (int3)(i, i + 1, i + 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[3 - i].numbers.z + t[i].numbers.x - 5 + i;
}
