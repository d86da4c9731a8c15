// Loops that wait for another work-item, in kernels named so, and loops that do not, though they look at what others
// store: engine_spin says which is which.
kernel void row_of_a_warp(uint n, global const float *val, global const int *col, global const int *row, global const float *x, global float *y) {
    volatile local float sums[160];
    volatile local int ptrs[4][2];
    uint lane = get_local_id(0) & 31, warp = get_local_id(0) >> 5;
    uint step = get_global_size(0) >> 5;
    for (uint r = get_global_id(0) >> 5; r < n; r += step) {
        if (lane < 2) ptrs[warp][lane] = row[r + lane];
        int b = ptrs[warp][0], e = ptrs[warp][1];
        float s = 0;
        for (int j = b + lane; j < e; j += 32) s += val[j] * x[col[j]];
        uint t = get_local_id(0);
        sums[t] = s;
        sums[t] = s = s + sums[t + 16];
        sums[t] = s = s + sums[t + 8];
        sums[t] = s = s + sums[t + 4];
        sums[t] = s = s + sums[t + 2];
        sums[t] = s = s + sums[t + 1];
        if (lane == 0) y[r] = sums[t];
    }
}
kernel void row_and_tree(global const float *val, global const float *vec, global const int *cols, global const int *rows, const int dim, global float *out, local volatile float *partial) {
    int t = get_local_id(0);
    int id = t & 31;
    int wpb = get_local_size(0) / 32;
    int my = get_group_id(0) * wpb + t / 32;
    float sum = 0;
    if (my < dim) {
        int vs = rows[my], ve = rows[my + 1];
        float m = 0;
        for (int j = vs + id; j < ve; j += 32) m += val[j] * vec[cols[j]];
        partial[t] = m;
        barrier(CLK_LOCAL_MEM_FENCE);
        int bar = 16;
        while (bar > 0) {
            if (id < bar) partial[t] += partial[t + bar];
            barrier(CLK_LOCAL_MEM_FENCE);
            bar = bar / 2;
        }
    }
    if (id == 0) out[my] = partial[t];
}
kernel void add_float(global volatile float *p, global const float *v, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        union { uint u; float f; } o, w;
        do { o.f = *p; w.f = o.f + v[i]; } while (atomic_cmpxchg((global volatile uint *)p, o.u, w.u) != o.u);
    }
}
kernel void add_float_again(global float *p, global const float *v, global const int *at) {
    int i = get_global_id(0);
    global volatile int *a = (global volatile int *)&p[at[i]];
    int old = *a, assumed;
    do { assumed = old; old = atomic_cmpxchg(a, assumed, as_int(as_float(assumed) + v[i])); } while (assumed != old);
}
kernel void add_float_by_break(global float *p, global const float *v, global const int *at) {
    int i = get_global_id(0);
    int prev, next; global volatile int *a = (global volatile int *)(p + at[i]);
    prev = *a;
    while (true) {
        next = as_int(as_float(prev) + v[i]);
        int got = atomic_cmpxchg(a, prev, next);
        if (got == prev) break;
        prev = got;
    }
}
kernel void greatest(global volatile int *p, global const int *v) {
    int x = v[get_global_id(0)], old = *p;
    while (x > old) { int got = atomic_cmpxchg(p, old, x); if (got == old) break; old = got; }
}
kernel void queue(global int *head, global const int *work, global int *out, int n) {
    int i;
    while ((i = atomic_inc(head)) < n) out[i] = work[i] * 2;
}
kernel void queue_group(global int *head, global const int *work, global int *out, int n) {
    local int i;
    for (;;) {
        if (get_local_id(0) == 0) i = atomic_add(head, get_local_size(0));
        barrier(CLK_LOCAL_MEM_FENCE);
        int m = i + get_local_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (m - get_local_id(0) >= n) break;
        if (m < n) out[m] = work[m] * 2;
    }
}
kernel void bfs(global const int *first, global const int *edges, global int *level, global int *frontier, global int *next, global int *count, int n, int cur) {
    int t = get_global_id(0);
    if (t < n) {
        int v = frontier[t];
        for (int e = first[v]; e < first[v + 1]; e++) {
            int w = edges[e];
            if (atomic_cmpxchg(&level[w], -1, cur) == -1) next[atomic_inc(count)] = w;
        }
    }
}
kernel void list(volatile global int *next, global const int *start, global int *out) {
    int i = get_global_id(0), n = 0, at = start[i];
    while (at != -1) { at = next[at]; n++; }
    out[i] = n;
}
kernel void root(volatile global int *parent, global int *out) {
    int i = get_global_id(0), p, x = i;
    while ((p = parent[x]) != x) x = p;
    out[i] = x;
}
kernel void hash(global int *keys, global const int *in, int cap) {
    int key = in[get_global_id(0)];
    for (int i = 0; i < cap; i++) {
        int old = atomic_cmpxchg(&keys[(key + i) & (cap - 1)], 0, key);
        if (old == 0 || old == key) return;
    }
}
kernel void converge(global float *a, int n) {
    volatile local int changed;
    int t = get_local_id(0);
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (a[t] > 1) { a[t] *= 0.5f; changed = 1; }
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (changed);
}
kernel void skips(volatile global int *s, global int *o, int n) {
    for (int i = get_global_id(0); i < n; i += 7) { int x = s[3]; if (x == 3) continue; o[i] = x; if (s[4]) continue; o[i] += s[5]; }
}
kernel void waits_lock(volatile global int *s) { while (atomic_cmpxchg(s, 0, 1) != 0); s[1]++; atomic_xchg(s, 0); }
kernel void waits_tries(volatile global int *s) { for (int t = 0; t < 1000; t++) if (*s) { s[1] = t; break; } }
kernel void waits_order(volatile global int *s, global int *o) { while (*s != get_group_id(0)); o[0]++; *s = get_group_id(0) + 1; }
kernel void waits_bit(volatile global int *s) { int o; do { o = *s & ~1; } while (atomic_cmpxchg(s, o, o | 1) != o); }
kernel void waits_count(volatile global int *s) { while (atomic_inc(s) > 0) atomic_dec(s); s[1]++; atomic_dec(s); }
kernel void waits_semaphore(global int *head, global int *o) { while (atomic_dec(head) <= 0) atomic_inc(head); o[0]++; atomic_inc(head); }
kernel void waits_all(volatile global int *f, int n) { int all; do { all = 1; for (int g = 0; g < n; g++) all &= f[g]; } while (!all); }
kernel void waits_any(volatile global int *f, int n, global int *o) { int g = 0; while (!f[g]) g = (g + 1) % n; o[0] = g; }
kernel void waits_prev(volatile global int *f, global int *sum) {
    int i = get_global_id(0) - 1, s = 0;
    while (i >= 0) { int x; do { x = f[i]; } while (x == 0); if (x == 2) { s += sum[i]; break; } s += sum[i]; i--; }
    sum[i] = s;
}
kernel void waits_back(volatile global int *f, global int *sum) {
    int i = get_global_id(0) - 1, s = 0;
    while (i >= 0) { int x = f[i]; if (x == 0) continue; s += x >> 2; if (x & 1) break; i--; }
    sum[get_global_id(0)] = s;
}
kernel void waits_pending(global int *head, volatile global int *pending, global int *out) {
    while (*pending > 0) { int i = atomic_inc(head); if (i < 10) { out[i] = i; atomic_dec(pending); } }
}
kernel void waits_tail(volatile global int *q, global int *out) {
    int i = atomic_inc(&q[0]);
    while (i >= q[1]) { if (q[2] == 0) return; }
    out[i] = 1;
}
kernel void waits_grid2(volatile global int *b, int n) {
    local int x;
    if (get_local_id(0) == 0) atomic_inc(b);
    do {
        if (get_local_id(0) == 0) x = atomic_or(b, 0);
        barrier(CLK_GLOBAL_MEM_FENCE);
    } while (x < n);
}
kernel void waits_local(volatile local int *f, global int *o) { if (get_local_id(0) == 64) f[0] = 1; else while (!f[0]); o[get_local_id(0)] = 1; }
kernel void waits_flagbit(volatile global int *m, global int *o) { bool stay = true; while (stay) { if (!atomic_xchg(&m[0], 1)) { o[0]++; stay = false; atomic_xchg(&m[0], 0); } } }
kernel void waits_ticket(volatile global int *t, global int *o) { int mine = atomic_inc(&t[0]); while (atomic_add(&t[1], 0) != mine); o[0]++; atomic_inc(&t[1]); }
kernel void waits_group(global int *head, volatile global int *go, int n) {
    local int i;
    for (;;) {
        if (get_local_id(0) == 0) { if (*go) i = atomic_inc(head); }
        barrier(CLK_LOCAL_MEM_FENCE);
        int m = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (m >= n) break;
    }
}
kernel void waits_first_warp(global int *head, global const int *work, global int *out, int n) {
    volatile local int first;
    while (true) {
        if (get_local_id(0) == 0) first = atomic_add(head, 32);
        int r = first + (int)get_local_id(0);
        if (r >= n) return;
        out[r] = work[r] * 2;
    }
}
kernel void waits_round(volatile global int *f) { uchar g = 0; while (!f[g]) g++; f[g] = 0; }
