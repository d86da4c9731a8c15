/* The one file that includes LLVM's C API. */
#ifndef SIMTCL_NATIVE_LLVM_H
#define SIMTCL_NATIVE_LLVM_H

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
