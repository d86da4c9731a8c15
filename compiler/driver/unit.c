#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "simtcl-object "
enum { VERSION = 2 }; /* version 1 has no columns; it is still read */
#define TRAILER "end\n"

/* ---- writing ---- */

static void write_unit(FILE *f, const struct unit *u) {
    fprintf(f, "unit %u %zu %u %zu %u\n%s\n", u->fixed, strlen(u->options), u->nfiles, u->length,
            u->columns_known ? u->nplaces + 1 : 0, u->options);
    for (unsigned i = 0; i < u->nfiles; i++)
        fprintf(f, "file %zu %s\n", strlen(u->files[i]), u->files[i]);
    for (uint32_t i = 0; u->columns_known && i < u->nplaces; i++)
        fprintf(f, "%u %u\n", u->places[i].offset, u->places[i].column);
    fwrite(u->text, 1, u->length, f);
    fputc('\n', f);
}

bool unit_write(const struct unit_list *o, struct compiler_object *text) {
    char *body = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&body, &length);
    if (!f) return false;
    for (unsigned i = 0; i < o->nunits; i++) write_unit(f, &o->units[i]);
    fputs(TRAILER, f);
    bool good = !ferror(f);
    if (fclose(f) != 0 || !body) good = false;
    char head[96];
    int n = good ? snprintf(head, sizeof head, MAGIC "%d %u %zu %016llx\n", (int)VERSION, o->nunits,
                            length, (unsigned long long)isa_checksum(body, length))
                 : 0;
    char *whole = good ? malloc((size_t)n + length + 1) : NULL;
    if (whole) {
        memcpy(whole, head, (size_t)n);
        memcpy(whole + n, body, length + 1);
        *text = (struct compiler_object){whole, (size_t)n + length};
    }
    free(body);
    return whole != NULL;
}

/* ---- reading: nothing about the text is trusted ---- */

struct cursor {
    const char *p, *end;
};

static bool skip(struct cursor *c, const char *expected) {
    size_t n = strlen(expected);
    if ((size_t)(c->end - c->p) < n || memcmp(c->p, expected, n) != 0) return false;
    c->p += n;
    return true;
}

static bool number(struct cursor *c, unsigned base, uint64_t *value) {
    const char *begin = c->p;
    *value = 0;
    for (; c->p < c->end && c->p - begin < 16; c->p++) {
        char ch = *c->p;
        unsigned digit = 99;
        if (ch >= '0' && ch <= '9') digit = (unsigned)(ch - '0');
        if (ch >= 'a' && ch <= 'f') digit = (unsigned)(ch - 'a') + 10;
        if (digit >= base) break;
        *value = *value * base + digit;
    }
    return c->p > begin;
}

static bool size(struct cursor *c, uint64_t *value) {
    return number(c, 10, value) &&
           *value <= (uint64_t)(c->end - c->p); /* nothing is larger than the rest */
}

static bool bytes(struct cursor *c, struct arena *arena, uint64_t length, const char **text) {
    if (length > (uint64_t)(c->end - c->p)) return false;
    if (memchr(c->p, 0, length)) return false;
    if (arena) *text = arena_strndup(arena, c->p, length);
    c->p += length;
    return true;
}

/* The first line; the cursor is left at what the checksum covers. */
static bool head(struct cursor *c, uint64_t *version, uint64_t *nunits) {
    uint64_t length, sum;
    return skip(c, MAGIC) && number(c, 10, version) && *version && *version <= VERSION &&
           skip(c, " ") && size(c, nunits) && skip(c, " ") && number(c, 10, &length) &&
           skip(c, " ") && number(c, 16, &sum) && skip(c, "\n") &&
           length == (uint64_t)(c->end - c->p) && sum == isa_checksum(c->p, length);
}

/* Where the text does not show the columns: as many places as the unit says, less one; 0: they are
 * not known. */
static bool read_places(struct cursor *c, struct arena *arena, uint64_t count, struct unit *u) {
    struct preprocess_place *places = NULL;
    u->columns_known = count != 0;
    if (count < 2) return true;
    if (arena) places = ARENA_ARRAY(arena, struct preprocess_place, count - 1);
    u->places = places;
    u->nplaces = (uint32_t)count - 1;
    for (uint64_t i = 0, offset, column; i + 1 < count; i++) {
        if (!number(c, 10, &offset) || offset > UINT32_MAX || !skip(c, " ") ||
            !number(c, 10, &column) || column > UINT32_MAX || !skip(c, "\n"))
            return false;
        if (arena) places[i] = (struct preprocess_place){(uint32_t)offset, (uint32_t)column};
    }
    return true;
}

static bool read_unit(struct cursor *c, struct arena *arena, uint64_t version, struct unit *u) {
    uint64_t fixed, options, nfiles, length, n, places = 0;
    if (!skip(c, "unit ") || !number(c, 10, &fixed) || fixed > 1 || !skip(c, " ") ||
        !size(c, &options) || !skip(c, " ") || !size(c, &nfiles) || nfiles == 0 ||
        nfiles > UINT16_MAX || !skip(c, " ") || !size(c, &length) ||
        (version > 1 && (!skip(c, " ") || !size(c, &places))) || !skip(c, "\n") ||
        !bytes(c, arena, options, &u->options) || !skip(c, "\n"))
        return false;
    u->fixed = fixed;
    u->nfiles = (unsigned)nfiles;
    u->length = length;
    if (arena) u->files = ARENA_ARRAY(arena, const char *, nfiles);
    for (uint64_t i = 0; i < nfiles; i++) {
        const char *name = NULL;
        if (!skip(c, "file ") || !size(c, &n) || !skip(c, " ") || !bytes(c, arena, n, &name) ||
            !skip(c, "\n"))
            return false;
        if (arena) u->files[i] = name;
    }
    return read_places(c, arena, places, u) && bytes(c, arena, length, &u->text) && skip(c, "\n");
}

static bool read_all(struct arena *arena, const char *text, size_t length, struct unit_list *o) {
    struct cursor c = {text, text + length};
    uint64_t version, nunits;
    if (!head(&c, &version, &nunits)) return false;
    if (arena) *o = (struct unit_list){ARENA_ARRAY(arena, struct unit, nunits), (unsigned)nunits};
    for (uint64_t i = 0; i < nunits; i++) {
        struct unit unit = {0};
        if (!read_unit(&c, arena, version, &unit)) return false;
        if (arena) o->units[i] = unit;
    }
    return skip(&c, TRAILER) && c.p == c.end;
}

bool unit_read(struct arena *arena, const char *text, size_t length, struct unit_list *o) {
    return read_all(arena, text, length, o);
}

bool unit_check(const char *text, size_t length) {
    return text && read_all(NULL, text, length, NULL);
}
