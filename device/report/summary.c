#include <stdlib.h>
#include <string.h>

#include "device/observe/listing.h"
#include "summary.h"

enum { SUMMARY_KERNELS = 10, SUMMARY_REPAIRS = 2 };

static int by_total(const void *a, const void *b) {
    const struct report_view *const *x = a, *const *y = b;
    if ((*x)->total != (*y)->total) return (*x)->total < (*y)->total ? 1 : -1;
    return strcmp((*x)->counted.kernel->name, (*y)->counted.kernel->name);
}

static void put_size(const uint32_t size[3], FILE *to) {
    int last = size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0;
    for (int n = 0; n <= last; n++) fprintf(to, "%s%u", n ? " x " : "", (unsigned)size[n]);
}

static void put_repair(const struct report_view *v, const struct view_repair *r, FILE *to) {
    const struct gpu_repair_info *i = &gpu_repair_info[r->which];
    fprintf(to, "    -%.0f %%  ", 100 * r->gain / v->time.seconds);
    if (r->site) {
        const struct isa_site *s = &v->counted.kernel->sites[r->site - 1];
        fprintf(to, "%s:%u: ", listing_file(&v->counted, s->file), (unsigned)s->line);
    }
    fprintf(to, "%s: %s (guide %s)\n", i->wrong, i->change, i->section);
}

static void put_before(const struct report_data *d, const struct report_view *v, FILE *to) {
    const cJSON *old = d->before ? baseline_find(d->before, v->launch) : NULL;
    double was = baseline_number(baseline_member(old, "time"), "seconds", 0);
    char text[24];
    if (!old) {
        fprintf(to, "    not in the baseline\n");
    } else if (was > 0 && v->time.seconds > 0) {
        double times = was / v->time.seconds;
        fprintf(to, "    the baseline took %s", view_seconds(was, text));
        if (times > 1.0005 || times < 0.9995)
            fprintf(to, ": %.2f times as %s\n", times > 1 ? times : 1 / times,
                    times > 1 ? "fast now" : "slow now");
        else
            fprintf(to, ": no change\n");
    }
}

static void put_view(const struct report_data *d, const struct report_view *v, FILE *to) {
    char text[24];
    fprintf(to, "  %s ", v->counted.kernel->name);
    put_size(v->launch->global, to);
    fprintf(to, " by ");
    put_size(v->launch->local, to);
    if (v->launch->launches > 1)
        fprintf(to, ", %llu launches", (unsigned long long)v->launch->launches);
    if (v->time.seconds > 0)
        fprintf(to, ": %s%s", view_seconds(v->time.seconds, text),
                v->launch->launches > 1 ? " each" : "");
    fprintf(to, "\n    %s\n", v->verdict);
    for (unsigned n = 0; n < v->nrepairs && n < SUMMARY_REPAIRS; n++)
        put_repair(v, &v->repairs[n], to);
    if (d->before) put_before(d, v, to);
}

void summary_write(const struct report_data *d, FILE *to) {
    struct report_view **order = malloc((d->nviews + 1) * sizeof(struct report_view *));
    char text[24];
    if (!order || !d->nviews) {
        free(order);
        return;
    }
    memcpy(order, d->views, d->nviews * sizeof(struct report_view *));
    qsort(order, d->nviews, sizeof(struct report_view *), by_total);
    fprintf(to, "simtcl: %s would have taken %s for the kernels of %s\n", order[0]->model->name,
            view_seconds(d->total, text), d->wish->program);
    if (order[0]->launch->every > 1)
        fprintf(to, "  one group in %u was counted\n", (unsigned)order[0]->launch->every);
    for (size_t n = 0; n < d->nviews && n < SUMMARY_KERNELS; n++) put_view(d, order[n], to);
    if (d->nviews > SUMMARY_KERNELS) fprintf(to, "  and %zu more\n", d->nviews - SUMMARY_KERNELS);
    if (d->fold->left_out)
        fprintf(to, "  %llu launches are left out\n", (unsigned long long)d->fold->left_out);
    free(order);
}
