// What groups behind the first one do with their memory, which is set as a whole when each launch begins.

//: test the_last_group_stays_out
//: global 256
//: local 64
//: arg out int[256] = 0
//: arg n int 200
kernel void the_last_group_stays_out(global int *out, int n) {
    local int t[64];
    int i = get_local_id(0), at = get_global_id(0);
    if (at < n) t[i] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t[63 - i] > 3) out[at] = 1;
}

//: test as_the_data_say
//: global 128
//: local 64
//: arg in int[128] = i < 64 ? i : i & 7
//: arg out int[128] = 0
kernel void as_the_data_say(global const int *in, global int *out) {
    local int t[64];
    int i = get_local_id(0), at = get_global_id(0);
    t[in[at]] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t[i] > 3) out[at] = 1;
}

//: test all_of_them
//: global 256
//: local 64
//: arg out int[256] = 0
kernel void all_of_them(global int *out) {
    local int t[64];
    int i = get_local_id(0);
    if (i < 32) t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t[i] > 3) out[get_global_id(0)] = 1;
}

//: test one_iteration_more
//: global 128
//: local 64
//: arg out int[128] = 0
kernel void one_iteration_more(global int *out) {
    int list[8], sum = 0;
    int i = get_local_id(0), count = 4 + get_group_id(0);
    for (int n = 0; n < 4; n++) list[n] = n + i;
    for (int n = 0; n < count; n++)
        if (list[n] > 3) sum++;
    out[get_global_id(0)] = sum;
}

//: test none
//: global 256
//: local 64
//: repeat 2
//: arg in int[256] = i
//: arg out int[256] = 0
//: expect out = i ^ 63
kernel void none(global const int *in, global int *out) {
    local int t[64];
    int i = get_local_id(0), at = get_global_id(0);
    t[i] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t[63 - i] >= 0) out[at] = t[63 - i];
}

//: test sums_of_groups
//: global 256
//: local 64
//: arg in int[256] = 1
//: arg out int[4] = 0
//: expect out = 64
kernel void sums_of_groups(global const int *in, global int *out) {
    local int t[64];
    int i = get_local_id(0);
    t[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 32; n; n /= 2) {
        if (i < n) t[i] += t[i + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0 && t[0] > 0) out[get_group_id(0)] = t[0];
}
//= simtcl: <program source>:13:9: error: branch depends on what was never set [uninit]
//=    13 |     if (t[63 - i] > 3) out[at] = 1;
//=       |         ^~~~~~~~~~~~~
//=   kernel "the_last_group_stays_out", work-item global (192,0,0) local (0,0,0) of group (3,0,0)
//=   it comes from a load of 4 bytes at <program source>:13:9, work-item global (192,0,0) local (0,0,0) of group (3,0,0)
//=    13 |     if (t[63 - i] > 3) out[at] = 1;
//=       |         ^~~~~~~~~
//=   local variable `t`: byte 252
//=   56 times
//= simtcl: <program source>:26:9: error: branch depends on what was never set [uninit]
//=    26 |     if (t[i] > 3) out[at] = 1;
//=       |         ^~~~~~~~
//=   kernel "as_the_data_say", work-item global (72,0,0) local (8,0,0) of group (1,0,0)
//=   it comes from a load of 4 bytes at <program source>:26:9, work-item global (72,0,0) local (8,0,0) of group (1,0,0)
//=    26 |     if (t[i] > 3) out[at] = 1;
//=       |         ^~~~
//=   local variable `t`: byte 32
//=   56 times
//= simtcl: <program source>:38:9: error: branch depends on what was never set [uninit]
//=    38 |     if (t[i] > 3) out[get_global_id(0)] = 1;
//=       |         ^~~~~~~~
//=   kernel "all_of_them", work-item global (32,0,0) local (32,0,0) of group (0,0,0)
//=   it comes from a load of 4 bytes at <program source>:38:9, work-item global (32,0,0) local (32,0,0) of group (0,0,0)
//=    38 |     if (t[i] > 3) out[get_global_id(0)] = 1;
//=       |         ^~~~
//=   local variable `t`: byte 128
//=   128 times
//= simtcl: <program source>:50:13: error: branch depends on what was never set [uninit]
//=    50 |         if (list[n] > 3) sum++;
//=       |             ^~~~~~~~~~~
//=   kernel "one_iteration_more", work-item global (64,0,0) local (0,0,0) of group (1,0,0)
//=   it comes from a load of 4 bytes at <program source>:50:13, work-item global (64,0,0) local (0,0,0) of group (1,0,0)
//=    50 |         if (list[n] > 3) sum++;
//=       |             ^~~~~~~
//=   private variable `list`: byte 16
//=   64 times
