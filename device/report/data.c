#include "data.h"
#include "spans.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is shown ---- */

static bool same_text(const struct report_source *a, const char *name,
                      const struct report_text *text) {
    return !strcmp(a->name, name) && !a->text->bytes == !text->bytes &&
           a->text->length == text->length &&
           (!text->length || !memcmp(a->text->bytes, text->bytes, text->length));
}

static const char *name_of(const struct folded_kernel *k, uint32_t file) {
    return file ? k->files[file] : "<program source>";
}

/* Behind the last: it is not among them. */
size_t data_source(const struct report_data *d, const struct folded_kernel *k, uint32_t file) {
    size_t n = 0;
    while (n < d->nsources && !same_text(&d->sources[n], name_of(k, file), &k->texts[file])) n++;
    return n;
}

static bool uses(const struct isa_kernel *k, uint32_t file) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].file == file && k->insts[n].line) return true;
    return false;
}

static bool find_sources(struct report_data *d) {
    size_t most = 1;
    for (const struct folded_kernel *k = d->fold->kernels; k; k = k->next) most += k->nfiles;
    if (!(d->sources = calloc(most, sizeof *d->sources))) return false;
    for (const struct folded_kernel *k = d->fold->kernels; k; k = k->next)
        for (uint32_t n = 0; n < k->nfiles; n++)
            if (uses(k->kernel, n) && data_source(d, k, n) == d->nsources)
                d->sources[d->nsources++] = (struct report_source){name_of(k, n), &k->texts[n]};
    return true;
}

bool data_make(struct report_data *d, const struct fold *fold, const struct report_wish *wish,
               const struct baseline *before) {
    *d = (struct report_data){.fold = fold, .wish = wish, .before = before};
    if (!find_sources(d)) return false;
    if (!(d->views = calloc(fold->count + 1, sizeof *d->views))) return false;
    for (const struct folded_launch *l = fold->first; l; l = l->next) {
        if (!l->launches) continue;
        struct report_view *v = view_new(l);
        if (!v) return false;
        d->views[d->nviews++] = v;
        d->total += v->total;
    }
    return true;
}

void data_free(struct report_data *d) {
    for (size_t n = 0; n < d->nviews; n++) view_free(d->views[n]);
    free(d->views);
    free(d->sources);
}

/* ---- JSON ---- */

static void write_device(struct json_writer *j, const struct model *m) {
    json_object(j, "device");
    json_text(j, "name", m->name);
    json_integer(j, "minor", m->cc_minor);
    json_integer(j, "multiprocessors", m->multiprocessors);
    json_integer(j, "clock_mhz", m->clock_mhz);
    json_number(j, "bandwidth", m->memory_bandwidth_mbs * 1e6);
    json_integer(j, "partitions", m->partitions);
    json_integer(j, "most_group", m->max_group);
    json_integer(j, "most_warps", m->resident_warps);
    json_integer(j, "most_groups", m->resident_groups);
    json_integer(j, "registers", m->registers);
    json_integer(j, "shared_bytes", m->shared_bytes);
    json_truth(j, "unlimited", m->unlimited);
    json_end_object(j);
}

static void write_sources(const struct report_data *d, struct json_writer *j) {
    size_t left = DATA_SOURCES;
    json_array(j, "sources");
    for (size_t n = 0; n < d->nsources; n++) {
        const struct report_text *t = d->sources[n].text;
        bool fits = t->bytes && t->length <= left;
        json_object(j, NULL);
        json_text(j, "name", d->sources[n].name);
        if (fits)
            json_bytes(j, "text", t->bytes, t->length);
        else
            json_null(j, "text");
        json_end_object(j);
        if (fits) left -= t->length;
    }
    json_end_array(j);
}

static void write_parameters(struct json_writer *j, const struct model *m) {
    json_array(j, "parameters");
    for (int n = 0; n < GPU_TIMING_PARAMETERS; n++) {
        const struct gpu_timing_info *i = &gpu_timing_info[n];
        json_object(j, NULL);
        json_text(j, "name", i->name);
        json_number(j, "value", gpu_time_parameter(m, (enum gpu_timing_parameter)n));
        json_text(j, "unit", i->unit);
        json_text(j, "what", i->what);
        json_text(j, "source", i->source);
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_units(struct json_writer *j) {
    json_array(j, "units");
    for (int n = 0; n < GPU_UNITS; n++) {
        json_object(j, NULL);
        json_text(j, "name", gpu_unit_info[n].name);
        json_text(j, "what", gpu_unit_info[n].what);
        json_text(j, "section", gpu_unit_info[n].section);
        if (gpu_accuracy[n].rows) {
            json_number(j, "measured", gpu_accuracy[n].rows);
            json_number(j, "off", gpu_accuracy[n].mean);
            json_number(j, "off_most", gpu_accuracy[n].worst);
        }
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_meanings(struct json_writer *j, const struct model *m) {
    json_array(j, "counters");
    for (int n = 0; n < GPU_COUNTERS; n++) {
        const struct gpu_counter_info *i = &gpu_counter_info[n];
        if (!gpu_counter_has((enum gpu_counter)n, m->cc_minor)) continue;
        json_object(j, NULL);
        json_text(j, "name", i->name);
        json_text(j, "unit", i->unit);
        json_text(j, "what", i->what);
        json_text(j, "section", i->section);
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- all of it ---- */

/* How many records take longer. */
static size_t rank_of(const struct report_data *d, size_t which) {
    size_t rank = 0;
    for (size_t n = 0; n < d->nviews; n++)
        rank += d->views[n]->total > d->views[which]->total ||
                (d->views[n]->total == d->views[which]->total && n < which);
    return rank;
}

static void write_launches(const struct report_data *d, struct json_writer *j) {
    json_array(j, "launches");
    uint64_t begin = j->bytes;
    for (size_t n = 0; n < d->nviews; n++)
        data_launch_write(d, j, d->views[n],
                          j->bytes - begin < DATA_BYTES && rank_of(d, n) < DATA_DETAILED);
    json_end_array(j);
}

/* Kernels that an earlier run had, and this one has not. */
static void write_gone(const struct report_data *d, struct json_writer *j) {
    json_array(j, "gone");
    const cJSON *v;
    cJSON_ArrayForEach(v, baseline_launches(d->before)) {
        bool here = false;
        const char *name = baseline_text(v, "kernel", "");
        for (size_t n = 0; n < d->nviews && !here; n++)
            here = !strcmp(d->views[n]->counted.kernel->name, name);
        if (!here) json_text(j, NULL, name);
    }
    json_end_array(j);
}

static void write_baseline(const struct report_data *d, struct json_writer *j) {
    if (!d->before) {
        json_null(j, "baseline");
        return;
    }
    json_object(j, "baseline");
    json_text(j, "path", d->wish->baseline);
    json_text(j, "device", baseline_device(d->before));
    write_gone(d, j);
    json_end_object(j);
}

void data_write(const struct report_data *d, FILE *to) {
    struct json_writer j = {.to = to};
    const struct model *m = d->nviews ? d->views[0]->model : d->wish->model;
    uint32_t every = d->nviews ? d->views[0]->launch->every : 0;
    json_object(&j, NULL);
    json_text(&j, "format", "simtcl report");
    json_integer(&j, "version", 1);
    json_text(&j, "program", d->wish->program);
    write_device(&j, m);
    json_number(&j, "seconds", d->total);
    json_integer(&j, "every", every ? every : 1);
    json_integer(&j, "left_out", d->fold->left_out);
    write_baseline(d, &j);
    write_launches(d, &j);
    write_sources(d, &j);
    spans_write(&j, d->wish);
    write_units(&j);
    write_parameters(&j, m);
    write_meanings(&j, m);
    json_end_object(&j);
    fputc('\n', to);
}
