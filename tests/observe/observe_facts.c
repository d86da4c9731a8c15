/* What observers keep of a kernel is found by who kept it and for what, and there is an end to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/observe/facts.h"
#include "device/observe/observer.h"
#include "tests/engine/run.h"

static bool has(struct facts *f, const void *who, const char *key, const char *value) {
    char *found = facts_get(f, who, key, strlen(key));
    bool same = found && value ? !strcmp(found, value) : !found && !value;
    free(found);
    return same;
}

static void keep(struct facts *f, const void *who, const char *key, const char *value) {
    facts_keep(f, who, key, strlen(key), value, strlen(value) + 1);
}

static void keys(void) {
    int32_t params[2] = {1, 2};
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = isa_kernel_new(m, "k");
    struct observe_grid grid = {.groups = {4, 1, 1}, .local_size = {64, 1, 1}, .params = params};
    const uint32_t offset[3] = {0, 0, 0}, other[3] = {0, 8, 0};
    size_t bytes[5];
    void *key[5];
    k->param_bytes = 8;
    key[0] = facts_key(k, &grid, offset, &bytes[0]);
    key[1] = facts_key(k, &grid, other, &bytes[1]);
    params[1] = 3;
    key[2] = facts_key(k, &grid, offset, &bytes[2]);
    grid.groups[2] = 2;
    key[3] = facts_key(k, &grid, offset, &bytes[3]);
    params[1] = 2;
    grid.groups[2] = 1;
    key[4] = facts_key(k, &grid, offset, &bytes[4]);
    for (unsigned n = 1; n < 5; n++) {
        bool same = bytes[n] == bytes[0] && !memcmp(key[n], key[0], bytes[0]);
        CHECK(same == (n == 4), "launch %u", n);
    }
    for (unsigned n = 0; n < 5; n++) free(key[n]);
    isa_module_free(m);
}

int main(void) {
    struct facts *f = facts_new();
    int one, two;
    char key[16];
    CHECK(f && has(f, &one, "a", NULL), "nothing at first");
    keep(f, &one, "a", "first");
    keep(f, &two, "a", "second");
    keep(f, &one, "", "of the kernel");
    CHECK(has(f, &one, "a", "first") && has(f, &two, "a", "second"), "by who kept it");
    CHECK(has(f, &one, "", "of the kernel") && has(f, &two, "", NULL), "without a key");
    CHECK(has(f, &one, "b", NULL) && has(f, &one, "aa", NULL), "by the key");
    for (unsigned n = 3; n < FACTS_MOST + 3; n++) {
        snprintf(key, sizeof key, "%u", n);
        keep(f, &one, key, "some");
        CHECK(has(f, &one, key, n < FACTS_MOST ? "some" : NULL), "number %u", n);
    }
    CHECK(has(f, &one, "a", "first"), "what was kept stays");
    facts_free(f);
    keep(NULL, &one, "a", "nowhere");
    CHECK(has(NULL, &one, "a", NULL), "without memory");
    keys();
    return 0;
}
