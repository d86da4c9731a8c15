struct padded {
    char c;
    int n;
    short s;
};

//: test padding
//: global 8
//: local 8
//: arg out char[96] = 0
kernel void padding(global struct padded *out) {
    struct padded p, q;
    int i = get_global_id(0);
    p.c = (char)i;
    p.n = i;
    p.s = (short)i;
    q = p;
    out[i] = q;
}

//: test padding_in_memory
//: global 8
//: local 8
//: arg out char[96] = 0
kernel void padding_in_memory(global struct padded *out) {
    local struct padded t[8];
    struct padded list[2];
    int i = get_local_id(0);
    for (int j = 0; j < 2; j++) {
        list[j].c = 1;
        list[j].n = 2;
        list[j].s = 3;
    }
    t[i] = list[i & 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[7 - i];
}

//: test fields_of_bits
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void fields_of_bits(global int *out) {
    uint s;
    int i = get_global_id(0);
    s = (s & ~7u) | (i & 7);
    s = (s & ~(31u << 3)) | ((2 * i) << 3 & 31u << 3);
    if ((s & 7) == 2) out[i] = s >> 3 & 31;
    out[i] += s << 24 >> 24;
}

//: test masked_bits
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void masked_bits(global int *out) {
    local uchar bytes[32];
    int i = get_local_id(0);
    bytes[4 * i] = i;
    uint word = ((local uint *)bytes)[i];
    if ((word & 0xff) > 3) out[i] = (word << 24) >> 24;
    if ((word | 0xffffff00u) == 0xffffff05u) out[i] = 7;
}

//: test selected
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void selected(global int *out) {
    int i = get_global_id(0), value;
    if (i > 3) value = i;
    out[i] = i > 3 ? value : 0;
    out[i] += select(1, value, i > 3);
}

//: test three_components
//: global 8
//: local 8
//: arg in float[24] = i
//: arg out float[32] = 0
kernel void three_components(global const float *in, global float3 *out) {
    int i = get_global_id(0);
    float3 v = vload3(i, in), list[2];
    list[0] = v;
    list[1] = v + 1;
    local float3 t[8];
    t[i] = list[i & 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[7 - i];
    if (dot(v, v) > 100) out[i].x = 1;
}

//: test and_then
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void and_then(global int *out) {
    int i = get_global_id(0), limit;
    bool known = i & 1;
    if (known) limit = 4;
    if (known && limit > i) out[i] = 1;
    if (!known || i > limit) out[i] += 2;
}

//: test both_sides
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void both_sides(global int *out) {
    int i = get_global_id(0), a;
    if (i & 1)
        a = 3;
    else
        a = 4;
    int b;
    for (int j = 0; j < 3; j++) {
        if (j == 0) b = i;
        b += j;
    }
    out[a + b & 7] = 1;
}

//: test only_what_is_there
//: global 50
//: local 25
//: arg in int[50] = i
//: arg out int[50] = 0
//: arg n int 40
kernel void only_what_is_there(global const int *in, global int *out, int n) {
    local int t[32];
    int i = get_global_id(0), l = get_local_id(0), count = min(25, n - (int)get_group_id(0) * 25);
    if (i < n) t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int j = 0; j < count; j++) sum += t[j];
    if (i < n) out[i] = sum;
}

//: test cleared_bins
//: global 64
//: local 64
//: arg in int[64] = i
//: arg out int[4] = 0
kernel void cleared_bins(global const int *in, global int *out) {
    local int bins[4];
    int i = get_local_id(0);
    if (i < 4) atomic_xchg(&bins[i], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int old = atomic_inc(&bins[in[i] & 3]);
    if (old > 100) out[0] = old;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4) out[i] = bins[i];
}

//: test halo
//: global 64
//: local 32
//: arg in float[64] = i
//: arg out float[64] = 0
kernel void halo(global const float *in, global float *out) {
    local float t[34];
    int i = get_global_id(0), l = get_local_id(0), n = get_global_size(0);
    t[l + 1] = in[i];
    if (l == 0) t[0] = i ? in[i - 1] : 0;
    if (l == 31) t[33] = i + 1 < n ? in[i + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (t[l] + t[l + 1] + t[l + 2]) / 3;
}

//: test copied_by_the_group
//: global 32
//: local 32
//: arg in int[64] = i
//: arg out int[32] = 0
kernel void copied_by_the_group(global const int *in, global int *out) {
    local int t[64];
    event_t e = async_work_group_copy(t, in, 64, 0);
    wait_group_events(1, &e);
    int i = get_local_id(0);
    out[t[63 - i] & 31] = t[i];
}

union word {
    float f;
    uchar4 b;
};

//: test one_as_the_other
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void one_as_the_other(global int *out) {
    union word w;
    int i = get_global_id(0);
    w.f = i;
    if (w.b.w & 1) out[i] = w.b.z;
}

//: test never_looked_at
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void never_looked_at(global int *out) {
    int list[8], i = get_global_id(0);
    local int t[16];
    list[i & 3] = i;
    t[i] = list[i & 3] + list[(i + 1) & 3];
    out[i] = list[i & 3];
}

// One register: an id at first, then what is loaded.
//: test id_then_loaded
//: global 64
//: local 64
//: arg out uint[64] = 0
//: arg rounds int 3
//: expect out = (i + 6) % 64 + 3
kernel void id_then_loaded(global uint *out, int rounds) {
    local uint part[64];
    uint own = get_local_id(0), v = get_global_id(0);
    for (int k = 0; k < rounds; k++) {
        part[own] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = part[(own + 2) % 64] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = v;
}
