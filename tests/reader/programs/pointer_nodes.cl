typedef struct node { global struct node *next; int value; } node;
constant float weights[3] = {1, 2, 3};
int sum(global const int *restrict p, local int tile[4][8], constant float *w, int private_array[2]) {
    return p[0] + tile[1][2] + (int)w[1] + *private_array + (tile + 1)[0][3] + **tile;
}
float pick(int i, local float *a, local float b[2]) { return (i ? a : b)[0] + *(b + i) + (b - i)[1] + (b - a); }
kernel void k(global int *a, volatile global uint *counter, local int *scratch, local float floats[16], global node *list, constant float4 *c) {
    local int tile[4][8]; local float more[16]; int mine[2] = {1, 2}; private float *fp = 0; constant float *w = weights + 1;
    tile[get_local_id(0)][1] = a[get_global_id(0)]; scratch[0] = *(a + 3); a[1] = sum(a, tile, weights, mine);
    global char *bytes = (global char *)a; bytes[5] = 'x'; a = (global int *)bytes; uint address = (uint)a; a = (global int *)(address + 4);
    long wide = (long)a; a = (global int *)wide; atomic_inc(counter); atomic_add((volatile global int *)a, 2); list->next->value = (*list).value;
    global node *n = list->next ? list->next : 0; if (n == NULL) n = list; int *p = &mine[1], **pp = &p; **pp = 3; p[-1] = 2; int (*row)[8] = 0;
    floats[0] = pick(1, floats, more) + vload4(0, floats).x + c[1].y; barrier(CLK_LOCAL_MEM_FENCE); const int fixed = a[2]; volatile int often = fixed; often++;
}
