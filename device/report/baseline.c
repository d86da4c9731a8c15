#include "baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct baseline {
    cJSON *root;
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

/* Of a place in the text: from 1 on. */
static unsigned line_of(const char *text, const char *at) {
    unsigned line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

static cJSON *read_json(const char *path, char why[256]) {
    size_t length = 0;
    const char *end = NULL;
    char *text = read_file(path, &length, why);
    if (!text) return NULL;
    const char *data = find_data(text, &length);
    char *alone = strndup(data, length); /* with a NUL at its end: nothing may follow */
    cJSON *root = alone ? cJSON_ParseWithLengthOpts(alone, length + 1, &end, true) : NULL;
    if (alone && !root)
        snprintf(why, 256, "the baseline %s is no JSON: line %u", path, line_of(alone, end));
    free(alone);
    free(text);
    return root;
}

struct baseline *baseline_read(const char *path, char why[256]) {
    struct baseline *b = calloc(1, sizeof *b);
    snprintf(why, 256, "no memory for the baseline");
    if (!b) return NULL;
    b->root = read_json(path, why);
    if (b->root && !strcmp(baseline_text(b->root, "format", ""), "simtcl report") &&
        baseline_launches(b))
        return b;
    if (b->root) snprintf(why, 256, "the baseline %s is no report of simtcl", path);
    baseline_free(b);
    return NULL;
}

void baseline_free(struct baseline *b) {
    if (!b) return;
    cJSON_Delete(b->root);
    free(b);
}

const cJSON *baseline_member(const cJSON *v, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(v, key);
}

double baseline_number(const cJSON *v, const char *key, double otherwise) {
    const cJSON *member = baseline_member(v, key);
    return cJSON_IsNumber(member) ? member->valuedouble : otherwise;
}

const char *baseline_text(const cJSON *v, const char *key, const char *otherwise) {
    const cJSON *member = baseline_member(v, key);
    return cJSON_IsString(member) ? member->valuestring : otherwise;
}

const cJSON *baseline_launches(const struct baseline *b) {
    const cJSON *all = baseline_member(b->root, "launches");
    return cJSON_IsArray(all) ? all : NULL;
}

const char *baseline_device(const struct baseline *b) {
    return baseline_text(baseline_member(b->root, "device"), "name", "");
}

static bool same_sizes(const cJSON *v, const char *key, const uint32_t size[3]) {
    const cJSON *list = baseline_member(v, key), *m = list ? list->child : NULL;
    for (int d = 0; d < 3; d++, m = m->next)
        if (!cJSON_IsNumber(m) || m->valuedouble != size[d]) return false;
    return true;
}

const cJSON *baseline_find(const struct baseline *b, const struct folded_launch *l) {
    const cJSON *first = NULL, *v;
    cJSON_ArrayForEach(v, baseline_launches(b)) {
        if (strcmp(baseline_text(v, "kernel", ""), l->of->kernel->name) != 0) continue;
        if (same_sizes(v, "global", l->global) && same_sizes(v, "local", l->local)) return v;
        if (!first) first = v;
    }
    return first;
}
