#include "launchsay.h"

#include <stddef.h>
#include <stdio.h>

#include "device/host/pool.h"
#include "device/launch.h"

static int say_time(char *text, size_t size, uint64_t ns) {
    unsigned long long s = ns / 1000000000u;
    if (s < 120) return snprintf(text, size, "%llu s", s);
    if (s < 7200) return snprintf(text, size, "%llu min", s / 60);
    return snprintf(text, size, "%llu h %llu min", s / 3600, s / 60 % 60);
}

/* Groups that have ended for certain: all but what threads may be at. */
static uint64_t groups_done(const struct job *job) {
    uint64_t handed = atomic_load(&job->next), out = job->chunk * (pool_threads() + (uint64_t)1);
    if (handed > job->count) handed = job->count;
    return handed > out ? handed - out : 0;
}

void launchsay(const struct watch *w, uint64_t ns, bool ended, char *text, size_t size) {
    const struct launch_state *s =
        (const struct launch_state *)((const char *)w - offsetof(struct launch_state, watch));
    const struct launch *l = s->launch;
    const struct tiles *t = s->tiling.size[0] ? &s->tiling : NULL;
    uint64_t done = groups_done(&l->job), all = s->first + l->job.count + s->left;
    if (t) all = (uint64_t)s->groups[0] * s->groups[1] * s->groups[2];
    if (done > all) done = all; /* blocks may have places without a group */
    char time[40], left[60] = "";
    say_time(time, sizeof time, ns);
    if (ended) {
        snprintf(text, size, "kernel \"%.100s\" %s after %s, %llu groups", l->kernel->name,
                 atomic_load(&s->stopped) ? "stopped" : "ended", time, (unsigned long long)all);
        return;
    }
    if (done) {
        int n = snprintf(left, sizeof left, ", some ");
        n += say_time(left + n, sizeof left - (size_t)n,
                      (uint64_t)((double)ns * (double)(all - done) / (double)done));
        snprintf(left + n, sizeof left - (size_t)n, " left");
    }
    snprintf(text, size, "kernel \"%.100s\" has run for %s (%s): %llu of %llu groups done%s",
             l->kernel->name, time, executable_code(s->kernel, l, t)->engine->name,
             (unsigned long long)done, (unsigned long long)all, left);
}
