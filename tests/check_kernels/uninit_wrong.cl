//: test beyond_the_tile
//: global 64
//: local 64
//: arg out int[64] = 0
kernel void beyond_the_tile(global int *out) {
    local int t[65];
    int i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t[i + 1] > 3) out[i] = 1;
}

//: test no_other_case
//: global 8
//: local 8
//: arg out int[8] = 0
//: arg n int 4
kernel void no_other_case(global int *out, int n) {
    int i = get_global_id(0);
    int where;
    if (i < n) where = i;
    out[where] = i;
}

//: test part_of_the_sum
//: global 64
//: local 64
//: arg out int[64] = 0
kernel void part_of_the_sum(global int *out) {
    local int t[64];
    int i = get_local_id(0);
    if (i < 60) t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int j = 0; j < 64; j++) sum += t[j];
    out[i] = sum;
}

//: test divisor
//: global 8
//: local 8
//: arg in int[8] = i
//: arg out int[8] = 0
kernel void divisor(global const int *in, global int *out) {
    int i = get_global_id(0), by;
    switch (in[i] & 3) {
    case 0: by = 1; break;
    case 1: by = 2; break;
    case 2: by = 3; break;
    }
    out[i] = 100 / by;
}

//: test printed
//: output 0
//: global 4
//: local 4
//: arg out int[4] = 0
kernel void printed(global int *out) {
    float values[4];
    int i = get_global_id(0);
    for (int j = 0; j < i; j++) values[j] = j;
    if (i == 2) printf("%.0f\n", values[i]);
    out[i] = i;
}

//: test histogram
//: global 64
//: local 64
//: arg in int[64] = i
//: arg out int[4] = 0
kernel void histogram(global const int *in, global int *out) {
    local int bins[4];
    int i = get_local_id(0);
    atomic_inc(&bins[in[i] & 3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4) out[i] = bins[i];
}

struct particle {
    char kind;
    float4 place;
    float mass;
};

//: test one_member
//: global 4
//: local 4
//: arg out float[4] = 0
void make(struct particle *p, int i) {
    p->kind = (char)i;
    p->place = (float4)(i);
}
kernel void one_member(global float *out) {
    struct particle p;
    make(&p, get_global_id(0));
    out[get_global_id(0)] = p.mass > 1 ? 1 : p.place.x;
}

//: test loop_end
//: global 4
//: local 4
//: arg out int[4] = 0
int first(const int *list, int n) {
    int found;
    for (int i = 0; i < n; i++)
        if (list[i] > 2) found = i;
    return found;
}
kernel void loop_end(global int *out) {
    int list[4] = {1, 2, 3, 4}, i = get_global_id(0);
    for (int j = 0; j < first(list, i); j++) out[i]++;
}

//: test third_component
//: global 4
//: local 4
//: arg in float[12] = i
//: arg out float[4] = 0
kernel void third_component(global const float *in, global float *out) {
    int i = get_global_id(0);
    float3 v;
    v.xy = vload2(0, in + 3 * i);
    out[i] = dot(v, v);
}

//: test while_it_lasts
//: global 4
//: local 4
//: arg out int[4] = 0
kernel void while_it_lasts(global int *out) {
    int i = get_global_id(0), left;
    if (i) left = i;
    while (left > 0) {
        out[i] += left;
        left--;
    }
}

//: test bits_of_a_word
//: global 4
//: local 4
//: arg out int[4] = 0
kernel void bits_of_a_word(global int *out) {
    uchar s[4];
    int i = get_global_id(0);
    for (int j = 0; j < 3; j++) s[j] = i;
    uint word = *(uint *)s;
    if (word & 0xffff) out[i] = 1;
    if (word >> 28) out[i] = 2;
}

//: test dynamic_tile
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg t local 132
kernel void dynamic_tile(global int *out, local int *t) {
    int i = get_local_id(0);
    t[i + 1] = i;
    out[t[i] & 31] = 1;
}
//= simtcl: <program source>:10:9: error: branch depends on what was never set [uninit]
//=    10 |     if (t[i + 1] > 3) out[i] = 1;
//=       |         ^~~~~~~~~~~~
//=   kernel "beyond_the_tile", work-item global (63,0,0) local (63,0,0) of group (0,0,0)
//=   it comes from a load of 4 bytes at <program source>:10:9, work-item global (63,0,0) local (63,0,0) of group (0,0,0)
//=    10 |     if (t[i + 1] > 3) out[i] = 1;
//=       |         ^~~~~~~~
//=   local variable `t`: byte 256
//= simtcl: <program source>:22:5: error: store of 4 bytes at a place that depends on what was never set [uninit]
//=    22 |     out[where] = i;
//=       |     ^~~~~~~~~~
//=   kernel "no_other_case", work-item global (4,0,0) local (4,0,0) of group (0,0,0)
//=   it comes from a variable at <program source>:20, work-item global (4,0,0) local (4,0,0) of group (0,0,0)
//=    20 |     int where;
//=   4 times
//= simtcl: <program source>:36:5: error: store of 4 bytes of what was never set, which the host reads [uninit]
//=    36 |     out[i] = sum;
//=       |     ^~~~~~
//=   kernel "part_of_the_sum", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a load of 4 bytes at <program source>:35:41, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=    35 |     for (int j = 0; j < 64; j++) sum += t[j];
//=       |                                         ^~~~
//=   local variable `t`: byte 252
//=   64 times
//= simtcl: <program source>:51:14: error: division by what was never set [uninit]
//=    51 |     out[i] = 100 / by;
//=       |              ^
//=   kernel "divisor", work-item global (3,0,0) local (3,0,0) of group (0,0,0)
//=   it comes from a variable at <program source>:45, work-item global (3,0,0) local (3,0,0) of group (0,0,0)
//=    45 |     int i = get_global_id(0), by;
//=   2 times
//= simtcl: <program source>:63: error: printf of what was never set [uninit]
//=    63 |     if (i == 2) printf("%.0f\n", values[i]);
//=   kernel "printed", work-item global (2,0,0) local (2,0,0) of group (0,0,0)
//=   it comes from a load of 4 bytes at <program source>:63:34, work-item global (2,0,0) local (2,0,0) of group (0,0,0)
//=    63 |     if (i == 2) printf("%.0f\n", values[i]);
//=       |                                  ^~~~~~~~~
//=   private variable `values`: byte 8
//= simtcl: <program source>:77:16: error: store of 4 bytes of what was never set, which the host reads [uninit]
//=    77 |     if (i < 4) out[i] = bins[i];
//=       |                ^~~~~~
//=   kernel "histogram", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a load of 4 bytes at <program source>:77:25, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=    77 |     if (i < 4) out[i] = bins[i];
//=       |                         ^~~~~~~
//=   local variable `bins`: byte 0
//=   4 times
//= simtcl: <program source>:97:29: error: branch depends on what was never set [uninit]
//=    97 |     out[get_global_id(0)] = p.mass > 1 ? 1 : p.place.x;
//=       |                             ^~~~~~~~~~
//=   kernel "one_member", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a variable at <program source>:95, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=    95 |     struct particle p;
//=   4 times
//= simtcl: <program source>:112:21: error: branch depends on what was never set [uninit]
//=   112 |     for (int j = 0; j < first(list, i); j++) out[i]++;
//=       |                     ^~~~~~~~~~~~~~~~~~
//=   kernel "loop_end", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a variable at <program source>:105, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   105 |     int found;
//=   3 times
//= simtcl: <program source>:124:5: error: store of 4 bytes of what was never set, which the host reads [uninit]
//=   124 |     out[i] = dot(v, v);
//=       |     ^~~~~~
//=   kernel "third_component", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a variable at <program source>:122, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   122 |     float3 v;
//=   4 times
//= simtcl: <program source>:134:12: error: branch depends on what was never set [uninit]
//=   134 |     while (left > 0) {
//=       |            ^~~~~~~~
//=   kernel "while_it_lasts", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a variable at <program source>:132, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   132 |     int i = get_global_id(0), left;
//= simtcl: <program source>:150:9: error: branch depends on what was never set [uninit]
//=   150 |     if (word >> 28) out[i] = 2;
//=       |         ^~~~~~~~~~
//=   kernel "bits_of_a_word", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a load of 4 bytes at <program source>:148:17, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   148 |     uint word = *(uint *)s;
//=       |                 ^~~~~~~~~~
//=   private variable `s`: byte 0
//=   4 times
//= simtcl: <program source>:161:5: error: store of 4 bytes at a place that depends on what was never set [uninit]
//=   161 |     out[t[i] & 31] = 1;
//=       |     ^~~~~~~~~~~~~~
//=   kernel "dynamic_tile", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   it comes from a load of 4 bytes at <program source>:161:9, work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//=   161 |     out[t[i] & 31] = 1;
//=       |         ^~~~
//=   132 bytes of local memory, argument `t`: byte 0
