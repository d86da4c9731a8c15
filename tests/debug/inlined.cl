//: test inlined
//: global 4
//: local 4
//: arg out int[4] = 0
//: expect out = i * (i + 1) / 2 + i
int sum(int n) {
    int s = 0;
    for (int i = 1; i <= n; i++)
        s += i;
    return s;
}

int twice(int n) {
    int a = sum(n);
    return a + n;
}

kernel void inlined(global int *out) {
    int id = get_global_id(0);
    int r = twice(id);
    out[id] = r;
}
