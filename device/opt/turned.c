#include "turned.h"

#include "device/analysis/numbers.h"
#include "device/isa/compare.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "opt_pass.h"

/* What a special register is in the other range; ISA_SPECIAL_COUNT: nothing. */
typedef uint32_t turning(uint32_t which);

static uint32_t in_rows(uint32_t which) {
    switch (which) {
    case ISA_SPECIAL_local_id_x: return ISA_SPECIAL_global_id_x;
    case ISA_SPECIAL_local_size_x: return ISA_SPECIAL_global_size_x;
    case ISA_SPECIAL_group_id_x: return ISA_SPECIAL_global_id_y;
    case ISA_SPECIAL_num_groups_x: return ISA_SPECIAL_global_size_y;
    default: return ISA_SPECIAL_COUNT;
    }
}

static uint32_t in_lines(uint32_t which) {
    switch (which) {
    case ISA_SPECIAL_global_id_x: return ISA_SPECIAL_global_id_y;
    case ISA_SPECIAL_global_id_y: return ISA_SPECIAL_global_id_z;
    case ISA_SPECIAL_global_size_x: return ISA_SPECIAL_global_size_y;
    case ISA_SPECIAL_global_size_y: return ISA_SPECIAL_global_size_z;
    default: return ISA_SPECIAL_COUNT;
    }
}

/* All that the kernel asks for is something there. */
static bool may_turn(const struct isa_kernel *k, turning *turn) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_special && turn((uint32_t)k->insts[n].imm) == ISA_SPECIAL_COUNT)
            return false;
    return true;
}

static void turn_all(struct isa_kernel *k, turning *turn) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_special)
            k->insts[n].imm = (int32_t)turn((uint32_t)k->insts[n].imm);
}

struct isa_kernel *turned_rows(const struct isa_kernel *k) {
    bool strides = false;
    if (!may_turn(k, in_rows)) return NULL;
    for (uint32_t n = 0; n < k->ninsts; n++)
        strides |=
            k->insts[n].op == ISA_special && k->insts[n].imm == (int32_t)ISA_SPECIAL_local_size_x;
    struct isa_kernel *rows = strides ? isa_kernel_copy(k) : NULL;
    if (rows) turn_all(rows, in_rows);
    return rows;
}

/* ---- lines ---- */

bool turned_near(uint64_t along, uint64_t across, bool given) {
    enum { NEXT = 16, NEAR = 64 /* bytes */ };
    return along && (along <= NEXT || (given && along <= NEAR && along < across));
}

/* The first loop, which counts, is left only before an iteration does anything. */
struct line_loop {
    uint32_t begin, start, leaves; /* instructions: where it begins; what starts its counter */
    bool plain;                    /* that counts from 0 on one by one */
    bool inclusive;                /* up to the bound, too */
    isa_operand bound;
    uint32_t step;
    struct loop_counter counter;
    struct loop_counters counters; /* of all loops; */
    uint32_t *starts;              /* what starts them, + 1; */
    isa_operand *strides;          /* by how much they go on, in strides */
    struct linegrowth along, across;
};

/* What is stored in one iteration and the next lies near each other, as far as that is known before
 * a launch. */
static bool stores_lines(const struct isa_kernel *k, const struct loops *l, struct arena *arena,
                         struct line_loop *line) {
    line->along = linegrowth_of(k, l, loops_at(l, line->begin), arena);
    line->across = linegrowth_of(k, l, 0, arena);
    return line->along.known && line->along.by && turned_near(line->along.by, 0, false);
}

/* Nothing in an iteration jumps to the loop or out of it. */
static bool stays_within(const struct isa_kernel *k, uint32_t from, uint32_t end) {
    uint32_t depth = 0;
    for (uint32_t n = from; n < end; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_JUMP && (uint32_t)k->insts[n].imm >= depth) return false;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        depth -= (flags & ISA_OP_REGION_END) != 0;
    }
    return true;
}

/* Nothing reads counters of the loop behind their steps: what counts in it is its iterations, then.
 */
static bool steps_last(const struct isa_kernel *k, const struct line_loop *line, uint32_t end) {
    if (!loops_counter(&line->counters, line->counter.reg, line->counter.loop)) return false;
    for (uint32_t m = 0; m < line->counters.count; m++) {
        const struct loop_counter *t = &line->counters.list[m];
        if (t->loop == line->counter.loop && isa_reads_between(k, t->reg, t->at + 1, end))
            return false;
    }
    return true;
}

/* It starts with no number below 0, whatever the work-item. */
static bool starts_high(const struct isa_kernel *k, uint32_t start) {
    struct numbers x;
    struct arena *arena = numbers_new(&x, k, NULL);
    bool high = arena && numbers_written(&x, k, start).least >= 0;
    arena_free(arena);
    return high;
}

static bool find_line(const struct isa_kernel *k, const struct loops *l, struct arena *arena,
                      struct line_loop *line) {
    enum { MOST_STEP = 4 };
    uint32_t begin = line->begin, n = begin + 1;
    struct loop_exit e;
    while (n < k->ninsts && isa_op_info[k->insts[n].op].flags & ISA_OP_PURE) n++;
    if (n >= k->ninsts || k->insts[n].op != ISA_breakif || !loops_exit(l, k, n, &e)) return false;
    uint32_t start = loops_start(k, begin, e.counter.reg);
    if (e.down || e.off || !start || !stores_lines(k, l, arena, line)) return false;
    const struct isa_inst *i = &k->insts[start - 1];
    isa_operand from = i->op == ISA_mov ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
    bool zero = isa_is_const(from) && !k->consts[isa_const_index(from)].bits;
    line->plain = e.step == 1 && zero;
    line->counter = e.counter;
    line->start = start - 1;
    line->leaves = n;
    line->bound = e.bound;
    line->step = e.step;
    line->inclusive = e.inclusive;
    if (line->plain) return true;
    uint32_t end = l->loops[loops_at(l, begin)].end;
    return e.step && e.step <= MOST_STEP && compare_is_order(k->insts[e.compare].op) &&
           stays_within(k, n + 1, end) && steps_last(k, line, end) && starts_high(k, start - 1);
}

/* ---- the kernel in strides ---- */

struct strider {
    struct kernelcopy c;
    const struct line_loop *line;
    isa_operand count;     /* how many there are in dimension 0 */
    isa_operand iteration; /* where the line is not plain */
    isa_operand end;       /* so many there may be */
};

static isa_operand times(struct kernelcopy *c, isa_operand number, int32_t by) {
    if (by == 1) return number;
    return kernelcopy_result(c, ISA_mul, ISA_I32, number, kernelcopy_word(c, (uint32_t)by));
}

/* Counter m goes along with the line's own. */
static bool goes_along(const struct strider *s, uint32_t m) {
    const struct line_loop *line = s->line;
    const struct loop_counter *t = &line->counters.list[m];
    return t->loop == line->counter.loop && t->reg != line->counter.reg && line->starts[m] &&
           loops_constant_step(s->c.k, t);
}

/* Before the loop: by how much counters go on in it. */
static void put_strides(struct strider *s) {
    const struct line_loop *line = s->line;
    s->count = kernelcopy_special(&s->c, ISA_SPECIAL_global_size_x);
    for (uint32_t m = 0; m < line->counters.count; m++)
        if (goes_along(s, m))
            line->strides[m] =
                times(&s->c, s->count, loops_constant_step(s->c.k, &line->counters.list[m]));
}

/* Where one starts: as many steps on as the work-item is in dimension 0. */
static void put_start(struct strider *s, uint32_t n, const struct loop_counter *t) {
    struct isa_inst *i = kernelcopy_put(&s->c, n);
    isa_operand first = isa_reg_new(s->c.out, ISA_I32);
    if (s->c.failed) return;
    isa_dsts(s->c.out, i)[0] = first;
    isa_operand by = times(&s->c, kernelcopy_special(&s->c, ISA_SPECIAL_global_id_x),
                           loops_constant_step(s->c.k, t));
    kernelcopy_add(&s->c, ISA_add, ISA_I32, t->reg, first, by);
}

/* What starts or steps a counter that goes along; false: the instruction does neither. */
static bool put_counter(struct strider *s, uint32_t n) {
    const struct line_loop *line = s->line;
    for (uint32_t m = 0; m < line->counters.count; m++) {
        const struct loop_counter *t = &line->counters.list[m];
        if (!goes_along(s, m) || (n + 1 != line->starts[m] && n != t->at)) continue;
        if (n == t->at)
            kernelcopy_add(&s->c, ISA_add, ISA_I32, t->reg, t->reg, line->strides[m]);
        else
            put_start(s, n, t);
        return true;
    }
    return false;
}

/* ---- of a loop that counts otherwise ---- */

static bool counts(const struct strider *s, uint32_t m) {
    return s->line->counters.list[m].reg == s->line->counter.reg || goes_along(s, m);
}

/* Before it: how many iterations there are of a line that starts with 0; none has more. Where that
 * number is more than a signed one holds it is below 0. */
static void put_iterations(struct strider *s) {
    const struct line_loop *line = s->line;
    struct kernelcopy *c = &s->c;
    uint32_t more = line->step - 1 + line->inclusive;
    isa_operand bound = line->bound;
    if (more) bound = kernelcopy_result(c, ISA_add, ISA_I32, bound, kernelcopy_word(c, more));
    if (line->step > 1)
        bound = kernelcopy_result(c, ISA_div_s, ISA_I32, bound, kernelcopy_word(c, line->step));
    s->end = bound;
    s->count = kernelcopy_special(c, ISA_SPECIAL_global_size_x);
    s->iteration = kernelcopy_special(c, ISA_SPECIAL_global_id_x);
}

/* At an iteration's begin: what counters are, in registers of their own. */
static void put_counters(struct strider *s) {
    const struct line_loop *line = s->line;
    kernelcopy_keep_names(&s->c);
    for (uint32_t m = 0; m < line->counters.count && !s->c.failed; m++) {
        const struct loop_counter *t = &line->counters.list[m];
        if (!counts(s, m)) continue;
        isa_operand by = times(&s->c, s->iteration, loops_constant_step(s->c.k, t));
        kernelcopy_rename(&s->c, t->reg);
        kernelcopy_add(&s->c, ISA_add, ISA_I32, kernelcopy_named(&s->c, t->reg), t->reg, by);
    }
}

static bool is_step(const struct strider *s, uint32_t n) {
    for (uint32_t m = 0; m < s->line->counters.count; m++)
        if (s->line->counters.list[m].at == n && counts(s, m)) return true;
    return false;
}

/* Where it is left: all iterations are done, or else the line has no such one, which is none that
 * is below the bound as numbers without a sign are. */
static void put_exit(struct strider *s, uint32_t n) {
    const struct line_loop *line = s->line;
    isa_operand done = kernelcopy_result(&s->c, ISA_le_s, ISA_I32, s->end, s->iteration);
    enum isa_op less = line->inclusive ? ISA_le_u : ISA_lt_u;
    kernelcopy_put_with(&s->c, n, &done);
    kernelcopy_control(&s->c, ISA_if,
                       kernelcopy_result(&s->c, less, ISA_I32,
                                         kernelcopy_named(&s->c, line->counter.reg), line->bound));
}

static void put_stepped(struct strider *s, uint32_t n) {
    const struct line_loop *line = s->line;
    s->c.at = n;
    if (n == line->begin) put_iterations(s);
    if (n == s->c.k->insts[line->begin].match) {
        kernelcopy_control(&s->c, ISA_endif, ISA_NO_OPERAND);
        kernelcopy_add(&s->c, ISA_add, ISA_I32, s->iteration, s->iteration, s->count);
    }
    if (n == line->leaves) {
        put_exit(s, n);
        return;
    }
    if (is_step(s, n)) return;
    struct isa_inst *i = kernelcopy_put(&s->c, n);
    if (i->op == ISA_special) i->imm = (int32_t)in_lines((uint32_t)i->imm);
    if (n == line->begin) put_counters(s);
}

static void put(struct strider *s, uint32_t n) {
    const struct line_loop *line = s->line;
    isa_operand reg = line->counter.reg;
    s->c.at = n;
    if (n == line->begin) put_strides(s);
    if (n == line->start) {
        kernelcopy_add(&s->c, ISA_special, ISA_I32, reg, ISA_NO_OPERAND, ISA_NO_OPERAND)->imm =
            (int32_t)ISA_SPECIAL_global_id_x;
    } else if (n == line->counter.at) {
        kernelcopy_add(&s->c, ISA_add, ISA_I32, reg, reg, s->count);
    } else if (!put_counter(s, n)) {
        struct isa_inst *i = kernelcopy_put(&s->c, n);
        if (i->op == ISA_special) i->imm = (int32_t)in_lines((uint32_t)i->imm);
    }
}

static struct isa_kernel *in_strides(const struct isa_kernel *k, const struct line_loop *line) {
    struct strider s = {.line = line};
    struct isa_kernel *out = NULL;
    enum { AROUND = 12 };
    uint32_t more = AROUND + 4 * line->counters.count;
    bool good = kernelcopy_begin(&s.c, k, k->ninsts + more);
    for (uint32_t n = 0; good && n < k->ninsts; n++) (line->plain ? put : put_stepped)(&s, n);
    if (good && !s.c.failed && kernelcopy_finish(s.c.out)) {
        out = s.c.out;
        s.c.out = NULL;
    }
    kernelcopy_drop(&s.c);
    return out;
}

static struct isa_kernel *lines_of(const struct isa_kernel *k, struct arena *arena,
                                   struct linegrowth *along, struct linegrowth *across) {
    struct loops l;
    struct line_loop line;
    if (!loops_find(&l, k, arena)) return NULL;
    line.begin = l.loops[1].begin;
    loops_counters(&l, k, arena, &line.counters);
    line.starts = loops_starts(&l, k, arena, &line.counters);
    line.strides = ARENA_ARRAY(arena, isa_operand, line.counters.count + 1u);
    if (!find_line(k, &l, arena, &line)) return NULL;
    *along = line.along;
    *across = line.across;
    return in_strides(k, &line);
}

/* The same of a kernel in which indices are no sums, as they may be written. */
static struct isa_kernel *lines_by_index(struct isa_kernel *copy, struct arena *arena,
                                         struct linegrowth *along, struct linegrowth *across) {
    const struct trace_pass p = {.kernel = copy->name, .name = "unfold"};
    bool low_ids = copy->low_ids;
    copy->low_ids = true; /* launches are asked for that */
    opt_index(copy, arena, &p);
    copy->low_ids = low_ids;
    if (isa_kernel_failed(copy) || !may_turn(copy, in_lines)) return NULL;
    return lines_of(copy, arena, along, across);
}

struct isa_kernel *turned_lines(const struct isa_kernel *k, struct linegrowth *along,
                                struct linegrowth *across) {
    struct arena_try t;
    struct isa_kernel *copy = isa_kernel_copy(k), *lines = NULL;
    if (copy && !ARENA_FAILS(&t)) {
        lines = lines_by_index(copy, t.arena, along, across);
        arena_free(t.arena);
    }
    isa_kernel_free(copy);
    return lines;
}
