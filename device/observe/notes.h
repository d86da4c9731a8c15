/* Notes that native code takes of accesses (struct isa_notes), and the rows among them: lanes that
 * are evenly spaced, not all of which are on. Where lanes begin, and which are on, comes back again
 * and again: it is counted. Private to device/observe. */
#ifndef SIMTCL_NOTES_H
#define SIMTCL_NOTES_H

#include "refine.h"

/* Those of each place, empty; freed with free(). NULL: out of memory. */
struct isa_notes *notes_new(const struct refined *r);
/* Counts the notes that are rows of such bins, as far as there is a place for them: the others
 * stay. Says whether what was guessed is scattered. displacement: of the access from the addresses.
 */
void notes_keep_rows(struct isa_notes *notes, const struct refine_bins *b, uint32_t displacement);
/* The lanes that a combination stands for: bit n of it for lanes n * lanes and those behind. */
uint32_t notes_lanes(uint32_t lanes, uint32_t combination);

#endif
