#include "texts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/isa/isa.h"

enum { MOST_BYTES = 4 << 20 }; /* of a file that is read */

const struct text_file *texts_find(const struct texts *t, const char *name) {
    for (size_t n = 0; n < t->count; n++)
        if (!strcmp(t->list[n].name, name)) return &t->list[n];
    return NULL;
}

void texts_add(struct texts *t, const char *name, const char *bytes, size_t length) {
    struct text_file *more = realloc(t->list, (t->count + 1) * sizeof *more);
    if (!more) return;
    t->list = more;
    struct text_file *f = &more[t->count];
    *f = (struct text_file){strdup(name), malloc(length + 1), length};
    if (f->name && f->bytes) {
        memcpy(f->bytes, bytes, length);
        f->bytes[length] = '\0';
        t->count++;
        return;
    }
    free(f->name);
    free(f->bytes);
}

void texts_add_all(struct texts *t, const struct texts *more) {
    for (size_t n = 0; n < more->count; n++)
        if (*more->list[n].name && !texts_find(t, more->list[n].name))
            texts_add(t, more->list[n].name, more->list[n].bytes, more->list[n].length);
}

static void read_file(struct texts *t, const char *name, int folder) {
    int file = openat(folder < 0 ? AT_FDCWD : folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    char *bytes = NULL;
    size_t length = 0;
    if (file < 0) return;
    if (!fstat(file, &st) && S_ISREG(st.st_mode) && st.st_size <= MOST_BYTES)
        bytes = malloc((size_t)st.st_size + 1);
    while (bytes && length < (size_t)st.st_size) {
        ssize_t n = read(file, bytes + length, (size_t)st.st_size - length);
        if (n <= 0) break;
        length += (size_t)n;
    }
    if (bytes) texts_add(t, name, bytes, length);
    free(bytes);
    close(file);
}

void texts_read(struct texts *t, const struct isa_module *m, int folder) {
    for (uint32_t n = 1; n < m->nfiles; n++)
        if (*m->files[n] && !texts_find(t, m->files[n])) read_file(t, m->files[n], folder);
}

void texts_free(struct texts *t) {
    for (size_t n = 0; n < t->count; n++) {
        free(t->list[n].name);
        free(t->list[n].bytes);
    }
    free(t->list);
}
