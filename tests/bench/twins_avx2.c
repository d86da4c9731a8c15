/* The hand-written twins with AVX2. */
#define LANES 8
#define HAND  twins_avx2
#include "twins_hand.h"
