/* All that a report knows, as JSON: what the page embeds, and what SIMTCL_PROFILE=json writes.
 * fields.def says what each member means. Private to device/report. */
#ifndef SIMTCL_DATA_H
#define SIMTCL_DATA_H

#include "baseline.h"
#include "json_writer.h"
#include "view.h"

enum {
    DATA_DETAILED = 32,       /* records with lines, sites and curves: those that take longest */
    DATA_BYTES = 1200 * 1000, /* behind so many bytes no further record has them */
    DATA_SOURCES = 400 * 1000 /* bytes of source text in all; what goes beyond is left out */
};

struct report_source {
    const char *name;
    const struct report_text *text;
};

struct report_data {
    const struct fold *fold;
    const struct report_wish *wish;
    struct report_view **views; /* in the order of the records */
    size_t nviews;
    double total; /* predicted seconds of all launches */
    struct report_source *sources;
    size_t nsources;
    const struct baseline *before; /* NULL: none */
};

/* False: no memory. data_free in any case. */
bool data_make(struct report_data *d, const struct fold *fold, const struct report_wish *wish,
               const struct baseline *before);
void data_free(struct report_data *d);
/* The text of a kernel's file: index in d->sources. */
size_t data_source(const struct report_data *d, const struct folded_kernel *k, uint32_t file);
void data_write(const struct report_data *d, FILE *to);

/* data_launch.c: one record; detailed: with lines, sites and curves. */
void data_launch_write(const struct report_data *d, struct json_writer *j,
                       const struct report_view *v, bool detailed);
void data_counters(struct json_writer *j, const char *key, const struct model *m,
                   const struct gpu_counters *c);

#endif
