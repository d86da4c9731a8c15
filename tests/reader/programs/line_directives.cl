#line 100 "generated.h"
kernel void k(global int *o) {
    o[0] = 1;
#line 7 "other.cl"
    o[1] = undefined_name;
}
