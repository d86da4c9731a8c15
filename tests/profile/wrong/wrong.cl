// Expectations that do not hold: each is told.
//: test fill
//: global 64
//: local 64
//: arg a int[64] = 0
//: expect a = i
//: expect gst_64b == 5
//: expect gst_64b[10] + 1 < gst_request
kernel void fill(global int *a) {
    a[get_global_id(0)] = get_global_id(0);
}
//: test unknown
//: kernel fill
//: global 64
//: local 64
//: arg a int[64] = 0
//: expect gst_65b == 4
//: test line
//: kernel fill
//: global 64
//: local 64
//: arg a int[64] = 0
//: expect gst_64b[1] == 4
//: test model
//: kernel fill
//: model 8800gtx
//: global 64
//: local 64
//: arg a int[64] = 0
//: expect gst_64b == 6
