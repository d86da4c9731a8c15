//: test fault
//: kernel wild
//: global 64
//: local 64
//: arg out int[64] = 0
//: arg bad int 37
//: fault outside every buffer
kernel void wild(global int *out, int bad) {
    int id = get_global_id(0);
    int at = id == bad ? 100000000 : id;
    out[at] = id;
}
