#include "baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct baseline {
    char *text;
    struct json_tree *tree;
};

enum { MOST_BYTES = 64 << 20 };

static char *read_file(const char *path, size_t *length, char why[256]) {
    FILE *f = fopen(path, "re");
    size_t size = 0, room = 0, n = 1;
    char *text = NULL;
    if (!f) {
        snprintf(why, 256, "the baseline %s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    while (n && size < MOST_BYTES) {
        if (room - size < 2) {
            char *more = realloc(text, room = room ? room * 2 : 1 << 16);
            if (!more) break;
            text = more;
        }
        size += n = fread(text + size, 1, room - size - 1, f);
    }
    bool good = !n && !ferror(f);
    fclose(f);
    if (good) {
        text[ *length = size] = '\0';
        return text;
    }
    free(text);
    snprintf(why, 256, "the baseline %s cannot be read", path);
    return NULL;
}

/* The JSON of a page stands between two tags, and has no "<" of its own. */
static const char *find_data(const char *text, size_t *length) {
    static const char tag[] = "<script type=\"application/json\" id=\"data\">";
    const char *begin = strstr(text, tag), *end;
    if (!begin) return text;
    begin += sizeof tag - 1;
    end = strchr(begin, '<');
    *length = end ? (size_t)(end - begin) : strlen(begin);
    return begin;
}

struct baseline *baseline_read(const char *path, char why[256]) {
    struct baseline *b = calloc(1, sizeof *b);
    char reason[80];
    size_t length = 0, line;
    snprintf(why, 256, "no memory for the baseline");
    if (!b) return NULL;
    if (!(b->text = read_file(path, &length, why))) return free(b), NULL;
    const char *data = find_data(b->text, &length);
    b->tree = json_read(data, length, reason, &line);
    if (!b->tree)
        snprintf(why, 256, "the baseline %s is no JSON: line %zu: %s", path, line, reason);
    else if (strcmp(json_text_of(json_root(b->tree), "format", ""), "simtcl report") != 0 ||
             !baseline_launches(b))
        snprintf(why, 256, "the baseline %s is no report of simtcl", path);
    else
        return b;
    baseline_free(b);
    return NULL;
}

void baseline_free(struct baseline *b) {
    if (!b) return;
    json_tree_free(b->tree);
    free(b->text);
    free(b);
}

const struct json_value *baseline_launches(const struct baseline *b) {
    const struct json_value *all = json_member(json_root(b->tree), "launches");
    return all && all->kind == JSON_ARRAY ? all : NULL;
}

const char *baseline_device(const struct baseline *b) {
    return json_text_of(json_member(json_root(b->tree), "device"), "name", "");
}

static bool same_sizes(const struct json_value *v, const char *key, const uint32_t size[3]) {
    const struct json_value *list = json_member(v, key), *m = list ? list->first : NULL;
    for (int d = 0; d < 3; d++, m = m->next)
        if (!m || m->number != size[d]) return false;
    return true;
}

const struct json_value *baseline_find(const struct baseline *b, const struct folded_launch *l) {
    const struct json_value *first = NULL;
    for (const struct json_value *v = baseline_launches(b)->first; v; v = v->next) {
        if (strcmp(json_text_of(v, "kernel", ""), l->of->kernel->name) != 0) continue;
        if (same_sizes(v, "global", l->global) && same_sizes(v, "local", l->local)) return v;
        if (!first) first = v;
    }
    return first;
}
