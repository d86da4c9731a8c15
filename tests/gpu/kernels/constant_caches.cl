/* The caches of constant memory (device/gpu/caches.def): 8 KB a multiprocessor in 64 sets of 2 lines of 64 bytes, 8 KB a
 * cluster in 8 sets of 4 lines of 256, 32 KB for the device in 16 sets of 8 such. */

/* 128 lines have room: each is fetched once, by four a line of the further levels. A warp is two half-warps, each of
 * which reads one address. */
//: test room
//: model 8800gtx gtx280
//: kernel lines
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[2048] = i
//: arg passes int 2
//: arg n int 128
//: arg step int 16
//: expect const_addresses == 512
//: expect const_l1_miss == 128
//: expect const_l1_hit == 384
//: expect const_l2_miss == 32
//: expect const_l3_miss == 32

/* One line more: set 0 has three, of which each pass finds none, the other 126 have room. Of the 33 lines of the
 * cluster's cache five are in its set 0; when the second pass asks for line 0 again it is gone, and with it the eighth
 * goes, but the lines of the first level's other two are still there. */
//: test one_more
//: model 8800gtx gtx280
//: kernel lines
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[2064] = i
//: arg passes int 2
//: arg n int 129
//: arg step int 16
//: expect const_addresses == 516
//: expect const_l1_miss == 126 + 3 * 2
//: expect const_l1_hit == 384
//: expect const_l2_miss == 33 + 1
//: expect const_l3_miss == 33

/* The same by 60 groups, 2 for each of 30 multiprocessors in 10 clusters: the 126 are fetched by each multiprocessor, set
 * 0 is every group's own. At the clusters 28 lines have room; of those five 4 are missed in the first level's set 0 by
 * each group, and the two that are in its set 32 alone by each multiprocessor. */
//: test groups
//: model gtx280
//: kernel lines
//: global 1920
//: local 32
//: arg out int[1920] = 0
//: arg table int[2064] = i
//: arg passes int 2
//: arg n int 129
//: arg step int 16
//: expect const_l1_miss == 126 * 30 + 6 * 60
//: expect const_l1_hit == 516 * 60 - const_l1_miss
//: expect const_l2_miss == 28 * 10 + 4 * 60 + 2 * 30
//: expect const_l3_miss == 33

/* On 16 multiprocessors in 8 clusters. */
//: test groups_8800
//: model 8800gtx
//: kernel lines
//: global 1920
//: local 32
//: arg out int[1920] = 0
//: arg table int[2064] = i
//: arg passes int 2
//: arg n int 129
//: arg step int 16
//: expect const_l1_miss == 126 * 16 + 6 * 60
//: expect const_l2_miss == 28 * 8 + 4 * 60 + 2 * 16
//: expect const_l3_miss == 33

/* Each 256 bytes of 64 KB: too much for every cache, however often. The second half-warp finds what the first has
 * fetched. */
//: test too_much
//: model 8800gtx gtx280
//: kernel lines
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16384] = i
//: arg passes int 3
//: arg n int 256
//: arg step int 64
//: expect const_addresses == 1536
//: expect const_l1_miss == 768
//: expect const_l1_hit == 768
//: expect const_l2_miss == 768
//: expect const_l3_miss == 768

/* A large table of which little is read: its lines have room. */
//: test little
//: model 8800gtx gtx280
//: kernel lines
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[16384] = i
//: arg passes int 16
//: arg n int 4
//: arg step int 16
//: expect const_addresses == 128
//: expect const_l1_miss == 4
//: expect const_l1_hit == 124
//: expect const_l2_miss == 1
//: expect const_l3_miss == 1
kernel void lines(global int *out, constant int *table, int passes, int n, int step) {
    int sum = 0;
    for (int p = 0; p < passes; p++)
        for (int l = 0; l < n; l++) sum += table[l * step + p];
    out[get_global_id(0)] = sum;
}

/* Each lane at a kilobyte of its own of a 32 KB table: 8 lines in each of four sets of the first level, 16 in each of two
 * of the second, 8 in each of four of the third, which have room there. */
//: test scattered
//: model 8800gtx gtx280
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg table int[8192] = i
//: arg passes int 2
//: expect out = 512 * i + 1
//: expect const_addresses == 64
//: expect const_l1_miss == 64
//: expect const_l1_hit == 0
//: expect const_l2_miss == 64
//: expect const_l3_miss == 32
kernel void scattered(global int *out, constant int *table, int passes) {
    int l = get_local_id(0), sum = 0;
    for (int p = 0; p < passes; p++) sum += table[256 * l + p];
    out[l] = sum;
}

/* Two warps, whose reads take turns: either one's two lines would have room in set 0, both warps' have not. At the
 * cluster four have. */
//: test turns
//: model 8800gtx gtx280
//: global 64
//: local 64
//: arg out int[64] = 0
//: arg table int[4096] = i
//: arg passes int 3
//: expect const_addresses == 24
//: expect const_l1_miss == 12
//: expect const_l1_hit == 12
//: expect const_l2_miss == 4
//: expect const_l3_miss == 4
kernel void turns(global int *out, constant int *table, int passes) {
    int l = get_local_id(0), sum = 0;
    for (int p = 0; p < passes; p++)
        for (int n = 0; n < 2; n++) sum += table[(l / 32 * 2 + n) * 1024 + p];
    out[l] = sum;
}
