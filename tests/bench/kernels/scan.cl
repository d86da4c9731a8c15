// Inclusive prefix sums of blocks of 2 * 256 elements, work-efficient (up and down a tree), then of
// the blocks' sums, then both added.
#define GROUP 256
#define BLOCK (2 * GROUP)

__kernel void scan_blocks(__global uint *data, __global uint *sums)
{
    __local uint tree[BLOCK];
    int t = get_local_id(0);
    int base = get_group_id(0) * BLOCK;
    uint first = data[base + 2 * t], second = data[base + 2 * t + 1];
    tree[2 * t] = first;
    tree[2 * t + 1] = second;
    int offset = 1;
    for (int d = GROUP; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset <<= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        sums[get_group_id(0)] = tree[BLOCK - 1];
        tree[BLOCK - 1] = 0;
    }
    for (int d = 1; d < BLOCK; d <<= 1) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) {
            int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
            uint x = tree[low];
            tree[low] = tree[high];
            tree[high] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[base + 2 * t] = tree[2 * t] + first;
    data[base + 2 * t + 1] = tree[2 * t + 1] + second;
}

__kernel void scan_add(__global uint *data, __global const uint *sums)
{
    int group = get_group_id(0);
    if (group == 0)
        return;
    uint before = sums[group - 1];
    int i = group * BLOCK + get_local_id(0);
    data[i] += before;
    data[i + GROUP] += before;
}
