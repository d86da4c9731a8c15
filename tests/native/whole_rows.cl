// Rows of which some lanes are off, where the host has no masks for that: they are loaded as a whole,
// if they lie on one page. Rows begin everywhere on it, and end with the buffer; in some there is no lane.

//: test bytes
//: global 2528
//: local 32
//: arg out int[2528] = -1
//: arg in uchar[10066] = i % 251
//: arg to uchar[2528] = (i / 32 * 127 + i % 32 + i % 7 * (i / 32 % 9 > 6 ? i % 32 < 16 : 1)) % 251
//: expect out = i % 7 * (i / 32 % 9 > 6 ? i % 32 < 16 : 1)
kernel void bytes(global int *out, global const uchar *in, global const uchar *to)
{
    int id = get_global_id(0), j = 0;
    uchar until = to[id];
    while (in[id / 32 * 127 + id % 32 + j] != until) j++;
    out[id] = j;
}

// The same by an address that is stepped.
//: test stepped
//: global 2528
//: local 32
//: arg out int[2528] = -1
//: arg in uchar[10066] = i % 251
//: arg to uchar[2528] = (i / 32 * 127 + i % 32 + i % 7) % 251
//: expect out = i % 7
kernel void stepped(global int *out, global const uchar *in, global const uchar *to)
{
    int id = get_global_id(0), j = 0;
    global const uchar *from = in + id / 32 * 127 + id % 32;
    uchar until = to[id];
    while (*from++ != until) j++;
    out[id] = j;
}

//: test halves
//: global 1248
//: local 32
//: arg out int[1248] = -1
//: arg in short[5000] = i * 3
//: arg to short[1248] = (i / 32 * 127 + i % 32 + i % 7) * 3
//: expect out = i % 7
kernel void halves(global int *out, global const short *in, global const short *to)
{
    int id = get_global_id(0), j = 0;
    short until = to[id];
    while (in[id / 32 * 127 + id % 32 + j] != until) j++;
    out[id] = j;
}

//: test words
//: global 1248
//: local 32
//: arg out int[1248] = -1
//: arg in int[5000] = i * 3
//: arg to int[1248] = (i / 32 * 127 + i % 32 + i % 7) * 3
//: expect out = i % 7
kernel void words(global int *out, global const int *in, global const int *to)
{
    int id = get_global_id(0), j = 0, until = to[id];
    while (in[id / 32 * 127 + id % 32 + j] != until) j++;
    out[id] = j;
}

// Lanes that are off are far from any buffer.
//: test far
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in uchar[200] = i + 1
//: arg far int 100000000
//: expect out = i % 4 == 1 || i / 16 == 3 ? -7 : (i * 2 + 3) & 255
kernel void far(global int *out, global const uchar *in, int far)
{
    int id = get_global_id(0), sum = -7;
    int at = id % 4 == 1 || id / 16 == 3 ? id + far : id;
    if (at < far) sum = in[at] + in[at + 1];
    out[id] = sum & (sum < 0 ? -1 : 255);
}
