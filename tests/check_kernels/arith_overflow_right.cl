// What may overflow, or does not, on the way into an address.

// Unsigned arithmetic is modulo 2^32.
//: test unsigned_pitch
//: global 4
//: local 4
//: arg out int[16] = 0
//: arg width uint 1073741824
kernel void unsigned_pitch(global int *out, uint width) {
    uint y = get_global_id(0);
    out[y * width] = y;
}

// A hash of which the lowest bits are the place.
//: test hash
//: global 16
//: local 16
//: arg in int[16] = 100000 * i
//: arg out int[16] = 0
kernel void hash(global const int *in, global int *out) {
    int i = get_global_id(0), h = 17;
    for (int n = 0; n < 8; n++) h = (h * 31 + in[i]) & 0x7fffffff;
    out[h & 15] = 1;
    h = in[i] * 1103515245 + 12345;
    out[(h >> 16) & 15] = 1;
}

// A random number that no address is made of.
//: test noise
//: global 16
//: local 16
//: arg out int[16] = 0
kernel void noise(global int *out) {
    int i = get_global_id(0), seed = i;
    for (int n = 0; n < 8; n++) seed = seed * 1103515245 + 12345;
    out[i] = seed;
}

// The product is taken only where it fits.
//: test guarded
//: global 4
//: local 4
//: arg out int[16] = 0
//: arg width int 1073741824
kernel void guarded(global int *out, int width) {
    int y = get_global_id(0);
    out[y < 2 ? y * (width / 1073741824) : 0] = 1;
    int at = y == 0 ? y * width : y;
    out[at] = y;
}

// Up to the greatest, and down to the least.
//: test ends
//: global 2
//: local 2
//: arg out int[4] = 0
//: arg n int 2147483646
kernel void ends(global int *out, int n) {
    int i = get_global_id(0), most = n + 1, least = -most - 1;
    out[most + least + 1 + i] = i;
    out[(most - 1) - (n - 1) + i] = i;
}

// Narrow integers are computed as int.
//: test narrow
//: global 4
//: local 4
//: arg out int[4] = 0
kernel void narrow(global int *out) {
    char i = get_global_id(0), far = 127;
    out[far + i - 127] = i;
}
