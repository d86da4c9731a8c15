// Bitonic sort. Strides below BLOCK go in local memory, the greater ones pass by pass.
#define GROUP 256
#define BLOCK (2 * GROUP)

void order(__local uint *a, __local uint *b, bool up)
{
    uint x = *a, y = *b;
    if ((x > y) == up) {
        *a = y;
        *b = x;
    }
}

// All of the network up to `size` (at most BLOCK), or, when start is greater, the strides below
// BLOCK of the merge of that size.
__kernel void bitonic_sort(__global uint *keys, int start)
{
    __local uint part[BLOCK];
    int t = get_local_id(0);
    int base = get_group_id(0) * BLOCK;
    part[t] = keys[base + t];
    part[t + GROUP] = keys[base + t + GROUP];
    for (int size = start > BLOCK ? start : 2; size <= (start > BLOCK ? start : BLOCK); size <<= 1) {
        bool up = ((base + 2 * t) & size) == 0;
        for (int stride = min(size, BLOCK) / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int low = 2 * t - (t & (stride - 1));
            if (size < BLOCK)
                up = ((base + low) & size) == 0;
            order(&part[low], &part[low + stride], up);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[base + t] = part[t];
    keys[base + t + GROUP] = part[t + GROUP];
}

__kernel void bitonic_merge(__global uint *keys, int size, int stride)
{
    int i = get_global_id(0);
    int low = 2 * i - (i & (stride - 1));
    uint a = keys[low], b = keys[low + stride];
    if ((a > b) == ((low & size) == 0)) {
        keys[low] = b;
        keys[low + stride] = a;
    }
}
