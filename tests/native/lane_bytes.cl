// Bytes and halves that each lane has one behind the other are taken out of words, and put together to words.

//: test fours
//: global 96
//: local 32
//: arg in uchar[384] = i
//: arg out uchar[384] = 7
//: expect out = 255 - i % 256
kernel void fours(global const uchar4 *in, global uchar4 *out)
{
    size_t i = get_global_id(0);
    out[i] = (uchar4)(255) - in[i];
}

// Rows the other way round; the last warp is not whole, and some lanes of each are off.
//: test mirrored
//: global 96
//: local 48
//: arg in short[384] = i
//: arg out short[384] = -1
//: arg n int 91
//: expect out = i / 4 < 5 || i / 4 == 92 ? -1 : 3 * (4 * (95 - i / 4) + i % 4)
kernel void mirrored(global const short4 *in, global short4 *out, int n)
{
    int i = get_global_id(0);
    if (i < n && i != 3) out[95 - i] = in[i] * (short4)(3);
}

// Eight halves, and sixteen bytes; stores of some of them are no row.
//: test wide
//: global 64
//: local 32
//: arg a short[512] = i
//: arg b uchar[1024] = i
//: arg c short[512] = -1
//: arg d uchar[1024] = 9
//: expect c = i + (16 * (i / 8) + i % 8) % 256
//: expect d = i % 16 == 3 ? 9 : (i % 256 + 1) % 256
kernel void wide(global const short8 *a, global const uchar16 *b, global short8 *c, global uchar *d)
{
    size_t i = get_global_id(0);
    uchar16 v = b[i], w = v + (uchar16)(1);
    c[i] = a[i] + convert_short8(v.lo);
    d += 16 * i;
    d[0] = w.s0; d[1] = w.s1; d[2] = w.s2; d[4] = w.s4; d[5] = w.s5; d[6] = w.s6; d[7] = w.s7; d[8] = w.s8;
    d[9] = w.s9; d[10] = w.sa; d[11] = w.sb; d[12] = w.sc; d[13] = w.sd; d[14] = w.se; d[15] = w.sf;
}

// Lanes farther apart: words are gathered, the last of which ends where the row does.
//: test walks
//: global 64
//: local 32
//: arg in char[1344] = i % 100 - 50
//: arg out int[64] = 0
//: arg step int 21
//: expect out = i % 7 == 2 ? 0 : (21 * i) % 100 - 50 + 2 * ((21 * i + 1) % 100 - 50) + 4 * ((21 * i + 3) % 100 - 50) + 8 * ((21 * i + 5) % 100 - 50) + 16 * ((21 * i + 6) % 100 - 50)
kernel void walks(global const char *in, global int *out, int step)
{
    int i = get_global_id(0);
    global const char *p = in + i * step;
    if (i % 7 == 2) return;
    out[i] = p[0] + 2 * p[1] + 4 * p[3] + 8 * p[5] + 16 * p[6];
}

// The same where that is known; and halves at odd addresses.
//: test known
//: global 64
//: local 64
//: arg in uchar[1536] = i
//: arg out int[128] = 0
//: expect out = i < 64 ? 24 * i % 256 + (24 * i + 4) % 256 + (24 * i + 1) % 256 * 2 + (24 * i + 2) % 256 * 3 + (24 * i + 3) % 256 * 4 : (24 * (i - 64) + 7) % 256 + (24 * (i - 64) + 10) % 256 * 256
kernel void known(global const uchar *in, global int *out)
{
    int i = get_global_id(0);
    global const uchar *p = in + i * 24;
    out[i] = p[0] + p[1] * 2 + p[2] * 3 + p[3] * 4 + p[4];
    ushort4 v = vload4(0, (global const ushort *)(p + 7));
    out[64 + i] = (v.x & 255) + (v.y >> 8) * 256;
}

// Where lanes' elements are neighbours after all, and where they are another's.
//: test neighbours
//: global 64
//: local 32
//: arg in uchar[128] = i
//: arg at int[64] = i
//: arg out int[64] = 0
//: expect out = 10 * i + 20
kernel void neighbours(global const uchar *in, global const int *at, global int *out)
{
    int i = get_global_id(0);
    global const uchar *p = in + at[i];
    out[i] = p[0] + 2 * p[1] + 3 * p[2] + 4 * p[3];
}

//: test chosen
//: global 64
//: local 32
//: arg in uchar[256] = i
//: arg at int[64] = i * 37 % 64
//: arg out uchar[256] = 0
//: expect out = 4 * (i / 4 * 37 % 64) + 3 - i % 4
kernel void chosen(global const uchar4 *in, global const int *at, global uchar4 *out)
{
    int i = get_global_id(0);
    out[i] = in[at[i]].wzyx;
}

// A store in between that may be to the same place.
//: test between
//: global 64
//: local 32
//: arg a uchar[256] = 1
//: arg b uchar[64] = 5
//: expect a = i % 4 == 1 ? 9 : i % 4 == 3 ? 10 : 1
//: expect b = 2
kernel void between(global uchar *a, global uchar *b)
{
    size_t i = get_global_id(0);
    global uchar *p = a + 4 * i;
    uchar x = p[0], y = p[1];
    p[1] = 9;
    b[i] = x + y;
    p[3] = p[1] + p[2];
}

// Stores whose order counts: bytes, then a word over them, then one of its bytes.
//: test over
//: global 64
//: local 32
//: arg a uchar[256] = 1
//: expect a = i % 4 == 2 ? 7 : i % 4 == 0 ? 4 : 0
kernel void over(global uchar *a)
{
    global uchar *p = a + 4 * get_global_id(0);
    p[0] = 3;
    p[1] = 3;
    p[2] = 3;
    p[3] = 3;
    *(global int *)p = 4;
    p[2] = 7;
}

// Volatile vectors, each of which is moved at once.
//: test volatile_fours
//: global 96
//: local 32
//: arg in uchar[384] = i
//: arg out uchar[384] = 7
//: arg both ushort[192] = 3
//: expect out = 255 - i % 256
//: expect both = i % 2 ? 3 : i / 2 * 4 % 256
kernel void volatile_fours(global volatile const uchar4 *in, global volatile uchar4 *out, global volatile ushort2 *both)
{
    size_t i = get_global_id(0);
    uchar4 v = in[i];
    out[i] = (uchar4)(255) - v;
    both[i].x = v.x;
}

// Rows of bytes, or halves, that are no whole words, or no power of two of them: upwards, behind a guard, downwards.
//: test nine
//: global 96
//: local 32
//: arg out uchar[864] = 255
//: arg in uchar[864] = i % 251
//: expect out = (i % 251 + (i - i % 9) % 251) % 256
kernel void nine(global uchar *out, global const uchar *in) {
    int x = 9 * get_global_id(0);
    for (int k = 0; k < 9; k++) out[x + k] = in[x + k] + in[x];
}

//: test five
//: global 96
//: local 32
//: arg out uchar[480] = 255
//: arg in uchar[480] = i % 251
//: arg n int 93
//: expect out = i < 465 ? i / 5 * 5 % 251 ^ (i - i % 5 + 4 - i % 5) % 251 : 255
kernel void five(global uchar *out, global const uchar *in, int n) {
    int x = 5 * get_global_id(0);
    if (get_global_id(0) >= n) return;
    for (int k = 0; k < 5; k++) out[x + k] = in[x] ^ in[x + 4 - k];
}

//: test seven_halves
//: global 96
//: local 32
//: arg out ushort[672] = 9
//: arg in ushort[672] = 17 * i
//: expect out = 17 * (672 - 7 - i / 7 * 7 + i % 7) + i % 7
kernel void seven_halves(global ushort *out, global const ushort *in) {
    int x = 7 * get_global_id(0), from = 672 - 7 - x;
    for (int k = 0; k < 7; k++) out[x + k] = in[from + k] + k;
}

//: test downwards
//: global 96
//: local 32
//: arg out uchar[1056] = 9
//: arg in uchar[1056] = i % 256
//: expect out = i % 11 == 10 ? 9 : ((95 - i / 11) * 11 + i % 11 + 1) % 256
kernel void downwards(global uchar *out, global const uchar *in) {
    int x = 11 * get_global_id(0), to = 11 * (95 - get_global_id(0));
    for (int k = 0; k < 10; k++) out[to + k] = in[x + k + 1];
}

//: test twenty
//: global 64
//: local 64
//: arg out uchar[1280] = 9
//: arg in uchar[1280] = i % 256
//: expect out = (i + i / 20) % 256
kernel void twenty(global uchar *out, global const uchar *in) {
    int g = get_global_id(0);
    for (int k = 0; k < 20; k++) out[20 * g + k] = in[20 * g + k] + g;
}

// Where rows may lie in each other, by an argument.
//: test by_argument
//: global 32
//: local 32
//: arg out uchar[160] = 9
//: arg step int 3
//: expect out = i > 97 ? 9 : i < 3 || i % 3 == 2 ? (i % 3 + i / 3 * 9) % 256 : (i % 3 + 3 + (i / 3 - 1) * 9) % 256
kernel void by_argument(global uchar *out, int step) {
    int g = get_global_id(0), x = step * g;
    for (int k = 0; k < 5; k++) out[x + k] = k + 9 * g;
}

// Stores side by side, in any order, some lanes off; with what is stored changed, or looked at, in between.
//: test three_of_each
//: global 96
//: local 32
//: arg out uchar[288] = 200
//: arg in uchar[288] = i % 199
//: arg n int 90
//: expect out = i < 270 ? (i - i % 3 + 2 - i % 3) % 199 + 1 : 200
kernel void three_of_each(global uchar *out, global const uchar *in, int n) {
    int x = get_global_id(0);
    if (x >= n) return;
    uchar a = in[3 * x] + 1, b = in[3 * x + 1] + 1, c = in[3 * x + 2] + 1;
    out[3 * x + 2] = a;
    out[3 * x] = c;
    out[3 * x + 1] = b;
}

//: test three_halves
//: global 64
//: local 64
//: arg out short[192] = 9
//: arg in short[192] = i - 90
//: expect out = (i - 90) * (i % 3 + 1)
kernel void three_halves(global short *out, global const short *in) {
    int x = 3 * get_global_id(0);
    short a = in[x], b = in[x + 1] * 2, c = in[x + 2] * 3;
    out[x] = a;
    out[x + 1] = b;
    out[x + 2] = c;
}

//: test two_words
//: global 64
//: local 64
//: arg out int[128] = 9
//: arg in int[64] = 7 * i
//: expect out = i % 2 ? 7 * (i / 2) + 1 : 14 * (i / 2)
kernel void two_words(global int *out, global const int *in) {
    int x = get_global_id(0), v = in[x];
    out[2 * x + 1] = v + 1;
    v *= 2;
    out[2 * x] = v;
}

//: test looked_at
//: global 32
//: local 32
//: arg out uchar[65] = 100
//: expect out = i == 64 ? 100 : i % 2 ? 100 : i / 2 + 3
kernel void looked_at(global uchar *out) {
    int x = get_global_id(0);
    out[2 * x] = x + 3;
    uchar next = out[2 * x + 2 - 2 * (x < 31)];
    out[2 * x + 1] = x < 31 ? next - x + 97 : next;
}

//: test stored_again
//: global 32
//: local 32
//: arg out uchar[64] = 0
//: expect out = i % 2 ? i / 2 + 1 : i / 2 + 9
kernel void stored_again(global uchar *out) {
    int x = get_global_id(0);
    out[2 * x] = x;
    out[2 * x + 1] = x + 1;
    out[2 * x] = x + 9;
}
