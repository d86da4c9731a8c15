//: test finding
//: kernel beyond
//: global 64
//: local 64
//: arg out int[64] = 0
//: arg in int[63] = i
kernel void beyond(global int *out, global const int *in) {
    int id = get_global_id(0);
    int next = id;
    out[id] = in[next];
}
