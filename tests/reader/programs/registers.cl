// address_taken (&): constant indexes and whole uses leave an array in registers.
struct S { int a[4]; float4 v; struct { int x; } in; };
int use(int *p) { return *p; }
kernel void k(global int *o, int n, int param) {
    int whole[2] = {1, 2}, indexed[4], looped[4], passed[4], starred[2], beyond[2], grid[2][3], mixed[2][3], scalar, pointed, sum;
    struct S members, escaped, chosen[2], field, copy = members; float4 v, element;
    whole[0] = whole[1]; indexed[2 * 1 + 1] = 4; looped[n] = 1; sum = use(passed); *starred = 1; beyond[2] = 3;
    grid[1][2] = grid[0][0]; mixed[1][n] = 2; scalar++; use(&pointed); members.a[3] = members.in.x; members.v.xy = 1;
    escaped.a[n] = 1; chosen[1].a[2] = 3; use(&field.in.x); copy = members; v.x = v.y; element[n] = 1; param = *&n;
    o[0] = 3[indexed] + sizeof(looped);
}
