/* The texts that are read: the program's, headers the caller gave, files of include folders. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preprocess_private.h"

/* ---- making ready: translation phases 1 and 2 (C99 5.1.1.2), but no trigraphs ---- */

/* The line end at p, behind blanks if `blanks`: its length, or 0. */
static size_t line_end(const char *p, const char *end, bool blanks) {
    const char *q = p;
    while (blanks && q < end && (*q == ' ' || *q == '\t')) q++;
    if (q < end && *q == '\n') return (size_t)(q + 1 - p);
    if (q < end && *q == '\r') return (size_t)(q + 1 - p) + (q + 1 < end && q[1] == '\n');
    return 0;
}

static size_t count_splices(const char *p, const char *end) {
    size_t n = 0;
    for (; (p = memchr(p, '\\', (size_t)(end - p))); p++) n += line_end(p + 1, end, true) > 0;
    return n;
}

static void make_ready(struct pp *pp, struct pp_file *f, const char *p, size_t length) {
    const char *end = p + length;
    char *text = arena_alloc(pp->arena, length + 2), *to = text;
    uint32_t *splices = ARENA_ARRAY(pp->arena, uint32_t, count_splices(p, end) + 1),
             *splice = splices;
    bool nul = false;
    while (p < end) {
        size_t n;
        if (*p == '\\' && (n = line_end(p + 1, end, true))) {
            p += 1 + n;
            *splice++ = (uint32_t)(to - text);
        } else if (*p == '\r') {
            p += line_end(p, end, false);
            *to++ = '\n';
        } else {
            nul |= !*p;
            *to++ = *p ? *p : ' ';
            p++;
        }
    }
    *splice = UINT32_MAX;
    if (to == text || to[-1] != '\n') *to++ = '\n';
    f->text = text;
    f->length = (size_t)(to - text);
    f->splices = splices;
    if (nul && !pp->quiet)
        diag_report(pp->diag, DIAG_WARNING, f->name, 1, 0,
                    "the text holds NUL bytes; they are taken as blanks");
}

struct pp_file *pp_file_make(struct pp *pp, const char *name, const char *text, size_t length) {
    struct pp_file *f = ARENA_NEW(pp->arena, struct pp_file);
    const char *slash = strrchr(name, '/');
    f->name = name;
    f->folder = slash ? arena_strndup(pp->arena, name, (size_t)(slash + 1 - name)) : "";
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (length > PP_MAX_FILE) {
        pp_report(pp, DIAG_ERROR, NULL, "%s: more than %d MiB of source", name, PP_MAX_FILE >> 20);
        length = 0;
    }
    if (!pp->quiet) diag_source(pp->diag, name, text, length);
    make_ready(pp, f, text, length);
    return f;
}

/* ---- finding ---- */

void pp_file_remember(struct pp *pp, struct pp_file *f) {
    f->next = pp->files;
    pp->files = f;
    if (pp->nfiles % 16 == 0) {
        const char **names = ARENA_ARRAY(pp->arena, const char *, pp->nfiles + 16);
        if (pp->nfiles) memcpy(names, pp->file_names, pp->nfiles * sizeof *names);
        pp->file_names = names;
    }
    pp->file_names[pp->nfiles++] = f->name;
}

static struct pp_file *known(struct pp *pp, const char *name) {
    for (struct pp_file *f = pp->files; f; f = f->next)
        if (strcmp(f->name, name) == 0) return f;
    return NULL;
}

static struct pp_file *from_headers(struct pp *pp, const char *name) {
    for (size_t i = 0; i < pp->nheaders; i++) {
        const struct compiler_source *h = &pp->headers[i];
        if (strcmp(h->name, name) != 0) continue;
        struct pp_file *f = known(pp, name);
        if (f) return f;
        f = pp_file_make(pp, arena_strdup(pp->arena, name), h->text, h->length);
        pp_file_remember(pp, f);
        return f;
    }
    return NULL;
}

/* Reads up to `size` bytes. Nothing here may allocate: the arena would jump away from the open
 * file. */
static ssize_t read_file(const char *path, char *to, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return -1;
    size_t n = 0;
    while (n < size) {
        ssize_t got = read(fd, to + n, size - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            close(fd);
            return -1;
        }
        if (got == 0) break;
        n += (size_t)got;
    }
    close(fd);
    return (ssize_t)n;
}

/* A path that is looked at again is noted once. */
static struct pp_input *note_input(struct pp *pp, const char *path) {
    if (!pp->last_input) pp->last_input = &pp->inputs;
    for (struct pp_input *i = pp->inputs; i; i = i->next)
        if (!strcmp(i->path, path)) return i;
    struct pp_input *i = ARENA_NEW(pp->arena, struct pp_input);
    i->path = path;
    *pp->last_input = i;
    pp->last_input = &i->next;
    pp->untold |= strchr(path, '\n') || ++pp->ninputs > PP_MAX_INPUTS;
    return i;
}

static int print_input(const struct pp *pp, const struct pp_input *i, char *to, size_t size) {
    unsigned n = 0;
    const struct pp_input *first = pp->inputs;
    for (; first->file != i->file; first = first->next) n++;
    if (!i->file) return snprintf(to, size, "- %s\n", i->path);
    if (first != i) return snprintf(to, size, "= %u %s\n", n, i->path);
    return snprintf(to, size, "+ %llu %016llx %s\n", (unsigned long long)i->size,
                    (unsigned long long)i->checksum, i->path);
}

/* A line for each path: what is there, and the path. What is there: "-" nothing, "= N" the same
 * file as at the path of line N (from 0), "+ SIZE CHECKSUM" another. */
const char *pp_file_inputs(struct pp *pp) {
    size_t size = 1;
    if (pp->untold) return NULL;
    for (const struct pp_input *i = pp->inputs; i; i = i->next) size += strlen(i->path) + 64;
    char *text = arena_alloc(pp->arena, size), *at = text;
    for (const struct pp_input *i = pp->inputs; i; i = i->next)
        at += print_input(pp, i, at, size - (size_t)(at - text));
    return text;
}

/* May the target's user have this file, which is there, read? Links are followed first. */
static bool allowed(const struct pp *pp, const char *path) {
    const char *list = pp->target ? pp->target->include : NULL;
    char real[PATH_MAX], folder[PATH_MAX], end[PATH_MAX];
    if (!list || !*list) return true;
    if (strcmp(list, "none") == 0 || !realpath(path, real)) return false;
    while (*list) {
        size_t n = strcspn(list, ":");
        if (n && n < sizeof folder) {
            memcpy(folder, list, n);
            folder[n] = 0;
            size_t length = realpath(folder, end) ? strlen(end) : 0;
            if (length == 1) return true; /* the root */
            if (length && strncmp(real, end, length) == 0 && real[length] == '/') return true;
        }
        list += n + (list[n] == ':');
    }
    return false;
}

static struct pp_file *from_disk(struct pp *pp, const char *folder, const char *name) {
    size_t n = strlen(folder);
    const char *slash = n && folder[n - 1] != '/' ? "/" : "";
    const char *path = arena_printf(pp->arena, "%s%s%s", folder, slash, name);
    struct pp_input *input = note_input(pp, path);
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return NULL;
    if (!allowed(pp, path)) {
        pp->denied = path;
        return NULL;
    }
    for (struct pp_file *f = pp->files; f;
         f = f->next) /* the same file under another name is still the same */
        if (f->inode == (uint64_t)st.st_ino && f->device == (uint64_t)st.st_dev && f->on_disk) {
            input->file = f;
            return f;
        }
    if (st.st_size > PP_MAX_FILE) {
        pp_report(pp, DIAG_ERROR, NULL, "%s: more than %d MiB", path, PP_MAX_FILE >> 20);
        return NULL;
    }
    char *text = arena_alloc(pp->arena, (size_t)st.st_size + 1);
    ssize_t length = read_file(path, text, (size_t)st.st_size);
    if (length < 0) {
        pp_report(pp, DIAG_ERROR, NULL, "%s: cannot be read", path);
        return NULL;
    }
    struct pp_file *f = pp_file_make(pp, path, text, (size_t)length);
    pp_file_remember(pp, f);
    input->file = f;
    input->size = (uint64_t)length;
    input->checksum = isa_checksum(text, (size_t)length);
    f->on_disk = true;
    f->device = (uint64_t)st.st_dev;
    f->inode = (uint64_t)st.st_ino;
    return f;
}

static struct pp_file *from_folders(struct pp *pp, const char *name, unsigned first) {
    unsigned n = pp->options->nincludes;
    for (unsigned i = first; i <= n; i++) { /* the current folder comes last */
        struct pp_file *f = from_disk(pp, i < n ? pp->options->includes[i] : "", name);
        if (!f) continue;
        f->place = i + 1;
        return f;
    }
    return NULL;
}

/* Headers by name first, then beside the file that includes (quoted names), the -I folders in
 * order, and the current folder (specification 5.6.4.1; drivers look in the last one for <...>
 * too). */
struct pp_file *pp_file_find(struct pp *pp, const char *name, bool quoted, bool next) {
    const struct pp_file *self = pp->buffer->file;
    if (next) return from_folders(pp, name, self->place);
    struct pp_file *f = from_headers(pp, name);
    if (f) return f;
    if (name[0] == '/') return from_disk(pp, "", name);
    if (quoted && self->folder && self->folder[0])
        f = self->on_disk ? from_disk(pp, self->folder, name)
                          : from_headers(pp, arena_printf(pp->arena, "%s%s", self->folder, name));
    return f ? f : from_folders(pp, name, 0);
}

/* ---- reading ---- */

void pp_file_enter(struct pp *pp, struct pp_file *f) {
    if (pp->include_depth == PP_MAX_INCLUDE_DEPTH || pp->includes == PP_MAX_INCLUDES) {
        pp_stop(pp, pp->includes == PP_MAX_INCLUDES ? "too many #include directives"
                                                    : "#include nests too deeply");
        return;
    }
    pp->text_read += f->length;
    if (pp->text_read > PP_MAX_TEXT) {
        pp_stop(pp, "too much text is included");
        return;
    }
    struct pp_buffer *b = ARENA_NEW(pp->arena, struct pp_buffer);
    *b = (struct pp_buffer){.file = f,
                            .presumed_name = f->name,
                            .p = f->text,
                            .line_start = f->text,
                            .splice = f->splices,
                            .line = 1,
                            .line_is_fresh = true,
                            .includer = pp->buffer};
    f->entered = true;
    pp->includes += pp->buffer != NULL;
    pp->include_depth += pp->buffer != NULL;
    pp->buffer = b;
}

void pp_file_leave(struct pp *pp) {
    pp_groups_close(pp);
    pp->buffer = pp->buffer->includer;
    pp->include_depth--;
}
