#include "element.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const element_name[ELEMENTS] = {
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"};
const size_t element_size[ELEMENTS] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};

static float half_to_float(uint16_t h) {
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    float f = exponent == 31  ? (mantissa ? NAN : INFINITY)
              : exponent == 0 ? ldexpf((float)mantissa, -24)
                              : ldexpf((float)(mantissa | 1024), exponent - 25);
    return h & 0x8000 ? -f : f;
}

struct expression_number element_get(enum element e, const void *data, size_t i) {
    struct expression_number n = {false, 0, 0};
    switch (e) {
    case CHAR: n.i = ((const int8_t *)data)[i]; break;
    case UCHAR: n.i = ((const uint8_t *)data)[i]; break;
    case SHORT: n.i = ((const int16_t *)data)[i]; break;
    case USHORT: n.i = ((const uint16_t *)data)[i]; break;
    case INT: n.i = ((const int32_t *)data)[i]; break;
    case UINT: n.i = ((const uint32_t *)data)[i]; break;
    case LONG:
    case ULONG: n.i = ((const int64_t *)data)[i]; break;
    case HALF:
        n.real = true;
        n.f = half_to_float(((const uint16_t *)data)[i]);
        break;
    case FLOAT:
        n.real = true;
        n.f = ((const float *)data)[i];
        break;
    case DOUBLE:
        n.real = true;
        n.f = ((const double *)data)[i];
        break;
    case ELEMENTS: break;
    }
    return n;
}

void element_set(enum element e, void *data, size_t i, struct expression_number n) {
    double f = n.real ? n.f : (double)n.i;
    bool fits = f >= -0x1p63 && f < 0x1p63;
    int64_t v = !n.real ? n.i : fits ? (int64_t)f : 0;
    switch (e) {
    case CHAR:
    case UCHAR: ((uint8_t *)data)[i] = (uint8_t)v; break;
    case SHORT:
    case USHORT:
    case HALF: ((uint16_t *)data)[i] = (uint16_t)v; break; /* half: its bits */
    case INT:
    case UINT: ((uint32_t *)data)[i] = (uint32_t)v; break;
    case LONG:
    case ULONG: ((int64_t *)data)[i] = v; break;
    case FLOAT: ((float *)data)[i] = (float)f; break;
    case DOUBLE: ((double *)data)[i] = f; break;
    case ELEMENTS: break;
    }
}

bool element_parse(const char *text, enum element *e, size_t *width) {
    for (int i = 0; i < ELEMENTS; i++) {
        size_t n = strlen(element_name[i]);
        if (strncmp(text, element_name[i], n)) continue;
        char *end;
        unsigned long w = strtoul(text + n, &end, 10);
        if (*end && *end != '[') continue;
        *e = (enum element)i;
        *width = w ? w : 1;
        return true;
    }
    return false;
}

double element_ulps(enum element e, double got, double want) {
    if (isnan(want)) return isnan(got) ? 0 : INFINITY;
    if (got == want) return 0;
    if (isnan(got) || isinf(want) || isinf(got)) return INFINITY;
    int exponent;
    frexp(want, &exponent);
    int digits = e == DOUBLE ? 53
                 : e == HALF ? 11
                             : 24,
        least = e == DOUBLE ? -1021
                : e == HALF ? -13
                            : -125;
    if (exponent < least) exponent = least;
    return fabs(got - want) / ldexp(1, exponent - digits);
}
