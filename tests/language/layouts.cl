// Structures and unions that are packed, aligned and nested, in every address space: where their
// fields lie is the same everywhere, and assignment copies them from one space to another.
//: versions 1.0 1.1 1.2
typedef struct __attribute__((packed)) { char c; int i; short s; long l; char4 v; } tight;
typedef struct { char c; int3 v; short d; } loose;
typedef struct __attribute__((aligned(32))) { int a; } wide;
typedef struct { char c; tight t; wide w[2]; union { long l; uchar b[3]; } u; } mixture;
typedef union { mixture m; uint raw[48]; } viewed;

constant tight fixed[2] = {{1, 2, 3, 4, (char4)(5)}, {-1, -2, -3, -4, (char4)(6, 7, 8, 9)}};
constant mixture whole = {1, {2, 3, 4, 5, (char4)(6)}, {{7}, {8}}, {.b = {9, 10, 11}}};

//: test offsets
//: global 1
//: arg out int[20] = -1
//: expect out = {19, 1, 5, 7, 15, 48, 16, 32, 32, 32, 128, 1, 32, 96, 64, 192, 8, 16, 17, 3}
kernel void offsets(global int *out) {
    tight t;
    loose l;
    mixture m;
    int n = 0;
    out[n++] = sizeof(tight);
    out[n++] = (private char *)&t.i - &t.c;
    out[n++] = (private char *)&t.s - &t.c;
    out[n++] = (private char *)&t.l - &t.c;
    out[n++] = (private char *)&t.v - &t.c;
    out[n++] = sizeof(loose);
    out[n++] = (private char *)&l.v - &l.c;
    out[n++] = (private char *)&l.d - &l.c;
    out[n++] = sizeof(wide);
    out[n++] = (private char *)&m.w[1] - (private char *)&m.w[0];
    out[n++] = sizeof(mixture);
    out[n++] = (private char *)&m.t - &m.c;
    out[n++] = (private char *)&m.w - &m.c;
    out[n++] = (private char *)&m.u - &m.c;
    out[n++] = (private char *)&m.w[1] - &m.c;
    out[n++] = sizeof(viewed);
    struct { char c; long l; } s;
    out[n++] = (private char *)&s.l - &s.c;
    out[n++] = sizeof s;
    struct __attribute__((packed)) { char c[9]; long l; } p;
    out[n++] = sizeof p;
    struct { char c; struct { char d[2]; } e; } q;
    out[n++] = sizeof q;
}

int sum_global(global const tight *t) { return t->c + t->i + t->s + (int)t->l + t->v.w; }
int sum_local(local const tight *t) { return t->c + t->i + t->s + (int)t->l + t->v.w; }
int sum_constant(constant const tight *t) { return t->c + t->i + t->s + (int)t->l + t->v.w; }
int sum_private(private const tight *t) { return t->c + t->i + t->s + (int)t->l + t->v.w; }

//: test spaces
//: global 64
//: local 32
//: arg bytes uchar[1216] = 0
//: arg out int[256] = -1
//: expect out = i % 4 == 2 ? (i / 4 % 2 ? -1 : 15) : i / 4 * 5
kernel void spaces(global uchar *bytes, global int *out) {
    local tight shared[32];
    int i = get_global_id(0), l = get_local_id(0);
    global tight *mine = (global tight *)bytes + i;
    tight t = {0, i, i, (long)i << 40, (char4)(0)};
    t.l >>= 40;
    t.v = (char4)(1, 2, 3, i - (i & 64));
    t.c = i;
    *mine = t;
    shared[31 - l] = *mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    tight copy = shared[31 - l], other = fixed[i % 2];
    out[4 * i] = sum_global(mine);
    out[4 * i + 1] = sum_local(&shared[31 - l]);
    out[4 * i + 2] = i % 2 ? sum_constant(&fixed[1]) : sum_private(&other);
    out[4 * i + 3] = sum_private(&copy);
}

//: test nested
//: global 32
//: local 32
//: arg mem uint[1536] = 7
//: arg out int[320] = -1
//: expect out = i % 10 == 0 ? 1 : i % 10 == 1 ? i / 10 : i % 10 == 2 ? 4 : i % 10 == 3 ? 8 + i / 10 : i % 10 == 4 ? 10 : i % 10 == 5 ? 7 : i % 10 == 6 ? i / 10 + 100 : i % 10 == 7 ? i / 10 + 5 : i % 10 == 8 ? 6 : 11
kernel void nested(global viewed *mem, global int *out) {
    local mixture shared[32];
    int i = get_global_id(0), k = i & 1;
    mixture m = whole;
    m.t.i = i;
    m.w[1].a += i;
    mem[i].m = m;
    shared[i] = mem[i].m;
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[i].t.l += i;
    viewed v;
    v.m = shared[i];
    out += 10 * i;
    out[0] = mem[i].m.c;
    out[1] = shared[i].t.i;
    out[2] = shared[i ^ 1].t.s;
    out[3] = v.m.w[1].a;
    out[4] = ((local uchar *)&shared[i].u)[1];
    out[5] = mem[i].m.w[0].a;
    mem[i].m.w[k].a = i + 100;
    out[6] = mem[i].raw[8 + 8 * k];
    out[7] = (int)v.m.t.l;
    out[8] = v.m.t.v.y;
    out[9] = (int)(v.raw[24] >> 16 & 255);
}

// Fields that are vectors, arrays of structures in structures, indexed by the lane.
//: test indexed
//: global 32
//: arg out int[32] = -1
//: expect out = (i % 3) * 100 + (i % 4) * 10 + i % 2
typedef struct { struct { int4 v; int n[2]; } row[3]; } table;
kernel void indexed(global int *out) {
    int i = get_global_id(0);
    table t;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            ((private int *)&t.row[r].v)[c] = r * 100 + c * 10;
            t.row[r].n[c % 2] = c % 2;
        }
    table u = t;
    out[i] = ((private int *)&u.row[i % 3].v)[i % 4] + u.row[(i + 1) % 3].n[i % 2];
}
