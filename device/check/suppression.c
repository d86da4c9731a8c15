#include "suppression.h"

#include <stdlib.h>
#include <string.h>

/* A line of the file: each part "*" where all are meant. */
struct rule {
    char kinds[128], kernel[128], place[256];
    struct rule *next;
};
static struct rule *rules;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_word(const char *at, size_t length, const char *word) {
    return strlen(word) == length && !memcmp(at, word, length);
}

static bool known(const char *word, size_t length) {
    if (is_word(word, length, "*")) return true;
    for (unsigned n = 0; n < CHECK_KINDS; n++)
        if (is_word(word, length, check_kind_name[n])) return true;
    for (unsigned n = 0; n < CHECK_RULES; n++)
        if (is_word(word, length, check_rules[n].name)) return true;
    return false;
}

/* Whether a list of kinds, up to a blank, names the rule or its check. */
static bool names(const char *kinds, enum check_rule rule) {
    for (const char *at = kinds; *at && !is_blank(*at);) {
        size_t length = strcspn(at, ", \t\r");
        if (is_word(at, length, "*") || is_word(at, length, check_rules[rule].name) ||
            is_word(at, length, check_kind_name[check_rules[rule].kind]))
            return true;
        at += length;
        at += *at == ',';
    }
    return false;
}

static bool all_known(const char *kinds) {
    for (const char *at = kinds; *at;) {
        size_t length = strcspn(at, ",");
        if (!known(at, length)) return false;
        at += length;
        at += *at == ',';
    }
    return *kinds;
}

/* file:line, or the file alone; a path stands for what ends in it, too. */
static bool is_at(const char *place, const struct kept_place *at) {
    if (!strcmp(place, "*")) return true;
    if (!at->file) return false;
    const char *colon = strrchr(place, ':');
    size_t length = colon ? (size_t)(colon - place) : strlen(place), has = strlen(at->file);
    if (colon && strcmp(colon + 1, "*") != 0 && strtoul(colon + 1, NULL, 10) != at->line)
        return false;
    if (length == 1 && *place == '*') return true;
    if (has < length || memcmp(at->file + has - length, place, length) != 0) return false;
    return has == length || at->file[has - length - 1] == '/';
}

bool check_suppress(const char *text, char why[160]) {
    unsigned number = 0;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        char line[512], *words[4] = {"", "*", "*", ""}, *rest = line;
        number++;
        if (length >= sizeof line) {
            snprintf(why, 160, "line %u is too long", number);
            return false;
        }
        memcpy(line, at, length);
        line[strcspn((line[length] = '\0', line), "#")] = '\0';
        unsigned count = 0;
        for (char *word; count < 4 && (word = strtok_r(rest, " \t\r", &rest));)
            words[count++] = word;
        at += length;
        at += *at == '\n';
        if (!count) continue;
        if (count == 4 || !all_known(words[0])) {
            snprintf(why, 160, "line %u is no `kinds kernel file:line`", number);
            return false;
        }
        struct rule *r = calloc(1, sizeof *r);
        if (!r) continue;
        snprintf(r->kinds, sizeof r->kinds, "%s", words[0]);
        snprintf(r->kernel, sizeof r->kernel, "%s", words[1]);
        snprintf(r->place, sizeof r->place, "%s", words[2]);
        r->next = rules;
        rules = r;
    }
    return true;
}

static bool comment_holds(const char *line, enum check_rule rule) {
    static const char mark[] = "simtcl-check: ignore";
    const char *at = line ? strstr(line, mark) : NULL;
    if (!at) return false;
    at += sizeof mark - 1;
    while (is_blank(*at)) at++;
    return names(at, rule);
}

bool suppression_holds(const struct kept_finding *f, const char *above) {
    if (comment_holds(f->at.source, f->f.rule) || comment_holds(above, f->f.rule)) return true;
    for (const struct rule *r = rules; r; r = r->next)
        if (names(r->kinds, f->f.rule) &&
            (!strcmp(r->kernel, "*") || (f->kernel && !strcmp(r->kernel, f->kernel))) &&
            is_at(r->place, &f->at))
            return true;
    return false;
}
