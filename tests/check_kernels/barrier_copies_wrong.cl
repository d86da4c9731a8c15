// Copies that the work-items of a group make together, made or waited for wrongly.

// The kernel ends without waiting.
//: test not_waited
//: global 64
//: local 64
//: arg in int[64] = i
kernel void not_waited(global const int *in) {
    local int t[64];
    async_work_group_copy(t, in, 64, 0);
}

// The tile is used before it is there; a barrier alone does not wait for copies.
//: test used_early
//: global 64
//: local 64
//: arg in int[64] = i
//: arg out int[64] = 0
kernel void used_early(global const int *in, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 64, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l];
    wait_group_events(1, &e);
}

// The source is overwritten while it is being read.
//: test source_changed
//: global 32
//: local 32
//: arg out int[32] = 0
kernel void source_changed(global int *out) {
    local int t[32];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, 32, 0);
    t[l] = 0;
    wait_group_events(1, &e);
}

// Of two copies one is waited for.
//: test one_of_two
//: global 64
//: local 64
//: arg a int[64] = i
//: arg b int[64] = i
//: arg out int[64] = 0
kernel void one_of_two(global const int *a, global const int *b, global int *out) {
    local int s[64], t[64];
    int l = get_local_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(s, a, 64, 0);
    e[1] = async_work_group_copy(t, b, 64, 0);
    wait_group_events(1, e);
    out[l] = s[l] + t[l];
    wait_group_events(1, e + 1);
}

// The event is none that a copy gave.
//: test no_event
//: global 32
//: local 32
//: arg out int[32] = 0
kernel void no_event(global int *out) {
    event_t e = 0;
    wait_group_events(1, &e);
    out[get_local_id(0)] = 1;
}

// One work-item copies for all.
//: test one_copies
//: global 32
//: local 32
//: arg in int[32] = i
//: arg out int[32] = 0
kernel void one_copies(global const int *in, global int *out) {
    local int t[32];
    int l = get_local_id(0);
    event_t e = 0;
    t[l] = 0;
    if (l == 0) e = async_work_group_copy(t, in, 32, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

// Each work-item asks for another number of elements.
//: test own_count
//: global 64
//: local 64
//: arg in int[64] = i
//: arg out int[64] = 0
kernel void own_count(global const int *in, global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(t, in, l + 1, 0);
    wait_group_events(1, &e);
    out[l] = t[l];
}

// Rows with a pitch: the next tile is written over the one that is still being stored.
//: test pitch
//: global 32
//: local 32
//: arg in int[64] = i
//: arg out int[128] = 0
kernel void pitch(global const int *in, global int *out) {
    local int t[32];
    int l = get_local_id(0);
    event_t e[2];
    for (int row = 0; row < 2; row++) {
        t[l] = in[row * 32 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        e[row] = async_work_group_strided_copy(out + row * 64, t, 32, 2, 0);
    }
    wait_group_events(2, e);
}

// Four copies by one call, of which the last one is waited for.
//: test last_only
//: global 32
//: local 32
//: arg in int[128] = i
//: arg out int[32] = 0
kernel void last_only(global const int *in, global int *out) {
    local int t[4][32];
    event_t e;
    int l = get_local_id(0);
    for (int row = 0; row < 4; row++) e = async_work_group_copy(t[row], in + row * 32, 32, 0);
    wait_group_events(1, &e);
    out[l] = t[3][l] + t[0][l];
}
//= simtcl: <program source>:10:5: error: async copy of 256 bytes that nothing waits for [barrier]
//=    10 |     async_work_group_copy(t, in, 64, 0);
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "not_waited", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//= simtcl: <program source>:24:14: error: load of 4 bytes of what is being copied, before wait_group_events [barrier]
//=    24 |     out[l] = t[63 - l];
//=       |              ^~~~~~~~~
//=   kernel "used_early", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the copy at <program source>:22:17, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=    22 |     event_t e = async_work_group_copy(t, in, 64, 0);
//=       |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   2 times
//= simtcl: <program source>:39:5: error: store of 4 bytes of what is being copied, before wait_group_events [barrier]
//=    39 |     t[l] = 0;
//=       |     ^~~~
//=   kernel "source_changed", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the copy at <program source>:38:17, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=    38 |     event_t e = async_work_group_copy(out, t, 32, 0);
//=       |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//= simtcl: <program source>:57:21: error: load of 4 bytes of what is being copied, before wait_group_events [barrier]
//=    57 |     out[l] = s[l] + t[l];
//=       |                     ^~~~
//=   kernel "one_of_two", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the copy at <program source>:55:12, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=    55 |     e[1] = async_work_group_copy(t, b, 64, 0);
//=       |            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   2 times
//= simtcl: <program source>:68:5: error: wait for an event that no copy has given [barrier]
//=    68 |     wait_group_events(1, &e);
//=       |     ^~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "no_event", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//= simtcl: <program source>:83:21: error: async copy that the work-items of the group do not all make alike [barrier]
//=    83 |     if (l == 0) e = async_work_group_copy(t, in, 32, 0);
//=       |                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "one_copies", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   local (1,0,0) is not there
//= simtcl: <program source>:83:21: error: async copy of 128 bytes that nothing waits for [barrier]
//=    83 |     if (l == 0) e = async_work_group_copy(t, in, 32, 0);
//=       |                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "one_copies", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//= simtcl: <program source>:85:14: error: load of 4 bytes of what is being copied, before wait_group_events [barrier]
//=    85 |     out[l] = t[l];
//=       |              ^~~~
//=   kernel "one_copies", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the copy at <program source>:83:21, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=    83 |     if (l == 0) e = async_work_group_copy(t, in, 32, 0);
//=       |                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//= simtcl: <program source>:99:17: error: async copy that the work-items of the group do not all make alike [barrier]
//=    99 |     event_t e = async_work_group_copy(t, in, l + 1, 0);
//=       |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "own_count", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   local (1,0,0) gives other arguments
//= simtcl: <program source>:115:9: error: store of 4 bytes of what is being copied, before wait_group_events [barrier]
//=   115 |         t[l] = in[row * 32 + l];
//=       |         ^~~~
//=   kernel "pitch", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the copy at <program source>:117:18, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   117 |         e[row] = async_work_group_strided_copy(out + row * 64, t, 32, 2, 0);
//=       |                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//= simtcl: <program source>:132:43: error: async copy of 128 bytes that nothing waits for [barrier]
//=   132 |     for (int row = 0; row < 4; row++) e = async_work_group_copy(t[row], in + row * 32, 32, 0);
//=       |                                           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//=   kernel "last_only", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   3 times
//= simtcl: <program source>:134:24: error: load of 4 bytes of what is being copied, before wait_group_events [barrier]
//=   134 |     out[l] = t[3][l] + t[0][l];
//=       |                        ^~~~~~~
//=   kernel "last_only", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   the copy at <program source>:132:43, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   132 |     for (int row = 0; row < 4; row++) e = async_work_group_copy(t[row], in + row * 32, 32, 0);
//=       |                                           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
