// Rows that each work-item joins into a register of its own, with a loop for each element: lanes go
// along one row after the other, side by side, and join what they have.

// Both the number that matches and what is taken away from another one; rows of 41 elements.
//: test counted
//: global 96
//: local 48
//: arg out int[192] = -1
//: arg text uchar[4096] = i % 5
//: arg word uchar[4] = i
//: arg n int 41
//: expect out = i < 96 ? (i * 41 + 45) / 5 - (i * 41 + 4) / 5 + i : 1000 - 4 * (((i - 96) * 41 + 45) / 5 - ((i - 96) * 41 + 4) / 5)
kernel void counted(global int *out, global const uchar *text, constant uchar *word, int n)
{
    int id = get_global_id(0), found = id, left = 1000;
    for (int p = id * n; p < (id + 1) * n; p++) {
        int j = 0;
        while (j < 4 && text[p + j] == word[j]) j++;
        if (j == 4) found++;
        if (text[p] < 3) { if (j > 0) left -= j; }
    }
    out[id] = found;
    out[96 + id] = left;
}

// Bits, and what is the largest and the least, with and without a sign.
//: test joined_by
//: global 64
//: local 64
//: arg out int[512] = 7
//: arg text uchar[4096] = i % 5
//: arg word uchar[4] = i
//: arg n int 40
//: expect out = i < 64 ? i ^ 0 : i < 128 ? (i - 64) | 4 : i < 192 ? (i - 128) & ~4 : i < 256 ? max(4 * ((i - 191) * 40 - 5), 3000) : i < 320 ? min(0 - 4 * ((i - 255) * 40 - 5), -3000) : i < 384 ? (i - 320) * 40 * 4 + 1 : i < 448 ? -1 : 0
kernel void joined_by(global int *out, global const uchar *text, constant uchar *word, int n)
{
    int id = get_global_id(0), bits = id, most = 3000, least = -3000;
    uint first = -1, last = 0;
    int some = id, all = id, none = 0;
    for (int p = id * n; p < (id + 1) * n; p++) {
        int j = 0;
        while (j < 4 && text[p + j] == word[j]) j++;
        bits ^= j;
        some |= j;
        all &= ~j;
        most = max(most, j * p);
    }
    for (int p = id * n; p < (id + 1) * n; p++) {
        int j = 0;
        while (j < 4 && text[p + j] == word[j]) j++;
        least = min(least, -j * p);
        first = min(first, j ? (uint)(j * p + 1) : 0xfffffff0u);
        last = max(last, j ? 0xffffffffu : (uint)j);
    }
    out[id] = bits;
    out[64 + id] = some;
    out[128 + id] = all;
    out[192 + id] = most;
    out[256 + id] = least;
    out[320 + id] = first;
    out[384 + id] = last;
    out[448 + id] = none;
}

// Numbers of other widths, which wrap around, and rows as long as an array says, twice each.
//: test narrow_and_wide
//: global 150
//: local 50
//: arg out ulong[150] = 1
//: arg bytes uchar[150] = 1
//: arg begin int[150] = i * 50
//: arg end int[150] = i * 50 + i % 50
//: arg text uchar[8192] = i % 5
//: arg word uchar[4] = i
//: expect out = (ulong)0xfffffffff0000000 + 2 * ((i % 50 + 4) / 5) * (ulong)0x40000000
//: expect bytes = (250 + 2 * ((i % 50 + 4) / 5) * 4) & 255
kernel void narrow_and_wide(global ulong *out, global uchar *bytes, global const int *begin,
                            global const int *end, global const uchar *text, constant uchar *word)
{
    int id = get_global_id(0);
    ulong wide = 0xfffffffff0000000;
    uchar narrow = 250;
    for (int twice = 0; twice < 2; twice++)
        for (int p = begin[id]; p < end[id]; p++) {
            int j = 0;
            while (j < 4 && text[p + j] == word[j]) j++;
            wide += (ulong)j << 28;
            narrow += j;
        }
    out[id] = wide;
    bytes[id] = narrow;
}

// Rows that are stored to as well, and those that some work-items do not go along.
//: test stored
//: global 70
//: local 70
//: arg out int[70] = -1
//: arg to int[3000] = 9
//: arg text uchar[4096] = i % 5
//: arg word uchar[4] = i
//: arg n int 40
//: expect out = i % 16 == 5 ? 0 : 32
//: expect to = i >= 2800 || i / 40 % 16 == 5 ? 9 : i % 5 ? 1 : 5
kernel void stored(global int *out, global int *to, global const uchar *text, constant uchar *word, int n)
{
    int id = get_global_id(0), sum = 0;
    if (id % 16 != 5)
        for (int k = 0; k < n; k++) {
            int p = id * n + k, j = 0;
            while (j < 4 && text[p + j] == word[j]) j++;
            to[p] = j + 1;
            sum += j;
        }
    out[id] = sum;
}

// What an iteration looks at, sets anew or scales is no reduction.
//: test looked_at
//: global 64
//: local 64
//: arg out int[192] = -1
//: arg text uchar[4096] = i % 5
//: arg word uchar[4] = i
//: arg n int 40
//: expect out = i < 64 ? 21 * 4 : i < 128 ? 4 : 255
kernel void looked_at(global int *out, global const uchar *text, constant uchar *word, int n)
{
    int id = get_global_id(0), ahead = 0, seen = 0, anew = 0, scaled = 0;
    for (int p = id * n; p < (id + 1) * n; p++) {
        int j = 0;
        while (j < 4 && text[p + j] == word[j]) j++;
        seen += j;
        if (seen > 12) ahead += j;
        if (j) anew = 0;
        anew += j;
        scaled = j ? scaled * 2 + 1 : scaled;
    }
    out[id] = ahead + seen * 2;
    out[64 + id] = anew;
    out[128 + id] = scaled;
}
