two
#include "three.h"
