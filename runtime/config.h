/* Files of settings: `name = value`, a line each, # for comments; behind [program] those of
 * programs of that name alone. A reader of text: it opens nothing and knows no names. */
#ifndef SIMTCL_CONFIG_H
#define SIMTCL_CONFIG_H

#include <stdbool.h>

/* A setting as it is read. Strings lie in the text. */
struct config_setting {
    const char *name, *value;
    unsigned line;
    bool mine; /* of a section with the program's name */
};

/* Reads a NUL-terminated text, which is cut into strings and has to last as long as these. Tells of
 * each setting that is for the program, in order; of a line that is none, with `value` NULL and the
 * line as `name`. */
void config_read(char *text, const char *program,
                 void (*tell)(void *user, const struct config_setting *s), void *user);

#endif
