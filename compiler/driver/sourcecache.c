/* Results that are known: what was asked, and what every file that was read held. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/compiler.h"

static const char kind[] = "program", source_kind[] = "source";
enum { MOST_FILE_BYTES = 64 << 20 };

/* ---- texts: what is asked, and what is kept ---- */

struct sourcecache_text {
    char *bytes;
    size_t length;
};

static void put(FILE *f, const char *what, const char *bytes, size_t length) {
    fprintf(f, "%s %zu\n", what, length);
    if (length) fwrite(bytes, 1, length, f);
    fputc('\n', f);
}

static void put_string(FILE *f, const char *what, const char *s) {
    put(f, what, s ? s : "", s ? strlen(s) : 0);
}

/* Closes f, which writes t. False: no memory. */
static bool written(FILE *f, struct sourcecache_text *t) {
    bool good = !ferror(f);
    if (!fclose(f) && good && t->bytes) return true;
    free(t->bytes);
    t->bytes = NULL;
    return false;
}

/* Everything the result depends on but the files that are read. */
static bool key_of(const struct compiler_cache *cache, const struct compiler_request *q,
                   struct sourcecache_text *key) {
    const struct compiler_target *t = q->target;
    FILE *f = open_memstream(&key->bytes, &key->length);
    if (!f) return false;
    put_string(f, "maker", cache->maker);
    fprintf(f,
            "work %d version %u doubles %d demotes %d exact %d images %d constant %u local %u "
            "private %u\n",
            (int)q->work, t->cl_version, t->doubles, t->demotes, t->exact, t->images,
            t->max_constant_bytes, t->max_local_bytes, t->max_private_bytes);
    fprintf(f, "capability %u registers %u of %u\n", t->capability, t->max_registers, t->registers);
    put_string(f, "extensions", t->extensions);
    put_string(f, "include", t->include);
    put_string(f, "options", q->options);
    put(f, "source", q->source, q->length);
    for (size_t i = 0; i < q->nheaders; i++) {
        put_string(f, "name", q->headers[i].name);
        put(f, "header", q->headers[i].text, q->headers[i].length);
    }
    for (size_t i = 0; i < q->nobjects; i++)
        put(f, "object", q->objects[i].text, q->objects[i].length);
    return written(f, key);
}

/* ---- reading what was kept ---- */

/* A part as `put` writes it; false: there is none. The text ends in NUL. */
static bool take(struct sourcecache_text *rest, const char *what, struct sourcecache_text *part) {
    char *end;
    size_t n = strlen(what);
    if (rest->length < n + 2 || memcmp(rest->bytes, what, n) != 0 || rest->bytes[n] != ' ')
        return false;
    unsigned long long length = strtoull(rest->bytes + n + 1, &end, 10);
    size_t head = (size_t)(end + 1 - rest->bytes);
    if (*end != '\n' || head > rest->length || length >= rest->length - head ||
        end[1 + length] != '\n')
        return false;
    *part = (struct sourcecache_text){end + 1, (size_t)length};
    rest->bytes += head + length + 1;
    rest->length -= head + (size_t)length + 1;
    return true;
}

static char *copy(struct sourcecache_text t) {
    char *bytes = malloc(t.length + 1);
    if (!bytes) return NULL;
    memcpy(bytes, t.bytes, t.length);
    bytes[t.length] = 0;
    return bytes;
}

/* ---- the files a result was made of, and with ---- */

struct file {
    uint64_t device, inode; /* 0: there is none */
};

static bool look(int folder, const char *path, struct stat *st, struct file *f) {
    *f = (struct file){0};
    if (fstatat(folder, path, st, 0) || !S_ISREG(st->st_mode)) return false;
    *f = (struct file){(uint64_t)st->st_dev, (uint64_t)st->st_ino};
    return true;
}

static bool holds(int folder, const char *path, uint64_t size, uint64_t checksum) {
    bool same = false;
    char *bytes = size <= MOST_FILE_BYTES ? malloc((size_t)size + 1) : NULL;
    int fd = bytes ? openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd >= 0) {
        /* One byte more than there should be: a file that has grown is another. */
        ssize_t n = read(fd, bytes, (size_t)size + 1);
        same = n >= 0 && (uint64_t)n == size && isa_checksum(bytes, (size_t)size) == checksum;
        close(fd);
    }
    free(bytes);
    return same;
}

/* Is the file at the line's path what it was? files: those of the lines before. */
static bool input_same(int folder, char *line, struct file *files, unsigned n) {
    struct stat st;
    char *path = line + 2;
    unsigned long long size = 0, checksum = 0, first = n;
    if (line[0] == '+') {
        size = strtoull(path, &path, 10);
        checksum = strtoull(path, &path, 16);
        path++;
    } else if (line[0] == '=') {
        first = strtoull(path, &path, 10);
        path++;
    }
    bool there = look(folder, path, &st, &files[n]);
    if (line[0] == '-') return !there;
    unsigned found = 0; /* the first path that leads to the same file */
    while (files[found].device != files[n].device || files[found].inode != files[n].inode) found++;
    if (!there || found != first) return false;
    return line[0] == '=' ||
           (line[0] == '+' && (uint64_t)st.st_size == size && holds(folder, path, size, checksum));
}

/* `inputs` is a copy that may be written to. */
static bool inputs_same(int folder, char *inputs) {
    unsigned n = 0;
    for (const char *p = inputs; (p = strchr(p, '\n')); p++) n++;
    struct file *files = calloc(n + 1, sizeof *files);
    bool same = files != NULL;
    n = 0;
    for (char *line = inputs, *end; same && *line; line = end + 1) {
        same = (end = strchr(line, '\n')) && end - line >= 3;
        if (!same) break;
        *end = 0;
        same = input_same(folder, line, files, n++);
    }
    free(files);
    return same;
}

/* The library that compiled, as it lies on disk: an update makes it another. */
static void print_library(char *text, size_t size, const char *path) {
    struct stat st;
    *text = 0;
    if (!path || stat(path, &st)) return;
    snprintf(text, size, "%lld %lld.%09ld %s", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
             st.st_mtim.tv_nsec, path);
}

static bool library_same(const char *kept) {
    char now[4200];
    const char *path = strchr(kept, ' ');
    path = path ? strchr(path + 1, ' ') : NULL;
    if (!path) return false;
    print_library(now, sizeof now, path + 1);
    return !strcmp(now, kept);
}

/* ---- finding and keeping ---- */

static bool make_result(struct sourcecache_text log, struct sourcecache_text module,
                        struct sourcecache_text object, struct compiler_result *r) {
    struct isa_error why;
    *r = (struct compiler_result){.status = COMPILER_OK, .log = copy(log)};
    if (module.length)
        r->module = isa_parse(module.bytes, module.length, &why);
    else
        r->object = (struct compiler_object){copy(object), object.length};
    if (r->log && (r->module || r->object.text)) return true;
    free(r->log);
    free(r->object.text);
    isa_module_free(r->module);
    return false;
}

static bool read_kept(int folder, struct sourcecache_text kept, struct compiler_result *r) {
    struct sourcecache_text library, inputs, log, module, object;
    if (!take(&kept, "library", &library) || !take(&kept, "inputs", &inputs) ||
        !take(&kept, "log", &log) || !take(&kept, "module", &module) ||
        !take(&kept, "object", &object))
        return false;
    char *library_copy = copy(library), *inputs_copy = copy(inputs);
    bool good = library_copy && inputs_copy && library_same(library_copy) &&
                inputs_same(folder, inputs_copy) && make_result(log, module, object, r);
    free(library_copy);
    free(inputs_copy);
    return good;
}

bool sourcecache_find(const struct compiler_cache *cache, const struct compiler_request *request,
                      struct compiler_result *result) {
    struct sourcecache_text key, kept;
    if (!key_of(cache, request, &key)) return false;
    kept.bytes = cache->get(kind, key.bytes, key.length, &kept.length);
    int folder = request->folder ? *request->folder : AT_FDCWD;
    bool found = kept.bytes && read_kept(folder, kept, result);
    free(kept.bytes);
    free(key.bytes);
    return found;
}

static bool value_of(const char *library, const struct compiler_result *r,
                     struct sourcecache_text *value) {
    char made_with[4200];
    struct sourcecache_text module = {0};
    print_library(made_with, sizeof made_with, library);
    if (!*made_with) return false;
    if (r->module && !(module.bytes = isa_print(r->module, &module.length))) return false;
    FILE *f = open_memstream(&value->bytes, &value->length);
    if (f) {
        put_string(f, "library", made_with);
        put_string(f, "inputs", r->inputs);
        put_string(f, "log", r->log);
        put(f, "module", module.bytes, module.length);
        put(f, "object", r->object.text, r->object.length);
    }
    free(module.bytes);
    return f && written(f, value);
}

void sourcecache_keep(const struct compiler_cache *cache, const struct compiler_request *request,
                      const char *library, const struct compiler_result *result) {
    struct sourcecache_text key, value;
    if (result->status != COMPILER_OK || !result->inputs || !key_of(cache, request, &key)) return;
    if (value_of(library, result, &value)) {
        cache->put(kind, key.bytes, key.length, value.bytes, value.length);
        if (request->source) cache->put(source_kind, request->source, request->length, "", 0);
        free(value.bytes);
    }
    free(key.bytes);
}

bool sourcecache_knows(const struct compiler_cache *cache, const char *source, size_t length) {
    size_t bytes;
    void *there = cache->get(source_kind, source, length, &bytes);
    free(there);
    return there != NULL;
}
