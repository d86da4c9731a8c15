/* Atomic operations of a warp on one place happen one after the other (guide 2.1.1). Their old values are used, so that
 * none is joined. Needs compute capability 1.1 for global memory, 1.2 for shared. */
//: model gtx280

//: test one
//: kernel count
//: global 32
//: local 32
//: arg old int[32] = 0
//: arg counters int[32] = 0
//: arg n int 1
//: expect counters = i < 1 ? 32 : 0
//: expect atom_global == 1
//: expect atom_global_lanes == 32
//: expect atom_global_conflict == 31

//: test four
//: kernel count
//: global 32
//: local 32
//: arg old int[32] = 0
//: arg counters int[32] = 0
//: arg n int 4
//: expect counters = i < 4 ? 8 : 0
//: expect atom_global_lanes == 32
//: expect atom_global_conflict == 28

//: test each_its_own
//: kernel count
//: global 32
//: local 32
//: arg old int[32] = 0
//: arg counters int[32] = 0
//: arg n int 32
//: expect counters = 1
//: expect old = 0
//: expect atom_global == 1
//: expect atom_global_conflict == 0
kernel void count(global int *old, global int *counters, int n) {
    int l = get_local_id(0);
    old[l] = atomic_inc(&counters[l % n]);
}

//: test shared_one
//: kernel count_shared
//: global 64
//: local 64
//: arg old int[64] = 0
//: arg n int 1
//: expect atom_global == 0
//: expect atom_shared == 2
//: expect atom_shared_lanes == 64
//: expect atom_shared_conflict == 62

//: test shared_eight
//: kernel count_shared
//: global 64
//: local 64
//: arg old int[64] = 0
//: arg n int 8
//: expect atom_shared == 2
//: expect atom_shared_conflict == 48
kernel void count_shared(global int *old, int n) {
    local int counters[64];
    int l = get_local_id(0);
    counters[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    old[l] = atomic_inc(&counters[l % n]);
}
