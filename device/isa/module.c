/* Modules: constant data, strings and the ownership of kernels. */
#include <stdlib.h>
#include <string.h>

#include "isa_private.h"

bool isa_grow(void **array, uint32_t *capacity, uint64_t need, size_t element) {
    if (need <= *capacity) return true;
    if (need > 1u << 31) return false;
    uint64_t n = *capacity < 8 ? 8 : *capacity;
    while (n < need) n *= 2;
    void *p = realloc(*array, n * element);
    if (!p) return false;
    *array = p;
    *capacity = (uint32_t)n;
    return true;
}

/* The capacity is the least power of two that holds `count`: at each power of two the array is
 * full. */
/* Makes room for one more element in an array without a capacity field. */
static bool room_for_one(void **array, uint32_t count, size_t element) {
    if (count & (count - 1)) return true;
    if (count >= 1u << 30) return false;
    void *p = realloc(*array, (count ? 2 * (size_t)count : 1) * element);
    if (!p) return false;
    *array = p;
    return true;
}

bool isa_push_string(char ***list, uint32_t *count, const char *bytes, size_t length) {
    if (!room_for_one((void **)list, *count, sizeof **list)) return false;
    char *copy = malloc(length + 1);
    if (!copy) return false;
    if (length) memcpy(copy, bytes, length);
    copy[length] = 0;
    (*list)[(*count)++] = copy;
    return true;
}

struct isa_module *isa_module_new(void) {
    struct isa_module *m = calloc(1, sizeof *m);
    if (m) m->data_align = 1;
    return m;
}

static void free_strings(char **list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) free(list[i]);
    free(list);
}

/* ---- names: a table open to hashing for each list ---- */

static const char *kernel_name(const void *list, uint32_t i) {
    return ((struct isa_kernel *const *)list)[i]->name;
}
static const char *string_at(const void *list, uint32_t i) { return ((char *const *)list)[i]; }
typedef const char *name_of(const void *list, uint32_t i);

/* The slot of the name, or the empty one where it would be. */
static uint32_t name_slot(const struct isa_index *x, const void *list, name_of *name,
                          const char *s) {
    uint64_t h = 0xcbf29ce484222325u;
    for (const char *p = s; *p; p++) h = (h ^ (unsigned char)*p) * 0x100000001b3u;
    uint32_t mask = x->nslots - 1, slot = (uint32_t)(h ^ h >> 32) & mask;
    while (x->slots[slot] && strcmp(name(list, x->slots[slot] - 1), s) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

/* Puts in the list's names that are not there yet; of equal ones the first stays. */
static bool index_names(struct isa_index *x, const void *list, uint32_t count, name_of *name) {
    if (count * 2ull >= x->nslots) {
        uint32_t n = 16;
        while (n < count * 4ull) n *= 2;
        uint32_t *slots = calloc(n, sizeof *slots);
        if (!slots) return false;
        free(x->slots);
        *x = (struct isa_index){.slots = slots, .nslots = n};
    }
    for (; x->used < count; x->used++) {
        uint32_t slot = name_slot(x, list, name, name(list, x->used));
        if (!x->slots[slot]) x->slots[slot] = x->used + 1;
    }
    return true;
}

void isa_kernel_free(struct isa_kernel *k) {
    if (!k) return;
    for (uint32_t i = 0; i < k->nparams; i++) {
        free(k->params[i].name);
        free(k->params[i].type_name);
    }
    free(k->params);
    free(k->name);
    free(k->attributes);
    free(k->reg_types);
    free(k->consts);
    free(k->const_index);
    free(k->operands);
    free(k->insts);
    isa_sites_free(k);
    isa_variables_free(k);
    isa_vars_free(k);
    free(k);
}

void isa_module_free(struct isa_module *m) {
    if (!m) return;
    for (uint32_t i = 0; i < m->nkernels; i++) isa_kernel_free(m->kernels[i]);
    free(m->kernels);
    free_strings(m->formats, m->nformats);
    free_strings(m->files, m->nfiles);
    free(m->data);
    free(m->relocs);
    free(m->kernel_index.slots);
    free(m->format_index.slots);
    free(m->file_index.slots);
    free(m);
}

struct isa_kernel *isa_kernel_new(struct isa_module *m, const char *name) {
    if (!room_for_one((void **)&m->kernels, m->nkernels, sizeof *m->kernels)) return NULL;
    struct isa_kernel *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->name = strdup(name);
    if (!k->name) {
        free(k);
        return NULL;
    }
    m->kernels[m->nkernels] = k;
    if (!index_names(&m->kernel_index, m->kernels, m->nkernels + 1, kernel_name)) {
        isa_kernel_free(k);
        return NULL;
    }
    m->nkernels++;
    return k;
}

/* A copy of a list, NULL when it is empty; *good becomes false when there is no memory. */
static void *copy_list(const void *list, size_t count, size_t element, bool *good) {
    void *copy = count ? malloc(count * element) : NULL;
    if (copy)
        memcpy(copy, list, count * element);
    else if (count)
        *good = false;
    return copy;
}

static char *copy_string(const char *s, bool *good) {
    return s ? copy_list(s, strlen(s) + 1, 1, good) : NULL;
}

struct isa_kernel *isa_kernel_copy(const struct isa_kernel *k) {
    struct isa_kernel *c = malloc(sizeof *c);
    bool good = true;
    if (!c) return NULL;
    *c = *k;
    c->name = copy_string(k->name, &good);
    c->attributes = copy_string(k->attributes, &good);
    c->params = copy_list(k->params, k->nparams, sizeof *k->params, &good);
    c->cap_params = c->nparams = c->params ? k->nparams : 0;
    for (uint32_t i = 0; i < c->nparams; i++) {
        c->params[i].name = copy_string(k->params[i].name, &good);
        c->params[i].type_name = copy_string(k->params[i].type_name, &good);
    }
    c->reg_types = copy_list(k->reg_types, c->cap_regs = k->nregs, sizeof *k->reg_types, &good);
    c->consts = copy_list(k->consts, c->cap_consts = k->nconsts, sizeof *k->consts, &good);
    c->operands =
        copy_list(k->operands, c->cap_operands = k->noperands, sizeof *k->operands, &good);
    c->insts = copy_list(k->insts, c->cap_insts = k->ninsts, sizeof *k->insts, &good);
    c->calls = NULL;
    c->sites = NULL;
    c->ncalls = c->nsites = c->cap_calls = c->cap_sites = 0;
    c->variables = NULL;
    c->nvariables = c->cap_variables = 0;
    c->types = NULL;
    c->vars = NULL;
    c->ntypes = c->nvars = c->cap_types = c->cap_vars = 0;
    good &= isa_sites_copy(c, k) && isa_variables_copy(c, k) && isa_vars_copy(c, k);
    c->const_index = NULL; /* isa_const_new makes it anew */
    c->cap_const_index = c->const_index_used = 0;
    if (good) return c;
    isa_kernel_free(c);
    return NULL;
}

static bool copy_strings(char ***list, uint32_t *count, char *const *from, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!isa_push_string(list, count, from[i], strlen(from[i]))) return false;
    return true;
}

static bool add_copy(struct isa_module *m, const struct isa_kernel *k) {
    struct isa_kernel *copy = isa_kernel_copy(k);
    if (!copy) return false;
    m->kernels = malloc(sizeof *m->kernels);
    if (m->kernels) m->kernels[m->nkernels++] = copy;
    if (m->kernels && index_names(&m->kernel_index, m->kernels, 1, kernel_name)) return true;
    if (!m->kernels) isa_kernel_free(copy);
    return false;
}

struct isa_module *isa_module_alone(const struct isa_module *m, const struct isa_kernel *k) {
    struct isa_module *alone = isa_module_new();
    bool good = alone != NULL;
    if (!good) return NULL;
    alone->data = copy_list(m->data, m->data_bytes, 1, &good);
    alone->relocs = copy_list(m->relocs, m->nrelocs, sizeof *m->relocs, &good);
    alone->data_bytes = m->data_bytes;
    alone->data_align = m->data_align;
    alone->nrelocs = m->nrelocs;
    if (good && copy_strings(&alone->formats, &alone->nformats, m->formats, m->nformats) &&
        copy_strings(&alone->files, &alone->nfiles, m->files, m->nfiles) && add_copy(alone, k))
        return alone;
    isa_module_free(alone);
    return NULL;
}

struct isa_kernel *isa_module_find(const struct isa_module *m, const char *name) {
    if (!m->nkernels) return NULL;
    uint32_t found =
        m->kernel_index.slots[name_slot(&m->kernel_index, m->kernels, kernel_name, name)];
    return found ? m->kernels[found - 1] : NULL;
}

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

/* As room_for_one: the capacity is the least power of two that holds the data. */
static bool reserve_data(struct isa_module *m, uint64_t bytes) {
    uint64_t have = m->data ? 64 : 0;
    while (have && have < m->data_bytes) have *= 2;
    if (bytes <= have) return true;
    uint64_t n = 64;
    while (n < bytes) n *= 2;
    void *p = realloc(m->data, n);
    if (!p) return false;
    m->data = p;
    return true;
}

uint32_t isa_module_add_data(struct isa_module *m, const void *bytes, uint32_t size,
                             uint32_t align) {
    if (!align) align = 1;
    if (align > ISA_MAX_ALIGN || size > ISA_MAX_DATA_BYTES) return ~0u;
    uint64_t offset = round_up(m->data_bytes, align), end = offset + size;
    if (end > ISA_MAX_DATA_BYTES || !reserve_data(m, end)) return ~0u;
    if (offset > m->data_bytes) memset(m->data + m->data_bytes, 0, offset - m->data_bytes);
    if (size) memcpy(m->data + offset, bytes, size);
    m->data_bytes = (uint32_t)end;
    if (align > m->data_align) m->data_align = align;
    return (uint32_t)offset;
}

bool isa_module_add_reloc(struct isa_module *m, uint32_t offset) {
    if (!room_for_one((void **)&m->relocs, m->nrelocs, sizeof *m->relocs)) return false;
    m->relocs[m->nrelocs++] = offset;
    return true;
}

static uint32_t share_string(struct isa_index *x, char ***list, uint32_t *count, const char *s) {
    if (!index_names(x, *list, *count, string_at)) return ~0u;
    uint32_t found = x->slots[name_slot(x, *list, string_at, s)];
    if (found) return found - 1;
    return isa_push_string(list, count, s, strlen(s)) ? *count - 1 : ~0u;
}

uint32_t isa_module_add_format(struct isa_module *m, const char *format) {
    return share_string(&m->format_index, &m->formats, &m->nformats, format);
}

uint32_t isa_module_add_file(struct isa_module *m, const char *name) {
    return share_string(&m->file_index, &m->files, &m->nfiles, name);
}
