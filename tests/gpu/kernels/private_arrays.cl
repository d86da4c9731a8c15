/* Private memory that registers do not hold lies in the device's memory, a warp's words side by side (guide 3.1.2.2): each
 * access to a word is a transaction of 64 bytes for each half-warp. */
//: model 8800gtx gtx280

//: test ints
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg n int 5
//: expect out = 5 * i
//: expect local_store == 8
//: expect local_store_transactions == 16
//: expect local_store_moved == 1024
//: expect local_load == 1
//: expect local_load_transactions == 2
//: expect local_load_moved == 128
//: expect gst_request == 1
//: expect gld_request == 0
kernel void ints(global int *out, int n) {
    int l = get_local_id(0), a[8];
    for (int k = 0; k < 8; k++) a[k] = k * l;
    out[l] = a[n];
}

/* Two words each. */
//: test longs
//: global 32
//: local 32
//: arg out long[32] = 0
//: arg n int 3
//: expect out = 3 * i
//: expect local_store == 4
//: expect local_store_transactions == 16
//: expect local_load == 1
//: expect local_load_transactions == 4
//: expect local_load_moved == 256
kernel void longs(global long *out, int n) {
    int l = get_local_id(0);
    long a[4];
    for (int k = 0; k < 4; k++) a[k] = k * l;
    out[l] = a[n];
}

/* One half-warp alone. */
//: test half_of_it
//: global 16
//: local 16
//: arg out int[16] = 0
//: arg n int 5
//: kernel ints
//: expect out = 5 * i
//: expect local_store_transactions == 8
//: expect local_load_transactions == 1

/* With indices that the compiler knows an array is registers. */
//: test known
//: global 32
//: local 32
//: arg out int[32] = 0
//: expect out = 5 * i
//: expect local_store == 0
//: expect local_load == 0
kernel void known(global int *out) {
    int l = get_local_id(0), a[8];
    for (int k = 0; k < 8; k++) a[k] = k * l;
    out[l] = a[5];
}
