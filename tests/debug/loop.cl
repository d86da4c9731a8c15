//: test loop
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg limit int 3
//: expect out = i == 31 ? 0 : min(i, 3)
kernel void loop(global int *out, int limit) {
    int id = get_global_id(0);
    int count = 0;
    for (int i = 0; i < id; i++) {
        if (count == limit) break;
        count++;
    }
    if (id == 31) return;
    out[id] = count;
}
