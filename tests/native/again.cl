// What a condition has loaded, and the body loads again: once, but where something may have changed in between.

//: test summed
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a uchar[2048] = i % 16 == i / 16 % 20 ? 0 : i % 16 + 1
//: expect out = min(i % 20, 16) * (min(i % 20, 16) + 1) / 2 * 1000 + min(i % 20, 16) / 2
kernel void summed(global int *out, global const uchar *a)
{
    int i = get_global_id(0), sum = 0, odd = 0;
    for (int p = i * 16; p < i * 16 + 16 && a[p]; p++) {
        sum += a[p];
        odd += (a[p] & 1) == 0;
    }
    out[i] = sum * 1000 + odd;
}

// A store to where it is loaded from, and an index that is stepped.
//: test stored
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[2050] = i % 16 < 9
//: expect out = 9 * 1000 + 27
//: expect a = i < 2048 && i % 16 < 9 ? 3 : i % 16 < 9
kernel void stored(global int *out, global int *a)
{
    int i = get_global_id(0), n = 0, sum = 0;
    while (n < 16 && a[i * 16 + n] == 1) {
        a[i * 16 + n] = 3;
        sum += a[i * 16 + n];
        n++;
    }
    out[i] = n * 1000 + sum;
}

//: test stepped
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[2064] = i % 16
//: expect out = 28 + 36 * 1000
kernel void stepped(global int *out, global const int *a)
{
    int i = get_global_id(0), p = i * 16, before = 0, behind = 0;
    while (p < i * 16 + 16 && a[p] < 8) {
        before += a[p];
        p++;
        behind += a[p];
    }
    out[i] = before + behind * 1000;
}

// The last iteration ends between both, and what the one before found is wanted.
//: test left
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[2048] = i % 16 * 3
//: arg b int[2048] = i % 16 == 11
//: expect out = 30 * 1000 + 33
kernel void left(global int *out, global const int *a, global const int *b)
{
    int i = get_global_id(0), n = 0, first, last = 0;
    for (;;) {
        first = a[i * 16 + n];
        if (n >= 16 || b[i * 16 + n]) break;
        last = a[i * 16 + n];
        n++;
    }
    out[i] = last * 1000 + first;
}

// What is loaded before and behind ifs by which others leave, who store before they go.
//: test leaving
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg cell int[64] = i % 8
//: expect out = i % 8 * (i % 8 - 1) / 2 + (i % 8 < 4 ? 0 : 4)
//: expect cell = -5
kernel void leaving(global int *out, global int *cell)
{
    int i = get_global_id(0), r = 0;
    while (true) {
        if (cell[i] == 0) {
            cell[i] = -5;
            break;
        }
        cell[i] = cell[i] - 1;
        if (cell[i] == 3) {
            cell[i] = 1;
            r += 10;
            continue;
        }
        r += cell[i];
    }
    out[i] = r;
}
