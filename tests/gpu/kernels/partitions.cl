/* Partitions of memory: addresses go round them in steps of 256 bytes. A warp writes a column of a matrix, whose first
 * row is the device's first memory; 6 partitions on the one board, 8 on the other. */

/* Rows of 8 KB: 32 steps, which come back to the same partition of 8, and to each other one of 6. */
//: test column_of_6
//: model 8800gtx
//: kernel column
//: global 32
//: local 32
//: arg m int[65536] = 0
//: arg width int 2048
//: expect gst_transactions_1_0 == 32
//: expect row_visits == 32
//: expect partition_0 == 11
//: expect partition_1 == 0
//: expect partition_2 == 11
//: expect partition_3 == 0
//: expect partition_4 == 10
//: expect partition_5 == 0

//: test column_of_8
//: model gtx280
//: kernel column
//: global 32
//: local 32
//: arg m int[65536] = 0
//: arg width int 2048
//: expect gst_total == 32
//: expect row_visits == 16
//: expect partition_0 == 32
//: expect partition_1 + partition_2 + partition_3 + partition_4 + partition_5 + partition_6 + partition_7 == 0

/* Rows of 8 KB and 256 bytes: 33 steps, and so the next partition of 8, and every third of 6. */
//: test padded_of_6
//: model 8800gtx
//: kernel column
//: global 32
//: local 32
//: arg m int[67584] = 0
//: arg width int 2112
//: expect partition_0 == 16
//: expect partition_3 == 16
//: expect partition_1 + partition_2 + partition_4 + partition_5 == 0

//: test padded_of_8
//: model gtx280
//: kernel column
//: global 32
//: local 32
//: arg m int[67584] = 0
//: arg width int 2112
//: expect partition_0 == 4
//: expect partition_1 == 4
//: expect partition_2 == 4
//: expect partition_3 == 4
//: expect partition_4 == 4
//: expect partition_5 == 4
//: expect partition_6 == 4
//: expect partition_7 == 4
//: expect row_visits == 32

/* Rows of 4 KB: of 16 lanes each four lie in one of the partition's own rows, which are 2 KB in 16 KB of addresses; and rows
 * of 64 bytes, where each partition that the half-warp comes to has one. */
//: test quarter_of_8
//: model gtx280
//: kernel column
//: global 32
//: local 32
//: arg m int[32768] = 0
//: arg width int 1024
//: expect partition_0 == 32
//: expect row_visits == 8

//: test narrow_of_8
//: model gtx280
//: kernel column
//: global 32
//: local 32
//: arg m int[512] = 0
//: arg width int 16
//: expect gst_total == 16
//: expect row_visits == 8

//: test packed
//: model 8800gtx gtx280
//: kernel column
//: global 64
//: local 64
//: arg m int[64] = 0
//: arg width int 1
//: expect row_visits == 4
kernel void column(global int *m, int width) {
    int row = get_global_id(0);
    m[row * width] = row;
}

/* A row, from the second 256 bytes on: 25 steps, each of four half-warps. */
//: test row_of_3
//: model gt130
//: kernel row
//: global 1600
//: local 32
//: arg m int[2048] = 0
//: expect partition_0 == 32
//: expect partition_1 == 36
//: expect partition_2 == 32

//: test row_of_5
//: model 8800gts
//: kernel row
//: global 1600
//: local 32
//: arg m int[2048] = 0
//: expect partition_0 == 20
//: expect partition_1 == 20
//: expect partition_2 == 20
//: expect partition_3 == 20
//: expect partition_4 == 20

//: test row_of_6
//: model 8800gtx
//: kernel row
//: global 1600
//: local 32
//: arg m int[2048] = 0
//: expect partition_0 == 16
//: expect partition_1 == 20
//: expect partition_2 == 16
//: expect partition_3 == 16
//: expect partition_4 == 16
//: expect partition_5 == 16

//: test row_of_7
//: model gtx260
//: kernel row
//: global 1600
//: local 32
//: arg m int[2048] = 0
//: expect partition_0 == 12
//: expect partition_1 == 16
//: expect partition_2 == 16
//: expect partition_3 == 16
//: expect partition_4 == 16
//: expect partition_5 == 12
//: expect partition_6 == 12
kernel void row(global int *m) {
    int i = get_global_id(0);
    m[i + 64] = i;
}
