/* Files that the runtime writes when the process ends: those of the words of SIMTCL_PROFILE that
 * are no observers (outputs.def). */
#ifndef SIMTCL_OUTPUTS_H
#define SIMTCL_OUTPUTS_H

#include <stdbool.h>

/* Begins what `name[=path],...` asks for, has it written at exit, and leaves the other words in
 * `rest`, which has room for the text. Called once. */
void outputs_begin(const char *text, char *rest);

#endif
