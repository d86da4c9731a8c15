// Sums and products of int that overflow on their way into an address.

// A row times a pitch, which a device of 32-bit addresses would not mind.
//: test pitch
//: global 4
//: local 4
//: arg out int[16] = 0
//: arg width int 1073741824
kernel void pitch(global int *out, int width) {
    int y = get_global_id(0);
    out[y * width] = y;
}

// By a variable, in a helper.
int place(int x, int y, int stride) {
    int row = y * stride;
    return row + x;
}
//: test helper
//: global 2
//: local 2
//: arg out int[4] = 0
//: arg stride int 2147483647
kernel void helper(global int *out, int stride) {
    int i = get_global_id(0), at = place(i, 1, stride);
    out[at & 3] = 0;
    out[place(i + 1, i, stride) - i * stride] = 1;
}

// One more than the greatest.
//: test next
//: global 1
//: local 1
//: arg out int[4] = 0
//: arg last int 2147483647
kernel void next(global int *out, int last) {
    global int *p = out + last;
    p[last + 1] = 1;
}

// In a loop.
//: test steps
//: global 1
//: local 1
//: arg out int[4] = 0
//: arg step int 1073741824
kernel void steps(global int *out, int step) {
    int at = 0;
    for (int i = 0; i < 3; i++) {
        out[at] = i;
        at += step;
    }
}

// The least one's negative neighbour.
//: test below
//: global 1
//: local 1
//: arg in int[4] = i
//: arg out int[4] = 0
//: arg n int -2147483648
kernel void below(global const int *in, global int *out, int n) {
    int first = n - 4;
    out[0] = in[first & 3];
    out[1] = in[n - 4 + n];
}
//= simtcl: <program source>:11:9: error: product of signed integers overflows on its way into an address [arith]
//=    11 |     out[y * width] = y;
//=       |         ^
//=   kernel "pitch", work-item global (2,0,0) local (2,0,0) of group (0,0,0)
//=   2 times
//= simtcl: <program source>:17:12: error: sum of signed integers overflows on its way into an address [arith]
//=    17 |     return row + x;
//=       |            ^
//=   in "place", called at <program source>:25:36
//=   kernel "helper", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//= simtcl: <program source>:17:12: error: sum of signed integers overflows on its way into an address [arith]
//=    17 |     return row + x;
//=       |            ^
//=   in "place", called at <program source>:27:9
//=   kernel "helper", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//= simtcl: <program source>:27:9: error: difference of signed integers overflows on its way into an address [arith]
//=    27 |     out[place(i + 1, i, stride) - i * stride] = 1;
//=       |         ^
//=   kernel "helper", work-item global (1,0,0) local (1,0,0) of group (0,0,0)
//= simtcl: <program source>:38:7: error: sum of signed integers overflows on its way into an address [arith]
//=    38 |     p[last + 1] = 1;
//=       |       ^
//=   kernel "next", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//= simtcl: <program source>:51:9: error: sum of signed integers overflows on its way into an address [arith]
//=    51 |         at += step;
//=       |         ^
//=   kernel "steps", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
//= simtcl: <program source>:65:17: error: difference of signed integers overflows on its way into an address [arith]
//=    65 |     out[1] = in[n - 4 + n];
//=       |                 ^
//=   kernel "below", work-item global (0,0,0) local (0,0,0) of group (0,0,0)
