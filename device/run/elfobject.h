/* Relocatable ELF objects for x86-64, put into memory and ready to be called: what makes machine
 * code of the native engine's objects where no LLVM is loaded. */
#ifndef SIMTCL_ELFOBJECT_H
#define SIMTCL_ELFOBJECT_H

#include <stdbool.h>
#include <stddef.h>

/* The pages of one object. */
struct elfobject {
    char *pages;
    size_t bytes;
};

/* Places an object of `size` bytes (any bytes, any alignment) and finds the function `name` in it.
 * Its code is executable and not writable, all else of it can only be read. Undefined symbols are
 * looked for among the C functions that LLVM's code calls and nowhere else. False: *why says why
 * not; nothing is left behind. Thread safe. */
bool elfobject_load(const void *object, size_t size, const char *name, struct elfobject *placed,
                    void **function, const char **why);
/* Nobody runs it any more. An object never loaded (all zero) is fine. */
void elfobject_unload(struct elfobject *placed);

#endif
