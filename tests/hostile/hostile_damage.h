/* Damages a binary's text at random. */
#ifndef TESTS_HOSTILE_DAMAGE_H
#define TESTS_HOSTILE_DAMAGE_H

#include <stddef.h>

/* From hostile_chance: a copy of `text` with bits flipped, cut, or with lines, words and numbers
 * removed, doubled, swapped and replaced, some from `other`; mostly with a right checksum. The
 * caller frees it; *length gets its length. */
char *hostile_damage(const char *text, const char *other, size_t *length);

#endif
