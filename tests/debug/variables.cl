//: test values
//: global 64
//: local 64
//: arg out float[64] = 0
//: arg in float[256] = i * 0.5
//: arg n int 50
//: expect out = 0
struct pair {
    float x;
    int n;
};

kernel void values(global float *out, global const float4 *in, int n) {
    int id = get_global_id(0);
    struct pair p = {1.5f, id};
    float4 v = in[id];
    int table[4] = {id, 1, 2, 3};
    uchar2 small = (uchar2)(255, 7);
    global float *to = out + id;
    if (id >= n) return;
    p.n += table[id & 3];
    v.y = -v.x;
    if (p.n > 60)
        v.w = 0.0f;
    *to = v.x + v.y;
}
