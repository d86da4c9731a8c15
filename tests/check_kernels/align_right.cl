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
