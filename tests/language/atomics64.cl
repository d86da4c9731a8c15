// The 64-bit atomics (9.7 of 1.0), contended, in global and local memory.
//: requires atomics64
//: versions 1.0 1.1 1.2
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

//: test contended
//: global 256
//: local 64
//: arg out ulong[12] = 0
//: expect out = {1099511627776, -256, 255, -255, 0, -1, 0, 64 * 5000000000, 256, 32640, 63, 1}
kernel void contended(volatile global ulong *out) {
    local volatile ulong n, m;
    volatile global long *s = (volatile global long *)out;
    int i = get_global_id(0);
    if (get_local_id(0) == 0) n = m = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&out[0], 1UL << 32);
    atom_dec(&out[1]);
    atom_max(&out[2], (ulong)i);
    atom_min(&s[3], -(long)i);
    atom_xor(&out[4], (ulong)i << 40);
    atom_or(&out[5], 0xfUL << i % 16 * 4);
    atom_and(&out[6], ~0UL << i % 64);
    atom_add(&n, 5000000000UL);
    atom_max(&m, (ulong)get_local_id(0));
    atom_inc(&out[8]);
    atom_sub(&s[9], -(long)i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) {
        out[7] = n;
        out[10] = m;
        out[11] = atom_cmpxchg(&n, 5000000000UL * 64, 1UL) == 5000000000UL * 64 && atom_xchg(&n, 2UL) == 1;
    }
}

//: test tickets
//: global 128
//: arg next long[1] = 0
//: arg out int[128] = -1
//: expect out = 1
//: expect next = 128
kernel void tickets(global long *next, global int *out) { out[atom_inc(next)] = 1; }
