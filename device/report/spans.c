#include "spans.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 64, NAME = 64 };

/* What is not written yet of a lane. */
struct span_lane {
    char lane[NAME], name[NAME];
    const char *kind;
    double begin, end;
    uint64_t bytes, commands; /* 0: nothing */
};

struct spans {
    struct json_writer *j;
    uint64_t count;    /* of commands in lanes */
    uint64_t together; /* most of them that become one span */
    uint64_t written, left_out;
    struct span_lane lanes[LANES];
    unsigned nlanes;
};

static void count_span(void *to, const struct report_span *span) {
    struct spans *s = to;
    (void)span;
    s->count++;
}

static void put_lane(struct spans *s, struct span_lane *l) {
    struct json_writer *j = s->j;
    if (!l->commands) return;
    if (s->written++ >= SPANS_MOST) {
        s->left_out += l->commands;
    } else {
        json_object(j, NULL);
        json_text(j, "lane", l->lane);
        json_text(j, "name", l->name);
        json_text(j, "kind", l->kind);
        json_number(j, "begin", l->begin);
        json_number(j, "end", l->end);
        if (l->bytes) json_integer(j, "bytes", l->bytes);
        if (l->commands > 1) json_integer(j, "commands", l->commands);
        json_end_object(j);
    }
    l->commands = 0;
}

/* NULL: there are too many. */
static struct span_lane *find_lane(struct spans *s, const char *lane) {
    for (unsigned n = 0; n < s->nlanes; n++)
        if (!strncmp(s->lanes[n].lane, lane, NAME - 1)) return &s->lanes[n];
    if (s->nlanes == LANES) return NULL;
    struct span_lane *l = &s->lanes[s->nlanes++];
    snprintf(l->lane, sizeof l->lane, "%s", lane);
    return l;
}

static void add_span(void *to, const struct report_span *span) {
    struct spans *s = to;
    struct span_lane *l = find_lane(s, span->lane);
    if (!l) {
        s->left_out++;
        return;
    }
    if (l->commands >= s->together || strncmp(l->name, span->name, NAME - 1) != 0) put_lane(s, l);
    if (!l->commands) {
        snprintf(l->name, sizeof l->name, "%s", span->name);
        l->kind = span->kind;
        l->begin = span->begin;
        l->end = span->end;
        l->bytes = 0;
    }
    if (span->end > l->end) l->end = span->end;
    l->bytes += span->bytes;
    l->commands++;
}

void spans_write(struct json_writer *j, const struct report_wish *wish) {
    struct spans *s = wish->timeline ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        json_null(j, "timeline");
        return;
    }
    s->j = j;
    wish->timeline(count_span, s);
    s->together = (s->count + SPANS_MOST - 1) / SPANS_MOST;
    json_object(j, "timeline");
    json_text(j, "clock", wish->model_clock ? "model" : "host");
    json_array(j, "spans");
    uint64_t beyond = wish->timeline(add_span, s);
    for (unsigned n = 0; n < s->nlanes; n++) put_lane(s, &s->lanes[n]);
    json_end_array(j);
    json_integer(j, "left_out", beyond + s->left_out);
    json_end_object(j);
    free(s);
}
