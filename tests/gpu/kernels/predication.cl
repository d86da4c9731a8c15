/* Branches and predication (guide 3.1.1.2): one warp, of which lanes with odd numbers go into the
 * if. A branch that is likely to diverge and controls up to 7 instructions becomes predicates, another one up to 4. */
//: model 8800gtx gtx280

/* 6 operations and the store: 7 instructions are issued for all lanes, of which 16 are off. */
//: test seven
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg in int[32] = i
//: expect predicated_off == 112
//: expect branch == 0
//: expect divergent_branch == 0
kernel void seven(global int *out, global const int *in) {
    int i = get_global_id(0), x = in[i];
    out[i] = x;
    if (x & 1) out[i] = ((x + 5 ^ 9) - 2 | 64) + (x << 3);
}

/* One operation more: a branch, at which the warp diverges. */
//: test eight
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg in int[32] = i
//: expect predicated_off == 0
//: expect branch == 1
//: expect divergent_branch == 1
kernel void eight(global int *out, global const int *in) {
    int i = get_global_id(0), x = in[i];
    out[i] = x;
    if (x & 1) out[i] = ((x + 5 ^ 9) - 2 | 64) + (x << 3) ^ 77;
}

/* The same where no lane goes in: all jump, and none diverges. Where all go in, none jumps. */
//: test all_jump
//: kernel eight
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg in int[32] = 2
//: expect predicated_off == 0
//: expect branch == 1
//: expect divergent_branch == 0

//: test none_jumps
//: kernel eight
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg in int[32] = 1
//: expect predicated_off == 0
//: expect branch == 0
//: expect divergent_branch == 0

/* A condition that is the same for all work-items: 3 operations and the store are 4, all off. */
//: test four
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg n int 0
//: expect predicated_off == 128
//: expect branch == 0
kernel void four(global int *out, int n) {
    int i = get_global_id(0);
    out[i] = i;
    if (n) out[i] = (i + 5 ^ 9) - 2;
}

/* Those that go in: nothing is off. */
//: test four_on
//: kernel four
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg n int 1
//: expect predicated_off == 0

//: test five
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg n int 0
//: expect predicated_off == 0
//: expect branch == 1
//: expect divergent_branch == 0
kernel void five(global int *out, int n) {
    int i = get_global_id(0);
    out[i] = i;
    if (n) out[i] = (i + 5 ^ 9) - 2 | 64;
}
