/* The hand-written twins with AVX-512. */
#define LANES 16
#define HAND  twins_avx512
#include "twins_hand.h"
