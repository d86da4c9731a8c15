#include "counters_report.h"

#include <stdlib.h>
#include <string.h>

#include "counters_observer.h"
#include "device/gpu/cost.h"
#include "device/gpu/occupancy.h"
#include "listing.h"

#define VALUE(name) (c->value[GPU_COUNTER_##name])

/* Without a device of its own an observer looks at the default one. */
static const struct model *model_of(const struct observe_result *r) {
    return model_or_default(r->model);
}

/* By the rules of the device, whatever else is counted. */
static uint64_t moved(const struct model *m, const struct gpu_counters *c, bool load) {
    if (m->cc_minor >= 2) return load ? VALUE(gld_moved) : VALUE(gst_moved);
    return load ? VALUE(gld_moved_1_0) : VALUE(gst_moved_1_0);
}

static uint64_t transactions(const struct model *m, const struct gpu_counters *c) {
    if (m->cc_minor >= 2) return VALUE(gld_total) + VALUE(gst_total);
    return VALUE(gld_transactions_1_0) + VALUE(gst_transactions_1_0);
}

/* "87 %", or "-" of nothing. */
static const char *percent(char text[16], uint64_t part, uint64_t all) {
    if (all)
        snprintf(text, 16, "%.0f %%", (double)part * 100 / (double)all);
    else
        snprintf(text, 16, "-");
    return text;
}

/* ---- kernels ---- */

static void put_kernel(const struct observe_result *r, const struct gpu_counters *c, FILE *to) {
    const struct model *m = model_of(r);
    struct gpu_occupancy o;
    char loads[16], stores[16], diverged[16];
    gpu_occupancy_find(m, &r->resources, r->items, &o);
    fprintf(
        to, "%-24s %8llu %10llu %6u %5u %6u %6u %9.2f %-9s %13llu %8s %12llu %8s %8s %10llu\n",
        r->kernel->name, (unsigned long long)r->launches, (unsigned long long)r->groups,
        (unsigned)r->items, (unsigned)r->resources.registers, (unsigned)r->resources.shared_bytes,
        (unsigned)r->resources.local_bytes, o.occupancy,
        m->unlimited ? "-" : gpu_limiter_name[o.limiter], (unsigned long long)VALUE(instructions),
        percent(diverged, VALUE(divergent_branch), VALUE(branch)),
        (unsigned long long)transactions(m, c), percent(loads, VALUE(gld_bytes), moved(m, c, true)),
        percent(stores, VALUE(gst_bytes), moved(m, c, false)),
        (unsigned long long)VALUE(warp_serialize));
}

/* What would let more groups be on a multiprocessor. */
static void put_advice(const struct observe_result *r, FILE *to) {
    struct gpu_occupancy o;
    const struct model *m = model_of(r);
    gpu_occupancy_find(m, &r->resources, r->items, &o);
    if (m->unlimited || o.occupancy >= 1 ||
        !(o.smaller_group || o.larger_group || o.better_registers || o.better_shared))
        return;
    const char *between = " ";
    fprintf(to, "%-24s occupancy would be higher with", r->kernel->name);
    if (o.smaller_group || o.larger_group) {
        fprintf(to, "%s", between);
        if (o.smaller_group) fprintf(to, "%u", (unsigned)o.smaller_group);
        if (o.smaller_group && o.larger_group) fprintf(to, " or ");
        if (o.larger_group) fprintf(to, "%u", (unsigned)o.larger_group);
        fprintf(to, " work-items a group");
        between = "; ";
    }
    if (o.better_registers) {
        fprintf(to, "%s%u registers", between, (unsigned)o.better_registers);
        between = "; ";
    }
    if (o.better_shared)
        fprintf(to, "%s%u bytes of shared memory a group", between, (unsigned)o.better_shared);
    fputc('\n', to);
}

static void put_kernels(const struct observe_result *kernels, size_t count, FILE *to) {
    struct gpu_counters c;
    fprintf(to, "simtcl: what %s would have counted", model_of(kernels)->name);
    if (kernels->every > 1)
        fprintf(to, " on its first cluster, which gets one group in %u", (unsigned)kernels->every);
    fputc('\n', to);
    fprintf(to, "%-24s %8s %10s %6s %5s %6s %6s %9s %-9s %13s %8s %12s %8s %8s %10s\n", "kernel",
            "launches", "groups", "items", "regs", "shared", "local", "occupancy", "limit",
            "instructions", "diverged", "transactions", "gld eff", "gst eff", "serialized");
    for (size_t k = 0; k < count; k++) {
        counters_of_kernel(&kernels[k], &c);
        put_kernel(&kernels[k], &c, to);
    }
    for (size_t k = 0; k < count; k++) put_advice(&kernels[k], to);
}

/* ---- lines ---- */

enum { LINES = 10 };

struct costly_line {
    const struct observe_result *of;
    uint16_t file;
    uint32_t line;
    double clocks;
    struct gpu_cost cost;
    struct gpu_counters counters;
};

struct costly_lines {
    struct costly_line list[LINES + 1];
    unsigned count;
    double clocks; /* of all lines */
};

static int by_place(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Keeps the list in order; of equals the first stays first. */
static void rank(struct costly_lines *l, const struct costly_line *line) {
    unsigned n = l->count < LINES ? l->count++ : LINES;
    for (; n && l->list[n - 1].clocks < line->clocks; n--) l->list[n] = l->list[n - 1];
    l->list[n] = *line;
}

static void rank_lines(struct costly_lines *l, const struct observe_result *r) {
    const struct isa_kernel *k = r->kernel;
    uint64_t *places = malloc((k->ninsts + (size_t)1) * sizeof *places), last = 0;
    if (!places) return;
    for (uint32_t n = 0; n < k->ninsts; n++)
        places[n] = (uint64_t)k->insts[n].file << 32 | k->insts[n].line;
    qsort(places, k->ninsts, sizeof *places, by_place);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!(uint32_t)places[n] || (n && places[n] == last)) continue;
        struct costly_line line = {
            .of = r, .file = (uint16_t)(places[n] >> 32), .line = (uint32_t)places[n]};
        last = places[n];
        counters_of_line(r, line.file, line.line, &line.counters);
        line.cost = gpu_cost_of(model_of(r), &line.counters);
        line.clocks = line.cost.issue + line.cost.memory;
        l->clocks += line.clocks;
        if (line.clocks > 0) rank(l, &line);
    }
    free(places);
}

/* What the sites of the line are: as much as fits. */
static void put_texts(const struct costly_line *l, FILE *to) {
    const struct isa_kernel *k = l->of->kernel;
    const char *last = "";
    unsigned told = 0;
    for (uint32_t n = 0; n < k->nsites && told < 4; n++) {
        const struct isa_site *s = &k->sites[n];
        if (s->file != l->file || s->line != l->line || !s->text || s->fate != ISA_SITE_PRESENT)
            continue;
        if (strcmp(last, s->text) != 0) fprintf(to, "%s%s", told++ ? "; " : "  ", s->text);
        last = s->text;
    }
}

static void put_lines(const struct observe_result *kernels, size_t count, FILE *to) {
    struct costly_lines *l = calloc(1, sizeof *l);
    char share[16];
    if (!l) return;
    for (size_t k = 0; k < count; k++) rank_lines(l, &kernels[k]);
    if (l->count)
        fprintf(to,
                "simtcl: the lines that cost most, by clocks of issue and of memory's bandwidth\n"
                "%6s %14s %14s %13s %12s %10s %10s  %s\n",
                "share", "issue", "memory", "instructions", "transactions", "diverged",
                "serialized", "place");
    for (unsigned n = 0; n < l->count; n++) {
        const struct costly_line *line = &l->list[n];
        const struct gpu_counters *c = &line->counters;
        fprintf(to, "%6s %14.0f %14.0f %13llu %12llu %10llu %10llu  %s:%u %s",
                percent(share, (uint64_t)line->clocks, (uint64_t)l->clocks), line->cost.issue,
                line->cost.memory, (unsigned long long)VALUE(instructions),
                (unsigned long long)transactions(model_of(line->of), c),
                (unsigned long long)VALUE(divergent_branch),
                (unsigned long long)VALUE(warp_serialize), listing_file(line->of, line->file),
                (unsigned)line->line, line->of->kernel->name);
        put_texts(line, to);
        fputc('\n', to);
    }
    free(l);
}

/* ---- every counter ---- */

static void put_counters(const struct observe_result *r, FILE *to) {
    struct gpu_counters c;
    counters_of_kernel(r, &c);
    fprintf(to, "simtcl: kernel \"%s\"\n", r->kernel->name);
    for (int n = 0; n < GPU_COUNTERS; n++)
        if (c.value[n] && gpu_counter_has((enum gpu_counter)n, model_of(r)->cc_minor))
            fprintf(to, "%16llu %-24s %s\n", (unsigned long long)c.value[n],
                    gpu_counter_info[n].name, gpu_counter_info[n].what);
}

/* ---- for a program ---- */

static void put_place(const struct observe_result *r, uint32_t site, FILE *to) {
    if (site) {
        const struct isa_site *s = &r->kernel->sites[site - 1];
        listing_quoted(to, listing_file(r, s->file));
        fprintf(to, ",%u", (unsigned)s->line);
    } else {
        fprintf(to, ",");
    }
}

static void put_values(const struct observe_result *r, uint32_t site, const struct gpu_counters *c,
                       FILE *to) {
    for (int n = 0; n < GPU_COUNTERS; n++) {
        if (!c->value[n]) continue;
        fprintf(to, "%s,%u,", r->kernel->name, (unsigned)site);
        put_place(r, site, to);
        fprintf(to, ",%s,%llu\n", gpu_counter_info[n].name, (unsigned long long)c->value[n]);
    }
}

static void put_csv(const struct observe_result *r, FILE *to) {
    struct gpu_counters c;
    struct gpu_occupancy o;
    const char *name = r->kernel->name;
    gpu_occupancy_find(model_of(r), &r->resources, r->items, &o);
    fprintf(to, "%s,0,,,launches,%llu\n", name, (unsigned long long)r->launches);
    fprintf(to, "%s,0,,,items,%u\n", name, (unsigned)r->items);
    fprintf(to, "%s,0,,,registers,%u\n", name, (unsigned)r->resources.registers);
    fprintf(to, "%s,0,,,shared_bytes,%u\n", name, (unsigned)r->resources.shared_bytes);
    fprintf(to, "%s,0,,,local_bytes,%u\n", name, (unsigned)r->resources.local_bytes);
    fprintf(to, "%s,0,,,active_groups,%u\n", name, (unsigned)o.groups);
    fprintf(to, "%s,0,,,active_warps,%u\n", name, (unsigned)o.active_warps);
    fprintf(to, "%s,0,,,occupancy,%.4f\n", name, o.occupancy);
    counters_of_kernel(r, &c);
    put_values(r, 0, &c, to);
    for (uint32_t n = 0; n < r->kernel->nsites; n++) {
        counters_of_site(r, n, &c);
        put_values(r, n + 1, &c, to);
    }
}

void counters_report(const struct observe_result *kernels, size_t count, FILE *to, bool csv) {
    if (csv) {
        fprintf(to, "kernel,site,file,line,counter,value\n");
        for (size_t k = 0; k < count; k++) put_csv(&kernels[k], to);
        return;
    }
    put_kernels(kernels, count, to);
    put_lines(kernels, count, to);
    for (size_t k = 0; k < count; k++) put_counters(&kernels[k], to);
}
