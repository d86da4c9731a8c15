/* double data = shared[tid]: two requests, each with 2-way conflicts (guide 3.1.2.5). */
//: model gtx280
//: requires doubles

//: test doubles
//: global 32
//: local 32
//: arg out double[32] = 0
//: expect out = 31 - i
//: expect shared_store == 1
//: expect shared_load == 1
//: expect shared_access == 8
//: expect shared_passes == 16
//: expect shared_replay == 8
//: expect shared_conflict == 2
//: expect warp_serialize == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void doubles(global double *out) {
    local double t[32];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l];
}
