// CRC-32 of each item's 64 bytes through a table of 256 words in constant memory.
__kernel void constant_table(__global uint *out, __global const uint *in, __constant uint *table,
                             int n)
{
    int i = get_global_id(0);
    uint crc = ~0u;
    for (int w = 0; w < 16; w++) {
        uint word = in[w * n + i];
        for (int b = 0; b < 4; b++, word >>= 8)
            crc = table[(crc ^ word) & 255] ^ (crc >> 8);
    }
    out[i] = ~crc;
}

// Sorts 32 keys in a private array by insertion.
__kernel void private_array(__global uint *keys, int n)
{
    uint a[32];
    int i = get_global_id(0);
    for (int j = 0; j < 32; j++)
        a[j] = keys[j * n + i];
    for (int j = 1; j < 32; j++) {
        uint key = a[j];
        int p = j - 1;
        while (p >= 0 && a[p] > key) {
            a[p + 1] = a[p];
            p--;
        }
        a[p + 1] = key;
    }
    for (int j = 0; j < 32; j++)
        keys[j * n + i] = a[j];
}

// A stack machine; each work-item runs its own program of bytes.
__kernel void bytecode(__global uint *out, __global const uchar *programs, int length, int steps)
{
    uint stack[16];
    int i = get_global_id(0);
    __global const uchar *code = programs + i * length;
    int pc = 0, top = 1;
    uint x = i + 1;
    for (int j = 0; j < 16; j++)
        stack[j] = j;
    for (int s = 0; s < steps; s++) {
        uchar op = code[pc];
        pc = pc + 1 == length ? 0 : pc + 1;
        switch (op & 7) {
        case 0: stack[top] = x; top = (top + 1) & 15; break;
        case 1: top = (top - 1) & 15; x += stack[top]; break;
        case 2: x = x * 1664525u + (op >> 3); break;
        case 3: x ^= stack[(top - 1 - (op >> 3)) & 15]; break;
        case 4: x = x << 7 | x >> 25; break;
        case 5:
            if (x & 1)
                pc = (pc + (op >> 3)) % length;
            break;
        case 6: x = stack[op & 15] - x; break;
        case 7: {
            uint y = stack[(top - 1) & 15];
            stack[(top - 1) & 15] = x;
            x = y + 1;
        }
        }
    }
    out[i] = x;
}

// Steps to 1 of the Collatz sequence.
__kernel void collatz(__global uint *out, uint first)
{
    uint i = get_global_id(0), x = first + i, steps = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        steps++;
    }
    out[i] = steps;
}

__kernel void hash(__global uint *out, int rounds)
{
    uint x = get_global_id(0);
    for (int r = 0; r < rounds; r++) {
        x ^= x >> 16;
        x *= 0x85ebca6bu;
        x ^= x >> 13;
        x *= 0xc2b2ae35u;
        x ^= x >> 16;
        x += r;
    }
    out[get_global_id(0)] = x;
}

// How often the pattern begins in each item's part of the text.
__kernel void string_search(__global uint *count, __global const uchar *text,
                            __constant uchar *pattern, int part, int length)
{
    int i = get_global_id(0);
    uint found = 0;
    for (int p = i * part; p < (i + 1) * part; p++) {
        int j = 0;
        while (j < length && text[p + j] == pattern[j])
            j++;
        if (j == length)
            found++;
    }
    count[i] = found;
}
