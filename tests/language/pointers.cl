// Pointers (6.5): to pointers in private memory, differing from lane to lane, into parts of objects;
// arithmetic and comparison in each address space.
//: versions 1.0 1.1 1.2
typedef struct node { int value; private struct node *next; } node;
typedef struct { global int *g; local int *l; constant int *c; private int *p; } four;
constant int numbers[4] = {1, 2, 3, 4};

//: test lanes_apart
//: global 64
//: arg out int[64] = -1
//: expect out = i % 3 == 0 ? 10 + i : i % 3 == 1 ? 200 + i : 3000 + i
kernel void lanes_apart(global int *out) {
    int i = get_global_id(0), a = 10, b = 200, c = 3000;
    private int *p[3] = {&a, &b, &c};
    private int **q = p + i % 3, ***r = &q;
    **q += i;
    out[i] = ***r;
    *r = &p[0];
    if (*q != &a || *p[(i + 1) % 3] != (i % 3 == 0 ? 200 : i % 3 == 1 ? 3000 : 10 + 0 * i)) out[i] = -2;
}

//: test swapped
//: global 32
//: arg out int[64] = -1
//: expect out = i % 2 == 0 ? (i / 2 % 4 < 2 ? 7 : 5) : 12
void swap(private int **a, private int **b) {
    private int *t = *a;
    *a = *b;
    *b = t;
}
kernel void swapped(global int *out) {
    int i = get_global_id(0), x = 5, y = 7;
    private int *p = &x, *q = &y;
    if (i % 4 < 2) swap(&p, &q);
    out[2 * i] = *p;
    out[2 * i + 1] = *p + *q;
}

//: test linked
//: global 32
//: arg out int[32] = -1
//: expect out = (i % 8 + 1) * (i % 8) / 2 + 100
kernel void linked(global int *out) {
    node n[8], *head = 0;
    int i = get_global_id(0), sum = 100;
    for (int k = 0; k <= i % 8; k++) {
        n[k].value = k;
        n[k].next = head;
        head = &n[k];
    }
    for (private node *p = head; p; p = p->next) sum += p->value;
    out[i] = sum;
}

//: test in_structures
//: global 32
//: local 32
//: arg out int[32] = -1
//: expect out = i + 31 - i + 3 + 40
void add(private four *f, global int *out) { *out = *f->g + f->l[0] + f->c[2] + *f->p; }
kernel void in_structures(global int *out) {
    local int shared[32];
    int i = get_local_id(0), forty = 40;
    four f, g;
    out[i] = i;
    shared[i] = 31 - i;
    f.g = out + i;
    f.l = &shared[i];
    f.c = numbers;
    f.p = &forty;
    g = f;
    add(&g, out + i);
}

#define ARITHMETIC(space, base, limit)                                       \
    {                                                                       \
        space int *p = base, *end = p + limit, *q = end;                    \
        wrong += p > q || p >= q || q <= p || q < p || p == q || !(p != q); \
        wrong += q - p != limit || p - q != -limit || &p[2] != p + 2 || &q[-limit] != p; \
        wrong += (space char *)(p + 3) - (space char *)p != 12;             \
        p++;                                                                \
        ++p;                                                                \
        p += 2;                                                             \
        wrong += p - q != 4 - limit || *(p - 4) != base[0] || p[-1] != base[3]; \
        wrong += *p-- != base[limit > 4 ? 4 : 3] && limit > 4;              \
        --p;                                                                \
        p -= 2;                                                             \
        wrong += p != base || *p++ != base[0] || *p != base[1];             \
        space const int *readable = p;                                      \
        space void *nothing = p;                                            \
        wrong += *readable != *(space int *)nothing || !p || (p && 0);      \
        p = 0;                                                              \
        wrong += p != NULL || p ? 1 : 0;                                    \
        uintptr_t bits = (uintptr_t)q;                                      \
        wrong += (space int *)bits != q || (intptr_t)(q + 1) - (intptr_t)q != 4 || sizeof q != sizeof(size_t); \
    }
//: test arithmetic
//: global 40
//: local 20
//: arg io int[8] = i + 5
//: arg out int[40] = -1
//: expect out = 0
kernel void arithmetic(global int *io, global int *out) {
    local int shared[8];
    int mine[8], wrong = 0, i = get_global_id(0);
    if (get_local_id(0) < 8) shared[get_local_id(0)] = get_local_id(0) * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) mine[k] = k * k + i;
    ARITHMETIC(global, io, 8)
    ARITHMETIC(local, shared, 8)
    ARITHMETIC(private, mine, 8)
    constant int *c = numbers, *e = c + 4;
    wrong += e - c != 4 || c >= e || c[1] != 2 || *--e != 4 || *(c + 2) != 3 || !(c < e);
    out[i] = wrong;
}

//: test rows
//: global 12
//: arg out int[12] = -1
//: expect out = (i / 4) * 10 + i % 4
int at(private int (*m)[4], int r, int c) { return m[r][c]; }
kernel void rows(global int *out) {
    int m[3][4], i = get_global_id(0);
    private int(*row)[4] = m;
    for (int r = 0; r < 3; r++, row++)
        for (int c = 0; c < 4; c++) (*row)[c] = 10 * r + c;
    out[i] = at(m, i / 4, i % 4);
}

// A parameter is an array written with brackets, a local array of two dimensions.
//: test brackets
//: global 16
//: local 16
//: arg in int[16] = i
//: arg out int[16] = -1
//: expect out = i % 4 * 4 + i / 4
int pick(global const int in[], int i) { return in[i]; }
int turned(local int m[4][4], int i) { return m[i % 4][i / 4]; }
kernel void brackets(global const int in[16], global int out[]) {
    local int m[4][4];
    int i = get_global_id(0);
    m[i / 4][i % 4] = pick(in, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = turned(m, i);
}
