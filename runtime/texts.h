/* The texts of the files that a program was made of, for reports to show. */
#ifndef SIMTCL_TEXTS_H
#define SIMTCL_TEXTS_H

#include <stddef.h>

struct isa_module;

struct texts {
    struct text_file {
        char *name; /* as in the module's files; "": the program's source */
        char *bytes;
        size_t length;
    } * list;
    size_t count;
};

/* Without memory a text is left out. */
void texts_add(struct texts *t, const char *name, const char *bytes, size_t length);
void texts_add_all(struct texts *t, const struct texts *more); /* but for sources */
/* Reads the files that the module names and whose text is not there. folder: from where paths lead,
 * or a negative number: from the current one. */
void texts_read(struct texts *t, const struct isa_module *m, int folder);
const struct text_file *texts_find(const struct texts *t, const char *name); /* NULL: not there */
void texts_free(struct texts *t);

#endif
