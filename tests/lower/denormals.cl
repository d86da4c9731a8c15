// Denormal constants are flushed where they are used, not rounded as they are.
//: options -cl-opt-disable

//: test constants
//: global 32
//: arg out int[128] = 7
//: expect out = 0
kernel void constants(global int *out) {
    out += get_global_id(0) * 4;
    float tiny = 5.87747175e-39f;
    out[0] = convert_int_rtp(tiny);
    out[1] = (int)(sqrt(as_float(0x00400000)) * 1e20f);
    out[2] = convert_int_rtn(-tiny);
    out[3] = (int)ceil(as_float(0x00400000));
}
