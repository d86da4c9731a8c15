/* apart IR CASES: which accesses a launch has to have looked at for races. IR: a module's text. A
 * case is a line
 *
 *   kernel global local arguments : texts of sites
 *
 * sizes are X or XxY; arguments are numbers, pointers to objects at these addresses. Texts are
 * those of the sites that have to be looked at, in their order, with commas; `none`. The observer
 * says the same of a launch, be it asked for the first time or not. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/check/finding.h"
#include "device/check/race_sites.h"
#include "device/observe/facts.h"

enum { MOST_PARAM_BYTES = 256, LINE = 400, ASKED = 3 };

extern const struct observer race_observer;

static char *read_all(const char *path) {
    FILE *f = fopen(path, "r");
    char *text = malloc(1 << 20);
    size_t length = f && text ? fread(text, 1, (1 << 20) - 1, f) : 0;
    if (!f || !text) return perror(path), exit(2), NULL;
    text[length] = '\0';
    fclose(f);
    return text;
}

static void read_size(const char *word, uint32_t size[3]) {
    size[0] = size[1] = size[2] = 1;
    sscanf(word, "%" SCNu32 "x%" SCNu32, &size[0], &size[1]);
}

/* What has to be looked at, in words. */
static void say(const struct isa_kernel *k, const bool *sites, char text[LINE]) {
    *text = '\0';
    for (uint32_t n = 0; n < k->nsites; n++) {
        if (!sites[n]) continue;
        size_t length = strlen(text);
        snprintf(text + length, LINE - length, "%s%s%s", length ? ", " : "",
                 k->sites[n].kind == ISA_SITE_store ? "=" : "", k->sites[n].text);
    }
    if (!*text) strcpy(text, "none");
}

static bool is_kept(const struct isa_kernel *k, const struct observe_grid *grid,
                    const char *found) {
    bool good = true;
    for (unsigned n = 0; n < ASKED; n++)
        good &= race_observer.idle(k, grid) == !strcmp(found, "none");
    return good;
}

/* facts: of each kernel, as cases before have left them. */
static bool try_case(const struct isa_module *m, struct facts *const *facts, char *line) {
    static const struct check_launch check;
    char params[MOST_PARAM_BYTES] = "", found[LINE];
    char *expected = strstr(line, " : ");
    if (!expected) return fprintf(stderr, "what is \"%s\"?\n", line), false;
    *expected = '\0';
    expected += 3;
    const char *name = strtok(line, " "), *global = strtok(NULL, " "), *local = strtok(NULL, " ");
    const struct isa_kernel *k = name ? isa_module_find(m, name) : NULL;
    if (!k || !local || k->param_bytes > sizeof params)
        return fprintf(stderr, "no such case: %s\n", name ? name : ""), false;
    uint32_t items[3];
    struct observe_grid grid = {.params = params, .check = &check};
    read_size(global, items);
    read_size(local, grid.local_size);
    for (int d = 0; d < 3; d++) grid.groups[d] = items[d] / grid.local_size[d];
    for (uint32_t n = 0; n < k->nparams; n++) {
        const char *word = strtok(NULL, " ");
        uint32_t value = word ? (uint32_t)strtol(word, NULL, 0) : 0;
        memcpy(params + k->params[n].offset, &value, sizeof value);
    }
    bool *sites = race_sites_find(k, &grid, false);
    if (!sites) return fprintf(stderr, "%s: no memory\n", name), false;
    say(k, sites, found);
    free(sites);
    for (uint32_t n = 0; n < m->nkernels; n++)
        if (m->kernels[n] == k) grid.facts = facts[n];
    if (!is_kept(k, &grid, found))
        return fprintf(stderr, "%s %s %s: the observer says otherwise\n", name, global, local),
               false;
    if (strcmp(found, expected) == 0) return true;
    fprintf(stderr, "%s %s %s: to be looked at: %s; expected: %s\n", name, global, local, found,
            expected);
    return false;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "apart IR CASES\n"), 2;
    char *text = read_all(argv[1]), *cases = read_all(argv[2]), line[LINE];
    struct isa_error error;
    struct isa_module *m = isa_parse(text, strlen(text), &error);
    bool good = m;
    unsigned count = 0;
    if (!m) fprintf(stderr, "%s: line %u: %s\n", argv[1], error.line, error.text);
    struct facts **facts = m ? calloc(m->nkernels + (size_t)1, sizeof *facts) : NULL;
    for (uint32_t n = 0; facts && n < m->nkernels; n++) facts[n] = facts_new();
    for (const char *at = cases; facts && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        int length = (int)strcspn(at, "\n");
        if (!length || *at == '#') continue;
        snprintf(line, sizeof line, "%.*s", length, at);
        good &= try_case(m, facts, line);
        count++;
    }
    for (uint32_t n = 0; facts && n < m->nkernels; n++) facts_free(facts[n]);
    free(facts);
    isa_module_free(m);
    free(text);
    free(cases);
    if (good) printf("%u launches\n", count);
    return good && count ? 0 : 1;
}
