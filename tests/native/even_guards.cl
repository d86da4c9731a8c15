// Guards that compare evenly spaced values: whether a warp's first and last lane pass says of all, unless the values wrap around between.

//: test upwards
//: global 160
//: local 80
//: arg below int[160] = -1
//: arg above int[160] = -1
//: arg inside int[160] = -1
//: arg wraps int[160] = -1
//: arg wrapped int[160] = -1
//: arg n int 117
//: arg from uint 2147483600
//: expect below = i < 117 ? i : -1
//: expect above = i > 43 ? i : -1
//: expect inside = i >= 5 && i < 122 ? i : -1
//: expect wraps = i == 47 ? -1 : i
//: expect wrapped = i < 48 && i > 10 ? i : -1
__kernel void upwards(__global int *below, __global int *above, __global int *inside, __global int *wraps,
                      __global int *wrapped, int n, uint from)
{
    int i = get_global_id(0), x = as_int(i + from);
    if (i < n) below[i] = i;
    if (!(i <= n - 74)) above[i] = i;
    if ((uint)i - 5 < (uint)n) inside[i] = i;
    if (x < 0x7fffffff) wraps[i] = i;
    if (x > as_int(from + 10)) wrapped[i] = i;
}

//: test downwards
//: global 160
//: local 160
//: arg below int[160] = -1
//: arg above int[160] = -1
//: arg both int[160] = -1
//: arg wraps int[160] = -1
//: arg n int 100
//: arg from uint 2147483700
//: expect below = i > 60 ? i : -1
//: expect above = i <= 60 ? i : -1
//: expect both = i >= 31 && i < 100 ? i : -1
//: expect wraps = i >= 53 && i < 63 ? -1 : i
__kernel void downwards(__global int *below, __global int *above, __global int *both, __global int *wraps, int n,
                        uint from)
{
    int i = get_global_id(0), x = n - i, far = as_int(from - i);
    if (x < n - 60) below[i] = i;
    if (x >= 40) above[i] = i;
    if (x > 0 && i > 30) both[i] = i;
    if (far < 0x7fffffff - 9) wraps[i] = i;
}
