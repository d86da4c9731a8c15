// Locks. How often one is asked for in vain hangs on the threads: what is counted is compared with one.
//: versions 1.0 1.1 1.2

//: test locked
//: global 64
//: local 32
//: arg state int[2] = 0
//: expect state = {0, 64}
kernel void locked(volatile global int *state) {
    bool done = false;
    while (!done) {
        if (atomic_cmpxchg(&state[0], 0, 1) == 0) {
            state[1]++;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&state[0], 0);
            done = true;
        }
    }
}
