// options: -I "include/with blank" -I'include' -Iinclude/with\ blank -I "include"/deep
#include "three.inc"
#include <three.inc>
#include "with blank/three.inc"
#include <with blank/three.inc>
#include "two.h"
#include "two h"
