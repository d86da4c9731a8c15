#include "check_observer.h"

#include <stdlib.h>
#include <string.h>

#include "device/observe/counters_observer.h"

uint64_t check_digest;
unsigned check_launches, check_failures;
struct observe_count *check_last;
uint64_t check_groups;

/* An accumulator: groups begun and ended, what went wrong, then a struct observe_count of each
 * site. All are uint64_t, which are summed. */
struct heard {
    uint64_t begun, ended, wrong;
    struct observe_count counts[];
};

static size_t bytes(const struct isa_kernel *k) {
    return sizeof(struct heard) + k->nsites * sizeof(struct observe_count);
}

static unsigned wants_all(const struct isa_kernel *k, const struct isa_site *s) {
    (void)k;
    (void)s;
    return OBSERVE_COUNTS | OBSERVE_EXECUTION | OBSERVE_ADDRESS | OBSERVE_BRANCH | OBSERVE_BARRIER;
}

static unsigned wants_counts(const struct isa_kernel *k, const struct isa_site *s) {
    (void)k;
    (void)s;
    return OBSERVE_COUNTS;
}

/* A warp has only lanes that the group has, and addresses are what was said of them. */
static bool is_wrong(const struct observe_event *e) {
    uint32_t first = e->warp * ISA_WARP, left = e->grid->items - first;
    const struct isa_site *s = &e->kernel->sites[e->site];
    if (first >= e->grid->items || !e->mask) return true;
    if (left < ISA_WARP && e->mask >> left) return true;
    if (e->taken & ~e->mask) return true;
    if (s->kind <= ISA_SITE_atomic && (!e->addresses || e->bytes != (uint32_t)s->width * s->count))
        return true;
    if ((s->kind == ISA_SITE_image_read || s->kind == ISA_SITE_image_write) &&
        (!e->operands[0] || !e->operands[1]))
        return true;
    for (unsigned l = 0; e->strided && s->kind <= ISA_SITE_atomic && l < ISA_WARP; l++) {
        uint32_t lane = (uint32_t)__builtin_ctz(e->mask);
        if (!(e->mask >> l & 1)) continue;
        if (e->addresses[l] - e->addresses[lane] != (l - lane) * (uint32_t)e->stride) return true;
    }
    return false;
}

static void event(void *accumulator, const struct observe_event *e) {
    struct heard *h = accumulator;
    struct observe_count *c = &h->counts[e->site];
    c->executions++;
    c->lanes += (unsigned)__builtin_popcount(e->mask);
    c->taken += (unsigned)__builtin_popcount(e->taken);
    c->diverged += e->taken && e->taken != e->mask;
    h->wrong += is_wrong(e) || h->begun != h->ended + 1;
}

static void group_begin(void *accumulator, const struct observe_group *g) {
    struct heard *h = accumulator;
    for (int d = 0; d < 3; d++) h->wrong += g->group_id[d] >= g->grid->groups[d];
    h->begun++;
}

static void group_end(void *accumulator, const struct observe_group *g) {
    struct heard *h = accumulator;
    (void)g;
    h->ended++;
}

static void say(const struct observe_result *r, const struct heard *h, uint32_t n) {
    const struct observe_count *a = &r->counts[n], *b = &h->counts[n];
    fprintf(stderr, "%s, site %u, a %s: counted %llu %llu %llu %llu, called %llu %llu %llu %llu\n",
            r->kernel->name, n + 1, isa_site_kind_name[r->kernel->sites[n].kind],
            (unsigned long long)a->executions, (unsigned long long)a->lanes,
            (unsigned long long)a->taken, (unsigned long long)a->diverged,
            (unsigned long long)b->executions, (unsigned long long)b->lanes,
            (unsigned long long)b->taken, (unsigned long long)b->diverged);
}

static void launch_end(const struct observe_result *r, const struct observe_grid *grid) {
    const struct heard *h = r->accumulator;
    size_t size = r->kernel->nsites * sizeof *r->counts;
    uint64_t groups = (uint64_t)grid->groups[0] * grid->groups[1] * grid->groups[2];
    check_launches++;
    if (!r->counts) return;
    for (uint32_t n = 0; h && n < r->kernel->nsites; n++) {
        if (!memcmp(&r->counts[n], &h->counts[n], sizeof *r->counts)) continue;
        if (!check_failures++) say(r, h, n);
    }
    if (h && (h->wrong || h->begun != groups || h->ended != groups)) {
        fprintf(stderr, "%s: %llu events were wrong, %llu groups began, %llu ended, of %llu\n",
                r->kernel->name, (unsigned long long)h->wrong, (unsigned long long)h->begun,
                (unsigned long long)h->ended, (unsigned long long)groups);
        check_failures++;
    }
    check_groups = h ? h->begun : groups;
    check_digest = 0xcbf29ce484222325u;
    for (size_t b = 0; b < size; b++)
        check_digest = (check_digest ^ ((const unsigned char *)r->counts)[b]) * 0x100000001b3u;
    free(check_last);
    check_last = malloc(size + 1);
    if (check_last) memcpy(check_last, r->counts, size);
}

const struct observer check_observer = {.name = "check",
                                        .wants = wants_all,
                                        .bytes = bytes,
                                        .event = event,
                                        .group_begin = group_begin,
                                        .group_end = group_end,
                                        .launch_end = launch_end};

const struct observer check_counts = {
    .name = "counts", .wants = wants_counts, .launch_end = launch_end};

/* ---- what the GPU would have counted ---- */

static void count_digest(const struct gpu_counters *c) {
    for (size_t b = 0; b < sizeof *c; b++)
        check_digest = (check_digest ^ ((const unsigned char *)c)[b]) * 0x100000001b3u;
}

static void counters_end(const struct observe_result *r, const struct observe_grid *grid) {
    struct gpu_counters c;
    (void)grid;
    check_launches++;
    check_digest = 0xcbf29ce484222325u;
    counters_of_kernel(r, &c);
    count_digest(&c);
    for (uint32_t n = 0; n < r->kernel->nsites; n++) {
        counters_of_site(r, n, &c);
        count_digest(&c);
    }
}

const struct observer *check_counters(void) {
    static struct observer o;
    o = counters_observer;
    o.launch_end = counters_end;
    return &o;
}

void check_number_sites(struct isa_module *m) {
    for (uint32_t n = 0; n < m->nkernels; n++) {
        struct isa_kernel *k = m->kernels[n];
        for (uint32_t i = 0; i < k->ninsts; i++) {
            struct isa_inst *inst = &k->insts[i];
            struct isa_site s = {.fate = ISA_SITE_PRESENT};
            if (inst->site || !isa_site_wanted(inst)) continue;
            while (!isa_site_takes((enum isa_site_kind)s.kind, (enum isa_op)inst->op)) s.kind++;
            bool image = inst->op == ISA_img_read || inst->op == ISA_img_write;
            bool memory = isa_op_info[inst->op].flags & ISA_OP_MEMORY;
            s.space = inst->space;
            s.width = image || memory ? isa_type_size[inst->type] : 0;
            s.count = image ? 4 : memory ? inst->count : 0;
            inst->site = isa_site_new(k, &s);
        }
    }
}
