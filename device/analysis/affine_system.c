/* Bounds of variables follow from bounds of sums that they are in; then those of which few values
 * are left are tried. */
#include "affine_system.h"

#include <string.h>

#include "divisor.h"

enum { WORDS = SYSTEM_ROWS / 64, FEW = 8, LOOKS = 6000 /* at rows: a search's patience */ };
#define LARGEST                                                                                    \
    (INT64_C(1) << 56) /* what one entry may come to: all of a row's are no overflow               \
                        */

void system_begin(struct system *s) {
    s->variables = s->nrows = s->nentries = s->looks = s->lead = 0;
    s->failed = false;
}

unsigned system_variable(struct system *s, int64_t low, int64_t high) {
    if (s->variables == SYSTEM_VARIABLES) {
        s->failed = true;
        return 0;
    }
    memset(s->in[s->variables], 0, sizeof *s->in);
    s->counts[s->variables] = false;
    s->low[s->variables] = low;
    s->high[s->variables] = high;
    return s->variables++;
}

static bool is_large(const struct system *s, const struct system_entry *e) {
    int64_t low, high;
    return __builtin_mul_overflow(e->by, s->low[e->variable], &low) ||
           __builtin_mul_overflow(e->by, s->high[e->variable], &high) || low > LARGEST ||
           low < -LARGEST || high > LARGEST || high < -LARGEST;
}

void system_row(struct system *s, const struct system_entry *entries, unsigned count, int64_t low,
                int64_t high) {
    bool fits = s->nrows < SYSTEM_ROWS && s->nentries + count <= SYSTEM_ENTRIES;
    for (unsigned n = 0; n < count; n++) fits &= !is_large(s, &entries[n]);
    if (s->failed || !fits) {
        s->failed = true;
        return;
    }
    s->rows[s->nrows] = (struct system_row){(uint16_t)s->nentries, (uint16_t)count, low, high};
    memcpy(s->entries + s->nentries, entries, count * sizeof *entries);
    s->nentries += count;
    for (unsigned n = 0; n < count; n++)
        s->in[entries[n].variable][s->nrows / 64] |= UINT64_C(1) << s->nrows % 64;
    s->nrows++;
}

/* ---- bounds ---- */

static int64_t down(int64_t a, int64_t by) { return a / by - (a % by != 0 && (a < 0) != (by < 0)); }
static int64_t up(int64_t a, int64_t by) { return -down(-a, by); }

/* No multiple of what all that is open counts for comes between the bounds. */
static bool has_no_multiple(const struct system *s, const struct system_row *r) {
    int64_t grain = 0, fixed = 0;
    for (unsigned n = r->first; n < r->first + (unsigned)r->count; n++) {
        const struct system_entry *e = &s->entries[n];
        if (s->low[e->variable] == s->high[e->variable])
            fixed += e->by * s->low[e->variable];
        else
            grain = divisor_common(e->by < 0 ? -e->by : e->by, grain);
        if (grain == 1) return false;
    }
    return grain && up(r->low - fixed, grain) > down(r->high - fixed, grain);
}

/* What a row says of its variables. False: nothing solves it. Rows that have to be looked at then
 * are marked. */
static bool tighten(struct system *s, const struct system_row *r, uint64_t marked[WORDS]) {
    int64_t low = 0, high = 0;
    const struct system_entry *first = s->entries + r->first, *end = first + r->count;
    for (const struct system_entry *e = first; e < end; e++) {
        low += e->by * (e->by > 0 ? s->low : s->high)[e->variable];
        high += e->by * (e->by > 0 ? s->high : s->low)[e->variable];
    }
    if (low > r->high || high < r->low) return false;
    if (low >= r->low && high <= r->high) return true;
    for (const struct system_entry *e = first; e < end; e++) {
        int64_t *at[2] = {&s->low[e->variable], &s->high[e->variable]}, was[2] = {*at[0], *at[1]};
        if (was[0] == was[1]) continue;
        int64_t least = e->by * (e->by > 0 ? was[0] : was[1]),
                most = e->by * (e->by > 0 ? was[1] : was[0]);
        int64_t from = r->low - (high - most), to = r->high - (low - least); /* by * variable */
        int64_t lowest = e->by > 0 ? up(from, e->by) : up(to, e->by),
                highest = e->by > 0 ? down(to, e->by) : down(from, e->by);
        if (lowest > *at[0]) *at[0] = lowest;
        if (highest < *at[1]) *at[1] = highest;
        if (*at[0] > *at[1]) return false;
        if (*at[0] == was[0] && *at[1] == was[1]) continue;
        low += e->by * (e->by > 0 ? *at[0] : *at[1]) - least;
        high += e->by * (e->by > 0 ? *at[1] : *at[0]) - most;
        for (unsigned w = 0; w < WORDS; w++) marked[w] |= s->in[e->variable][w];
    }
    return r->high - r->low > FEW * FEW || !has_no_multiple(s, r);
}

/* False: nothing solves all rows. */
static bool settle(struct system *s, uint64_t marked[WORDS]) {
    enum { PATIENCE = 512 };
    unsigned looks = 0;
    for (bool any = true; any && looks < PATIENCE;) { /* in turn, so that none waits for others */
        any = false;
        for (unsigned r = 0; r < s->nrows; r++) {
            uint64_t bit = UINT64_C(1) << r % 64;
            if (!(marked[r / 64] & bit)) continue;
            marked[r / 64] &= ~bit;
            any = true;
            looks++;
            s->looks++;
            if (!tighten(s, &s->rows[r], marked)) return false;
        }
    }
    return true;
}

/* ---- search ---- */

static uint64_t size_of(const struct system *s, unsigned v) {
    return (uint64_t)(s->high[v] - s->low[v]);
}

/* What to try: the row that leads has those that decide most; -1: there is none. */
static int lead_variable(const struct system *s) {
    const struct system_row *r = &s->rows[s->lead];
    int best = -1;
    int64_t by = 0;
    for (unsigned n = r->first; n < r->first + (unsigned)r->count; n++) {
        const struct system_entry *e = &s->entries[n];
        int64_t weight = e->by < 0 ? -e->by : e->by;
        if (!size_of(s, e->variable) || size_of(s, e->variable) > FEW || weight <= by) continue;
        by = weight;
        best = (int)e->variable;
    }
    return best;
}

/* Then the one with fewest values, of those that count any, by their sign. */
static int open_variable(const struct system *s) {
    int best = -1;
    for (unsigned v = 0; v < s->variables; v++) {
        uint64_t size = size_of(s, v);
        bool signs = s->counts[v] && s->low[v] <= 0 && s->high[v] >= 0;
        if (size && (size <= FEW || signs) && (best < 0 || size < size_of(s, (unsigned)best)))
            best = (int)v;
    }
    return best;
}

/* ---- differences ---- */

/* Rows of which two variables are open, which count the same against each other, say between what
 * their difference lies: a - b <= most. Where such ones go round to less than 0 nothing solves
 * them.
 */
struct bound {
    uint16_t a, b;
    int64_t most;
};

static unsigned find_bounds(const struct system *s, struct bound *list) {
    unsigned count = 0;
    for (const struct system_row *r = s->rows; r < s->rows + s->nrows; r++) {
        struct system_entry open[2] = {{0, 0}, {0, 0}};
        int64_t fixed = 0;
        unsigned many = 0;
        for (unsigned n = r->first; n < r->first + (unsigned)r->count; n++) {
            const struct system_entry *e = &s->entries[n];
            if (!size_of(s, e->variable))
                fixed += e->by * s->low[e->variable];
            else if (many++ < 2)
                open[many - 1] = *e;
        }
        if (many != 2 || open[0].by != -open[1].by) continue;
        bool turned = open[0].by < 0;
        int64_t by = turned ? -open[0].by : open[0].by;
        uint16_t a = open[turned].variable, b = open[!turned].variable;
        list[count++] = (struct bound){a, b, down(r->high - fixed, by)};
        list[count++] = (struct bound){b, a, -up(r->low - fixed, by)};
    }
    return count;
}

static bool go_round(const struct system *s) {
    struct bound list[2 * SYSTEM_ROWS];
    int64_t far[SYSTEM_VARIABLES] = {0};
    unsigned count = find_bounds(s, list);
    for (unsigned round = 0; round <= s->variables; round++) {
        bool nearer = false;
        for (const struct bound *b = list; b < list + count; b++) {
            if (far[b->b] + b->most >= far[b->a]) continue;
            far[b->a] = far[b->b] + b->most;
            nearer = true;
        }
        if (!nearer) return false;
    }
    return true;
}

static bool is_none(const struct system *s) {
    for (unsigned v = 0; v < s->variables; v++)
        if (s->counts[v] && (s->low[v] || s->high[v])) return false;
    return true;
}

static bool search(struct system *s, unsigned depth);

/* The same where the variable lies between these. */
static bool try(struct system *s, unsigned v, int64_t low, int64_t high, unsigned depth) {
    int64_t was[2][SYSTEM_VARIABLES];
    uint64_t marked[WORDS];
    memcpy(was[0], s->low, s->variables * sizeof *s->low);
    memcpy(was[1], s->high, s->variables * sizeof *s->high);
    memcpy(marked, s->in[v], sizeof marked);
    s->low[v] = low;
    s->high[v] = high;
    bool never = !settle(s, marked) || search(s, depth + 1);
    memcpy(s->low, was[0], s->variables * sizeof *s->low);
    memcpy(s->high, was[1], s->variables * sizeof *s->high);
    return never;
}

/* There is no solution within the bounds, all of which are settled. */
static bool search(struct system *s, unsigned depth) {
    enum { DEPTH = 24 };
    if (is_none(s)) return true;
    if (depth == DEPTH || s->looks > LOOKS) return false;
    int v = lead_variable(s);
    if (v < 0 && go_round(s)) return true;
    if (v < 0) v = open_variable(s);
    if (v < 0) return false;
    int64_t low = s->low[v], high = s->high[v];
    if (size_of(s, (unsigned)v) > FEW)
        return (low == 0 || try(s, (unsigned)v, low, -1, depth)) &&
               try(s, (unsigned)v, 0, 0, depth) &&
               (high == 0 || try(s, (unsigned)v, 1, high, depth));
    for (int64_t n = low; n <= high; n++)
        if (!try(s, (unsigned)v, n, n, depth)) return false;
    return true;
}

bool system_never(struct system *s) {
    uint64_t marked[WORDS];
    if (s->failed || !s->nrows) return false;
    for (unsigned w = 0; w < WORDS; w++) {
        unsigned count = s->nrows > 64 * w ? s->nrows - 64 * w : 0;
        marked[w] = count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    }
    return !settle(s, marked) || search(s, 0);
}
