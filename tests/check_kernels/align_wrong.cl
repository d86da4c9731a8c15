//: test int_among_bytes
//: global 4
//: arg in char[20] = i
//: arg out int[4] = 0
kernel void int_among_bytes(global const char *in, global int *out) {
    int i = get_global_id(0);
    out[i] = *(global const int *)(in + i);
}

//: test vector_among_floats
//: global 4
//: arg in float[20] = i
//: arg out float[4] = 0
kernel void vector_among_floats(global const float *in, global float *out) {
    int i = get_global_id(0);
    out[i] = ((global const float4 *)(in + i))->y;
    float4 all = *(global const float4 *)(in + i);
    out[i] += all.x + all.y + all.z + all.w;
}

//: test halves_of_ints
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void halves_of_ints(global int *out) {
    local short room[24];
    int l = get_local_id(0);
    *(local int *)(room + 2 * l + 1) = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = room[2 * l + 1];
}

//: test loaded_by_pointer
//: global 4
//: arg in char[40] = i
//: arg out int[4] = 0
kernel void loaded_by_pointer(global const char *in, global int *out) {
    int i = get_global_id(0);
    out[i] = vload2(0, (global const int *)(in + 2)).x;
}
//= simtcl: <program source>:7:14: error: load of 4 bytes at an address that is not aligned [align]
//=     7 |     out[i] = *(global const int *)(in + i);
//=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "int_among_bytes", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//=   the address is 1 bytes past a multiple of 4
//=   3 times
//= simtcl: <program source>:17:18: error: load of 16 bytes at an address that is not aligned [align]
//=    17 |     float4 all = *(global const float4 *)(in + i);
//=       |                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "vector_among_floats", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//=   the address is 4 bytes past a multiple of 16
//=   3 times
//= simtcl: <program source>:28:5: error: store of 4 bytes at an address that is not aligned [align]
//=    28 |     *(local int *)(room + 2 * l + 1) = l;
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "halves_of_ints", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the address is 2 bytes past a multiple of 4
//=   8 times
//= simtcl: <program source>:39:14: error: load of 4 bytes at an address that is not aligned [align]
//=    39 |     out[i] = vload2(0, (global const int *)(in + 2)).x;
//=       |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "loaded_by_pointer", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the address is 2 bytes past a multiple of 4
//=   4 times
