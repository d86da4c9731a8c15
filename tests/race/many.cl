// A race that is met a million times. many.txt has the report.

// Every group stores its own values at the same elements.
//: test overwriting
//: global 1048576
//: local 64
//: arg out int[64]
kernel void overwriting(global int *out) {
    out[get_local_id(0)] = get_group_id(0);
}

// The same of local memory, in every group.
//: test unordered
//: global 262144
//: local 256
//: arg out int[262144]
kernel void unordered(global int *out) {
    local int t[256];
    int i = get_local_id(0);
    t[i] = i;
    out[get_global_id(0)] = t[255 - i];
}
