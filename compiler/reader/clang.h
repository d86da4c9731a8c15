/* libclang, for reader*.c alone: no other file of the project includes a clang-c header. */
#ifndef SIMTCL_CLANG_H
#define SIMTCL_CLANG_H

#include <clang-c/Index.h>

#endif
