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

//: test stored_vector
//: global 4
//: arg out short[24] = 0
kernel void stored_vector(global short *out) {
    int i = get_global_id(0);
    *(global short4 *)(out + 4 * i + 1) = (short4)(i);
}

//: test counter_in_bytes
//: fault not aligned
//: global 4
//: local 4
//: arg out int[4] = 0
kernel void counter_in_bytes(global int *out) {
    local uchar room[16];
    int l = get_local_id(0);
    for (int n = l; n < 16; n += 4) room[n] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc((volatile local int *)(room + 6));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = room[6];
}

//: test header_before_the_numbers
//: global 4
//: arg in char[64] = i
//: arg out float[4] = 0
kernel void header_before_the_numbers(global const char *in, global float *out) {
    int i = get_global_id(0);
    global const float2 *numbers = (global const float2 *)(in + 4);
    float2 both = numbers[i];
    out[i] = both.x + both.y;
}

//: test private_bytes
//: global 4
//: local 4
//: arg out int[4] = 0
kernel void private_bytes(global int *out) {
    char bytes[12];
    int i = get_global_id(0);
    for (int n = 0; n < 12; n++) bytes[n] = n * i;
    out[i] = *(int *)(bytes + 2 * i);
}

//: test stored_by_pointer
//: global 4
//: arg out char[64] = 0
kernel void stored_by_pointer(global char *out) {
    int i = get_global_id(0);
    vstore4((float4)(i), i, (global float *)(out + 1));
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
//= simtcl: <program source>:47:5: error: store of 8 bytes at an address that is not aligned [align]
//=    47 |     *(global short4 *)(out + 4 * i + 1) = (short4)(i);
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "stored_vector", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the address is 2 bytes past a multiple of 8
//=   4 times
//= simtcl: <program source>:60:5: error: atomic operation of 4 bytes at an address that is not aligned [align]
//=    60 |     atomic_inc((volatile local int *)(room + 6));
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "counter_in_bytes", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the address is 2 bytes past a multiple of 4
//=   4 times
//= simtcl: <program source>:72:19: error: load of 8 bytes at an address that is not aligned [align]
//=    72 |     float2 both = numbers[i];
//=       |                   ^~~~~~~~~~
//=   kernel "header_before_the_numbers", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the address is 4 bytes past a multiple of 8
//=   4 times
//= simtcl: <program source>:84:14: error: load of 4 bytes at an address that is not aligned [align]
//=    84 |     out[i] = *(int *)(bytes + 2 * i);
//=       |              ^~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "private_bytes", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//=   the address is 2 bytes past a multiple of 4
//=   2 times
//= simtcl: <program source>:92:5: error: store of 4 bytes at an address that is not aligned [align]
//=    92 |     vstore4((float4)(i), i, (global float *)(out + 1));
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "stored_by_pointer", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the address is 1 bytes past a multiple of 4
//=   16 times
