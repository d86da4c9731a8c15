#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "device/gpu/cost.h"
#include "device/observe/counters_observer.h"
#include "drawing.h"

void data_counters(struct json_writer *j, const char *key, const struct model *m,
                   const struct gpu_counters *c) {
    json_object(j, key);
    for (int n = 0; n < GPU_COUNTERS; n++)
        if (c->value[n] && gpu_counter_has((enum gpu_counter)n, m->cc_minor))
            json_integer(j, gpu_counter_info[n].name, c->value[n]);
    json_end_object(j);
}

static void write_resources(struct json_writer *j, const struct gpu_resources *r) {
    json_object(j, "resources");
    json_integer(j, "registers", r->registers);
    json_integer(j, "shared_bytes", r->shared_bytes);
    json_integer(j, "argument_bytes", r->argument_bytes);
    json_integer(j, "local_bytes", r->local_bytes);
    json_integer(j, "spill_bytes", r->spill_bytes);
    json_integer(j, "constant_bytes", r->constant_bytes);
    json_end_object(j);
}

/* ---- time ---- */

static void write_time(struct json_writer *j, const struct report_view *v) {
    const struct gpu_prediction *p = &v->time;
    if (p->seconds <= 0) {
        json_null(j, "time");
        return;
    }
    json_object(j, "time");
    json_number(j, "seconds", p->seconds);
    json_number(j, "low", p->low);
    json_number(j, "high", p->high);
    json_number(j, "launch_seconds", p->launch_seconds);
    json_number(j, "clocks", p->clocks);
    json_text(j, "bound", gpu_unit_info[p->bound].name);
    json_object(j, "busy");
    for (int n = 0; n < GPU_UNITS; n++)
        if (p->busy[n] > 0) json_number(j, gpu_unit_info[n].name, p->busy[n]);
    json_end_object(j);
    json_integer(j, "active_groups", p->active_groups);
    json_integer(j, "active_warps", p->active_warps);
    json_integer(j, "waves", p->waves);
    json_number(j, "last_wave", p->wave_share);
    if (p->camping_known) json_number(j, "camping", p->camping);
    json_end_object(j);
}

static void write_repairs(const struct report_data *d, struct json_writer *j,
                          const struct report_view *v) {
    const struct isa_kernel *k = v->counted.kernel;
    json_array(j, "repairs");
    for (unsigned n = 0; n < v->nrepairs; n++) {
        const struct view_repair *r = &v->repairs[n];
        const struct gpu_repair_info *i = &gpu_repair_info[r->which];
        json_object(j, NULL);
        json_text(j, "name", i->name);
        json_text(j, "wrong", i->wrong);
        json_text(j, "change", i->change);
        json_text(j, "section", i->section);
        json_number(j, "seconds", r->seconds);
        json_number(j, "gain", r->gain);
        json_text(j, "detail", r->detail);
        if (r->site) {
            const struct isa_site *s = &k->sites[r->site - 1];
            json_integer(j, "site", r->site);
            json_integer(j, "file", data_source(d, v->launch->of, s->file));
            json_integer(j, "line", s->line);
        }
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- other boards ---- */

static void write_board(struct json_writer *j, const struct report_view *v, const struct model *m) {
    struct gpu_prediction p;
    struct gpu_occupancy o;
    gpu_time_predict(m, &v->launch->timing, 0, &p);
    gpu_occupancy_find(m, &v->launch->resources, v->launch->items, &o);
    json_object(j, NULL);
    json_text(j, "name", m->name);
    json_integer(j, "minor", m->cc_minor);
    if (p.seconds > 0) {
        json_number(j, "seconds", p.seconds);
        json_text(j, "bound", gpu_unit_info[p.bound].name);
        json_number(j, "busy", p.busy[p.bound]);
    } else {
        json_null(j, "seconds");
    }
    json_number(j, "occupancy", o.occupancy);
    json_truth(j, "own", m == v->model);
    json_end_object(j);
}

static void write_boards(const struct report_data *d, struct json_writer *j,
                         const struct report_view *v) {
    static const char *const names[] = {
#define BOARD(name) name,
#include "compared.def"
#undef BOARD
    };
    enum { NAMES = sizeof names / sizeof *names };
    const struct model *told[NAMES + 2];
    unsigned n = 0;
    told[n++] = v->model;
    for (unsigned i = 0; i <= NAMES; i++) {
        const struct model *m = i < NAMES ? model_find(names[i]) : d->wish->board;
        bool again = !m;
        for (unsigned k = 0; k < n; k++) again |= told[k] == m;
        if (!again) told[n++] = m;
    }
    json_array(j, "boards");
    for (unsigned i = 0; i < n; i++) write_board(j, v, told[i]);
    json_end_array(j);
}

/* ---- occupancy ---- */

static uint32_t active(const struct report_view *v, uint32_t items, uint32_t registers,
                       uint32_t shared) {
    struct gpu_resources r = v->launch->resources;
    struct gpu_occupancy o;
    r.registers = registers;
    r.shared_bytes = shared;
    gpu_occupancy_find(v->model, &r, items, &o);
    return o.active_warps;
}

/* Active warps over each of the three, the others as they are. */
static void write_curves(struct json_writer *j, const struct report_view *v) {
    enum { SHARED_STEP = 512 };
    const struct folded_launch *l = v->launch;
    const struct gpu_resources *r = &l->resources;
    json_array(j, "by_group");
    for (uint32_t n = ISA_WARP; n <= v->model->max_group; n += ISA_WARP)
        json_integer(j, NULL, active(v, n, r->registers, r->shared_bytes));
    json_end_array(j);
    json_array(j, "by_registers");
    for (uint32_t n = 1; n <= GPU_MAX_REGISTERS; n++)
        json_integer(j, NULL, active(v, l->items, n, r->shared_bytes));
    json_end_array(j);
    json_array(j, "by_shared");
    for (uint32_t n = 0; n <= v->model->shared_bytes; n += SHARED_STEP)
        json_integer(j, NULL, active(v, l->items, r->registers, n));
    json_end_array(j);
}

static void write_occupancy(struct json_writer *j, const struct report_view *v, bool curves) {
    const struct gpu_occupancy *o = &v->occupancy;
    json_object(j, "occupancy");
    json_number(j, "share", o->occupancy);
    json_integer(j, "groups", o->groups);
    json_integer(j, "active_warps", o->active_warps);
    json_array(j, "limits");
    for (int n = 0; n < GPU_LIMITS; n++)
        if (o->limiters >> n & 1) json_text(j, NULL, gpu_limiter_name[n]);
    json_end_array(j);
    if (o->smaller_group) json_integer(j, "smaller_group", o->smaller_group);
    if (o->larger_group) json_integer(j, "larger_group", o->larger_group);
    if (o->better_registers) json_integer(j, "better_registers", o->better_registers);
    if (o->better_shared) json_integer(j, "better_shared", o->better_shared);
    if (curves && !v->model->unlimited) write_curves(j, v);
    json_end_object(j);
}

/* ---- the source ---- */

static int by_place(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void write_line(const struct report_data *d, struct json_writer *j,
                       const struct report_view *v, uint64_t place) {
    struct gpu_counters c;
    uint16_t file = (uint16_t)(place >> 32);
    counters_of_line(&v->counted, file, (uint32_t)place, &c);
    struct gpu_cost cost = gpu_cost_of(v->model, &c);
    json_object(j, NULL);
    json_integer(j, "file", data_source(d, v->launch->of, file));
    json_integer(j, "line", (uint32_t)place);
    json_number(j, "issue", cost.issue);
    json_number(j, "memory", cost.memory);
    data_counters(j, "counters", v->model, &c);
    json_end_object(j);
}

static void write_lines(const struct report_data *d, struct json_writer *j,
                        const struct report_view *v) {
    const struct isa_kernel *k = v->counted.kernel;
    uint64_t *places = malloc((k->ninsts + (size_t)1) * sizeof *places);
    json_array(j, "lines");
    for (uint32_t n = 0; places && n < k->ninsts; n++)
        places[n] = (uint64_t)k->insts[n].file << 32 | k->insts[n].line;
    if (places) qsort(places, k->ninsts, sizeof *places, by_place);
    for (uint32_t n = 0; places && n < k->ninsts; n++)
        if ((uint32_t)places[n] && (!n || places[n] != places[n - 1]))
            write_line(d, j, v, places[n]);
    json_end_array(j);
    free(places);
}

static const char *space_of(const struct isa_site *s) {
    static const char *const names[ISA_SPACE_COUNT] = {[ISA_GLOBAL] = "global",
                                                       [ISA_LOCAL] = "shared",
                                                       [ISA_CONSTANT] = "constant",
                                                       [ISA_PRIVATE] = "private"};
    return s->kind <= ISA_SITE_atomic ? names[s->space] : NULL;
}

static void write_site(const struct report_data *d, struct json_writer *j,
                       const struct report_view *v, uint32_t n) {
    const struct isa_kernel *k = v->counted.kernel;
    const struct isa_site *s = &k->sites[n];
    json_object(j, NULL);
    json_integer(j, "site", n + 1);
    json_text(j, "kind", isa_site_kind_name[s->kind]);
    json_text(j, "space", space_of(s));
    json_integer(j, "bytes", (uint64_t)s->width * s->count);
    json_integer(j, "file", data_source(d, v->launch->of, s->file));
    json_integer(j, "line", s->line);
    json_integer(j, "column", s->column);
    if (s->call) json_text(j, "within", k->calls[s->call - 1].name);
    json_text(j, "text", s->text);
    data_counters(j, "counters", v->model, &v->sites[n]);
    if (s->kind == ISA_SITE_image_read)
        drawing_write_read(j, v->model, worst_read_of_site(&v->worst, n));
    else
        drawing_write(j, v->model, s, worst_of_site(&v->worst, n));
    json_end_object(j);
}

static void write_sites(const struct report_data *d, struct json_writer *j,
                        const struct report_view *v) {
    const struct isa_kernel *k = v->counted.kernel;
    json_array(j, "sites");
    for (uint32_t n = 0; n < k->nsites; n++)
        if (k->sites[n].fate == ISA_SITE_PRESENT) write_site(d, j, v, n);
    json_end_array(j);
}

/* ---- an earlier run ---- */

/* Counters that were others then, as they were; the meaning of those that are gone is 0 now. */
static void write_before(const struct report_data *d, struct json_writer *j,
                         const struct report_view *v) {
    const cJSON *old = d->before ? baseline_find(d->before, v->launch) : NULL;
    if (!old) {
        json_null(j, "before");
        return;
    }
    const cJSON *counters = baseline_member(old, "counters");
    json_object(j, "before");
    json_number(j, "seconds", baseline_number(baseline_member(old, "time"), "seconds", 0));
    json_integer(j, "launches", (uint64_t)baseline_number(old, "launches", 0));
    json_object(j, "counters");
    for (int n = 0; n < GPU_COUNTERS; n++) {
        double was = baseline_number(counters, gpu_counter_info[n].name, 0);
        if (was != (double)v->all.value[n] &&
            gpu_counter_has((enum gpu_counter)n, v->model->cc_minor))
            json_number(j, gpu_counter_info[n].name, was);
    }
    json_end_object(j);
    json_end_object(j);
}

void data_launch_write(const struct report_data *d, struct json_writer *j,
                       const struct report_view *v, bool detailed) {
    const struct folded_launch *l = v->launch;
    json_object(j, NULL);
    json_text(j, "kernel", v->counted.kernel->name);
    json_triple(j, "global", l->global);
    json_triple(j, "local", l->local);
    json_integer(j, "launches", l->launches);
    if (l->others) json_integer(j, "other_sizes", l->others);
    json_integer(j, "groups", l->groups);
    json_integer(j, "items", l->items);
    json_text(j, "verdict", v->verdict);
    json_number(j, "seconds", v->total);
    write_time(j, v);
    write_repairs(d, j, v);
    write_boards(d, j, v);
    write_resources(j, &l->resources);
    write_occupancy(j, v, detailed);
    json_number(j, "flops", v->flops);
    json_integer(j, "moved", gpu_cost_bytes(v->model, &v->all));
    data_counters(j, "counters", v->model, &v->all);
    write_before(d, j, v);
    json_truth(j, "detailed", detailed);
    if (detailed) {
        write_lines(d, j, v);
        write_sites(d, j, v);
    }
    json_end_object(j);
}
