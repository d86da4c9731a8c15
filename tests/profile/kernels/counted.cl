// Conditions over counters: operators, sums, arguments, lines, both rules at once, models.

//: test sums
//: kernel guarded
//: global 128
//: local 64
//: arg a int[128] = i
//: arg n int 96
//: expect a = i < 96 ? i + 1 : i
//: expect cta_launched == 2
//: expect gld_64b + gld_128b * 2 == n / 16
//: expect gld_coherent[24] == n / 16
//: expect gst_64b[24] == 6
//: expect gld_64b[23] + gst_64b[23] != 1
//: expect gld_request <= 3
//: expect gld_request >= 3
//: expect gld_request < 4
//: expect 2 < gst_request
//: expect gld_moved == (n << 2)
//: expect divergent_branch == 0
kernel void guarded(global int *a, int n) {
    int i = get_global_id(0);
    if (i < n)
        a[i] += 1;
    else if (i > 1000)
        a[0] = i;
}

//: test last
//: repeat 3
//: kernel guarded
//: global 32
//: local 32
//: arg a int[32] = 0
//: arg n int 32
//: expect a = 3
//: expect gld_request == 1

// By the model: the same groups go to one of 16 or of 30 multiprocessors.
//: test small_device
//: model 8800gtx
//: kernel guarded
//: global 1024
//: local 32
//: arg a int[1024] = 0
//: arg n int 0
//: expect sm_cta_launched == 2
//: test large_device
//: model c1060 gtx280
//: kernel guarded
//: global 1024
//: local 32
//: arg a int[1024] = 0
//: arg n int 0
//: expect sm_cta_launched == 2
//: expect sm_cta_launched + 0.5 > 2
