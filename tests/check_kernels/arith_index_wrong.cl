// Indices that lead out of an array inside of a structure, and stay in it.

struct counters {
    int low[4];
    int high[4];
};

// The next member is hit.
//: test next_member
//: global 8
//: local 8
//: arg out int[8] = 0
kernel void next_member(global int *out) {
    struct counters c = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    int i = get_global_id(0);
    out[i] = c.low[i];
}

// The one before, by a pointer.
//: test member_before
//: global 4
//: local 4
//: arg c int[8] = 0
kernel void member_before(global struct counters *c) {
    int i = get_global_id(0);
    c->high[i - 1] = i;
}

// In local memory, in a function.
int sum(local struct counters *c, int n) {
    int s = 0;
    for (int i = 0; i <= n; i++) s += c->low[i];
    return s;
}
//: test one_more
//: global 1
//: local 1
//: arg out int[1] = 0
kernel void one_more(global int *out) {
    local struct counters c;
    for (int i = 0; i < 4; i++) c.low[i] = c.high[i] = i;
    out[0] = sum(&c, 4);
}
//= simtcl: <program source>:16:14: warning: index 4 outside the array that is a member of its structure [arith]
//=    16 |     out[i] = c.low[i];
//=       |              ^~~~~~~~
//=   kernel "next_member", work-item global (4,0,0) local (4,0,0) of group (0,0,0)
//=   4 times
//= simtcl: <program source>:26:5: warning: index -1 outside the array that is a member of its structure [arith]
//=    26 |     c->high[i - 1] = i;
//=       |     ^~~~~~~~~~~~~~
//=   kernel "member_before", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//= simtcl: <program source>:32:39: warning: index 4 outside the array that is a member of its structure [arith]
//=    32 |     for (int i = 0; i <= n; i++) s += c->low[i];
//=       |                                       ^~~~~~~~~
//=   in "sum", called at <program source>:42:14
//=   kernel "one_more", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
