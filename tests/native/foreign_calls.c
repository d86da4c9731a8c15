/* Compiled, not linked: the object that elfobject.c loads. It calls functions of C directly, takes
 * the address of others, and jumps through a table. */
#include <math.h>

float kernel(float x, int which);

const int table[] = {10, 20, 30, 40};

float kernel(float x, int which) {
    float (*volatile trunc_it)(float) = truncf;
    switch (table[which & 3]) {
    case 10: return floorf(x);
    case 20: return ceilf(x);
    case 30: return trunc_it(x);
    case 40: return fmaf(x, x, 1);
    }
    return 0;
}
