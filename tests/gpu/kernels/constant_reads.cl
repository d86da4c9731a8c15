/* Constant memory: a half-warp's read costs as many reads of the cache as it has different addresses (guide 3.1.2.3):
 * 1 to 16, with one warp. */
//: model 8800gtx gtx280

//: test addresses1
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 1
//: expect out = i % 1 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 2
//: expect warp_serialize == 0

//: test addresses2
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 2
//: expect out = i % 2 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 4
//: expect warp_serialize == 2

//: test addresses3
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 3
//: expect out = i % 3 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 6
//: expect warp_serialize == 4

//: test addresses4
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 4
//: expect out = i % 4 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 8
//: expect warp_serialize == 6

//: test addresses5
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 5
//: expect out = i % 5 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 10
//: expect warp_serialize == 8

//: test addresses6
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 6
//: expect out = i % 6 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 12
//: expect warp_serialize == 10

//: test addresses7
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 7
//: expect out = i % 7 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 14
//: expect warp_serialize == 12

//: test addresses8
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 8
//: expect out = i % 8 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 16
//: expect warp_serialize == 14

//: test addresses9
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 9
//: expect out = i % 9 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 18
//: expect warp_serialize == 16

//: test addresses10
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 10
//: expect out = i % 10 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 20
//: expect warp_serialize == 18

//: test addresses11
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 11
//: expect out = i % 11 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 22
//: expect warp_serialize == 20

//: test addresses12
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 12
//: expect out = i % 12 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 24
//: expect warp_serialize == 22

//: test addresses13
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 13
//: expect out = i % 13 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 26
//: expect warp_serialize == 24

//: test addresses14
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 14
//: expect out = i % 14 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 28
//: expect warp_serialize == 26

//: test addresses15
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 15
//: expect out = i % 15 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 30
//: expect warp_serialize == 28

//: test addresses16
//: kernel look
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: arg n int 16
//: expect out = i % 16 * 3
//: expect const_load == 1
//: expect const_access == 2
//: expect const_addresses == 32
//: expect warp_serialize == 30

kernel void look(global int *out, constant int *table, int n) {
    int l = get_local_id(0);
    out[l] = table[l % n];
}

/* Half-warps are looked at apart: each one's address is one, though the warp's are two. */
//: test half_apart
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16] = 3 * i
//: expect out = i / 16 * 3
//: expect const_access == 2
//: expect const_addresses == 2
//: expect warp_serialize == 0
kernel void half_apart(global int *out, constant int *table) {
    int l = get_local_id(0);
    out[l] = table[l / 16];
}
