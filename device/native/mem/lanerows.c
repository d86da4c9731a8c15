/* Elements that each lane accesses one behind the other (device/analysis/elementrows.h) are moved
 * together, loads with the first access to them, stores with the last: words of each lane as one
 * vector, and transposed, or two of them gathered as one of twice the size; bytes and halves are
 * taken out of words that are gathered. */
#include <string.h>

#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"
#include "device/costs/opcosts.h"
#include "device/native/value.h"

enum { HALF = ISA_WARP / 2, WORD = 4 };
_Static_assert((int)ELEMENTROWS_MOST == (int)HALF, "a lane's words are a vector, at most");

bool lanerows_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    struct elementrows *rows = &plan->lanerows.of;
    struct elementrows_host host = {.masks = plan->request->level != NATIVE_BASELINE,
                                    .pairs = plan->request->level != NATIVE_BASELINE,
                                    .gathered = LIMIT_GATHERED};
    uint8_t *taken = plan_of_instructions(plan, 1);
    for (uint32_t n = 0; n < k->ninsts; n++)
        taken[n] = plan_get(plan, addresses)->known.of[n] || plan_get(plan, transposed)->of[n] ||
                   plan_get(plan, overwritten)->of[n];
    if (!plan_off(plan, PLAN_lanerows) && !plan->plain) host.taken = taken;
    if (!elementrows_find(rows, k, plan_shape(plan), &plan_get(plan, neighbours)->of, &host))
        return false;
    for (uint32_t r = 0, accesses = 0; r < rows->count; r++, accesses = 0) {
        for (uint32_t n = 0; n < k->ninsts; n++) accesses += rows->of[n] == r + 1;
        plan_tell(plan, PLAN_lanerows, rows->list[r].first,
                  "%u elements of each lane, by %u accesses",
                  (unsigned)__builtin_popcount(rows->list[r].used), accesses);
    }
    return true;
}

/* ---- lanes' rows ---- */

/* What a row is moved with. */
struct row_access {
    const struct elementrow *row;
    struct access_plan p; /* of the row's first element */
    bool narrow;          /* bytes or halves, of which words are made */
    bool whole;           /* the row is all of its words */
    bool filled;          /* lanes that are off load what one does that is on */
    LLVMTypeRef one;      /* a word */
    unsigned words;       /* of a lane, */
    unsigned width;       /* and of its vector: a power of two */
    LLVMTypeRef lane;     /* that vector */
    LLVMValueRef used;    /* its words, as a mask; NULL: all */
    LLVMValueRef lanes;   /* where lanes' addresses are in memory, if they lie anywhere */
    LLVMValueRef ahead;   /* how far on memory is asked for; NULL: it is not */
};

/* Accesses of other types of that size have their values turned. */
static enum isa_type row_type(const struct emitter *e, const struct elementrow *r) {
    return (enum isa_type)e->k->insts[r->first].type;
}

static struct row_access access_of(struct emitter *e, unsigned w) {
    const struct elementrows *rows = &plan_get(e->plan, lanerows)->of;
    struct row_access a = {.row = &rows->list[rows->of[e->i] - 1]};
    LLVMValueRef used[ELEMENTROWS_MOST];
    unsigned size = isa_type_size[e->inst->type];
    a.p = access_plan_of(e, w);
    a.narrow = size < WORD;
    a.one = e->c->scalar[a.narrow ? ISA_I32 : row_type(e, a.row)];
    a.words = (a.row->count * size + WORD - 1) / WORD;
    a.whole = a.row->count * size % WORD == 0;
    for (a.width = a.narrow ? 1 : 4; a.width < a.words;) a.width *= 2;
    a.lane = LLVMVectorType(a.one, a.width);
    uint32_t which = a.narrow ? (1u << a.words) - 1 : a.row->used;
    for (unsigned n = 0; n < a.width; n++)
        used[n] = LLVMConstInt(e->c->scalar[ISA_PRED], which >> n & 1, false);
    if (which != (1u << a.width) - 1) a.used = LLVMConstVector(used, a.width);
    return a;
}

/* Lanes follow one another without a gap, in their order or the other way round. */
static bool is_dense(const struct row_access *a) {
    int32_t step = (int32_t)(a->width * WORD);
    return a->p.lanes >= HALF && a->whole && !a->used &&
           (a->p.stride == step || a->p.stride == -step);
}

/* Words are moved by lanes' vectors, narrower elements if they are dense. */
static bool is_by_lanes(const struct row_access *a) {
    return !a->row->paired && (!a->narrow || is_dense(a));
}

/* Addresses go by way of memory: taking 32 of them out of vectors costs more than what is moved.
 * Hosts forward what was stored to narrower loads where the store was no wider than this, and LLVM
 * must not see what it is. */
static void put_lanes(struct emitter *e, struct row_access *a, unsigned w) {
    enum { FORWARDED = 4 };
    LLVMValueRef at = value_vector(e, &a->p.at);
    if (a->filled) {
        LLVMValueRef on = emit_lowest_bit(e, emit_mask_bits(e, w));
        on = emit_splat(e, LLVMBuildExtractElement(e->b, at, on, ""));
        at = LLVMBuildSelect(e->b, emit_mask(e, w), at, on, "");
        a->p.lanes = 0;
    }
    if (a->p.lanes) return;
    a->lanes = assisted_buffer(e, 0);
    for (unsigned lane = 0; lane < ISA_WARP; lane += FORWARDED) {
        LLVMValueRef to = emit_element(e, e->c->word, a->lanes, emit_word(e, lane));
        LLVMValueRef part = value_part(e->b, at, FORWARDED, lane / FORWARDED);
        LLVMSetVolatile(LLVMBuildStore(e->b, part, to), true);
    }
}

/* Where the words of a lane begin. */
static LLVMValueRef lane_at(struct emitter *e, const struct row_access *a, unsigned lane) {
    if (!a->p.lanes) {
        LLVMValueRef at = emit_element(e, e->c->word, a->lanes, emit_word(e, lane));
        at = LLVMBuildLoad2(e->b, e->c->word, at, "");
        LLVMSetVolatile(at, true);
        return access_host(e, at, a->row->imm);
    }
    int64_t by = (int64_t)a->p.stride * (lane % a->p.lanes);
    return access_host(e, access_piece(e, &a->p, lane / a->p.lanes), a->row->imm + by);
}

/* Of so many lanes that are dense, where in memory their words begin; and these in lanes' order. */
static LLVMValueRef dense_at(struct emitter *e, const struct row_access *a, unsigned lane,
                             unsigned lanes) {
    return lane_at(e, a, a->p.stride < 0 ? lane + lanes - 1 : lane);
}

static LLVMValueRef in_order(struct emitter *e, const struct row_access *a, LLVMValueRef v) {
    uint32_t from[HALF];
    for (unsigned n = 0; n < HALF; n++)
        from[n] = HALF - a->width - n / a->width * a->width + n % a->width;
    return a->p.stride < 0 ? value_shuffled(e->b, v, NULL, from, HALF) : v;
}

/* Lanes' addresses are hardly ever in order. */
static bool is_anywhere(const struct emitter *e, const struct row_access *a) {
    return !a->p.lanes && plan_likely_kind(e->plan, a->row->base);
}

/* Of the first lane's words from another one's. */
static LLVMValueRef distance(struct emitter *e, const struct row_access *a, unsigned lane) {
    if (a->p.lanes) return emit_word(e, lane * (uint32_t)a->p.stride);
    LLVMValueRef first = LLVMBuildExtractElement(e->b, a->p.at.v[0], emit_word(e, 0), "");
    LLVMValueRef other = LLVMBuildExtractElement(e->b, a->p.at.v[0], emit_word(e, lane), "");
    return LLVMBuildSub(e->b, other, first, "");
}

/* How far from a lane's words those of a warp further on lie: lanes' rows are one behind the other.
 * Where they are long, what is further on in them. A CPU fetches little ahead of what is loaded so
 * much at once. */
static LLVMValueRef distance_ahead(struct emitter *e, const struct row_access *a) {
    enum { LEAST = 8, HALVES = 6, FAR = 16384, ALONG = 192 };
    if (e->inst->space == ISA_LOCAL || a->width < LEAST || is_anywhere(e, a) ||
        plan_off(e->plan, PLAN_ahead))
        return NULL;
    LLVMValueRef by = distance(e, a, HALF);
    LLVMValueRef near = LLVMBuildAdd(e->b, by, emit_word(e, FAR / 2), "");
    near = emit_compare(e, LLVMIntULT, near, FAR);
    by = LLVMBuildMul(e->b, by, emit_word(e, HALVES), "");
    by = LLVMBuildSelect(e->b, near, by, emit_word(e, ALONG), "");
    emit_tell(e, PLAN_ahead, "the rows of lanes of warps further on");
    return LLVMBuildSExt(e->b, by, e->c->wide, "");
}

/* Where a row is; that of a warp further on is asked for. */
static LLVMValueRef asking(struct emitter *e, const struct row_access *a, LLVMValueRef at) {
    if (a->ahead) access_prefetch(e, emit_beyond(e, at, a->ahead), e->inst->op == ISA_st);
    return at;
}

/* Lanes' vectors, one behind the other, as one of 16 words. */
static LLVMValueRef load_lanes(struct emitter *e, const struct row_access *a, unsigned lane) {
    LLVMValueRef v[HALF];
    for (unsigned i = 0; i < HALF / a->width; i++)
        v[i] = access_row(e, a->lane, asking(e, a, lane_at(e, a, lane + i)), a->used);
    return value_chain(e->b, v, HALF / a->width, a->width);
}

/* A lane's words: under a mask, or by several stores where the CPU does those faster. */
static void put_lane(struct emitter *e, const struct row_access *a, LLVMValueRef all,
                     LLVMValueRef at) {
    uint8_t first[HALF], count[HALF];
    unsigned stores = elementrows_runs(a->row, first, count);
    if (!a->used || stores >= opcosts_of(e->request->level)->masked) {
        access_put_row(e, all, at, a->used);
        return;
    }
    for (unsigned n = 0; n < stores; n++) {
        LLVMValueRef to = emit_element(e, e->c->word, at, emit_word(e, first[n]));
        LLVMValueRef v = value_picked(e->b, all, NULL, first[n], 1, count[n]);
        access_mark(e, LLVMBuildStore(e->b, v, to));
    }
}

static void store_lanes(struct emitter *e, const struct row_access *a, unsigned lane,
                        LLVMValueRef all) {
    for (unsigned i = 0; i < HALF / a->width; i++) {
        LLVMValueRef v = value_part(e->b, all, a->width, i);
        put_lane(e, a, v, asking(e, a, lane_at(e, a, lane + i)));
    }
}

/* Words of a half-warp: lane by lane in, word by word out. */
static void load_half(struct emitter *e, const struct row_access *a, unsigned half,
                      LLVMValueRef *v) {
    LLVMTypeRef type = LLVMVectorType(a->one, HALF);
    unsigned width = a->width, lanes = HALF / width;
    for (unsigned n = 0; n < width; n++) {
        unsigned lane = half * HALF + n * lanes;
        v[n] =
            is_dense(a)
                ? in_order(e, a, access_plain(e, type, asking(e, a, dense_at(e, a, lane, lanes))))
                : load_lanes(e, a, lane);
    }
    riffle(e, v, width, true);
}

/* The other way round. */
static void store_half(struct emitter *e, const struct row_access *a, unsigned half,
                       LLVMValueRef *v) {
    unsigned width = a->width, lanes = HALF / width;
    riffle(e, v, width, false);
    for (unsigned n = 0; n < width; n++) {
        unsigned lane = half * HALF + n * lanes;
        if (is_dense(a))
            access_put_row(e, in_order(e, a, v[n]), dense_at(e, a, lane, lanes), NULL);
        else
            store_lanes(e, a, lane, v[n]);
    }
}

/* ---- pairs ---- */

/* Words that lie anywhere: two side by side are gathered as one of twice the size. */
static void gather_pairs(struct emitter *e, const struct row_access *a, unsigned w,
                         LLVMValueRef *v) {
    LLVMValueRef at = value_vector(e, &a->p.at);
    LLVMTypeRef words = LLVMVectorType(a->one, 2 * ISA_WARP);
    for (unsigned n = 0; n < a->row->count; n++) {
        int64_t by = a->row->imm + (int64_t)n * WORD;
        v[n] = NULL;
        if (!(a->row->used >> n & 1)) continue;
        if (!(a->row->used >> n & 2)) {
            v[n] = scattered_load(e, row_type(e, a->row), at, by, w);
            continue;
        }
        LLVMValueRef both = scattered_load(e, ISA_I64, at, by, w);
        both = LLVMBuildBitCast(e->b, both, words, "");
        v[n] = value_picked(e->b, both, NULL, 0, 2, ISA_WARP);
        v[n + 1] = value_picked(e->b, both, NULL, 1, 2, ISA_WARP);
        n++;
    }
}

/* ---- bytes and halves ---- */

/* Elements of words; NULL: of such as are gathered, the last of which ends where the row does: all
 * lies between bytes that are read, unless the row is less than a word. */
static void take_apart(struct emitter *e, const struct row_access *a, unsigned w,
                       const LLVMValueRef *words, LLVMValueRef *v) {
    unsigned size = isa_type_size[e->inst->type], bytes = a->row->count * size;
    unsigned last = bytes > WORD ? bytes - WORD : 0;
    LLVMValueRef at = words ? NULL : value_vector(e, &a->p.at), word = NULL;
    for (unsigned n = 0, begin = 0; n < a->row->count; n++) {
        if (!word || n * size >= begin + WORD) {
            begin = n * size < last ? n * size : last;
            word = words ? words[begin / WORD]
                         : scattered_load(e, ISA_I32, at, a->row->imm + (int64_t)begin, w);
        }
        LLVMValueRef by = emit_words(e, (n * size - begin) * 8);
        v[n] = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, word, by, ""),
                              e->c->vector[row_type(e, a->row)], "");
    }
}

/* The other way round; NULL: of words that are stored one by one, as lanes are all on. */
static void put_together(struct emitter *e, const struct row_access *a, const LLVMValueRef *v,
                         LLVMValueRef *words) {
    unsigned size = isa_type_size[e->inst->type], last = a->row->count * size - WORD;
    LLVMValueRef at = words ? NULL : value_vector(e, &a->p.at);
    LLVMValueRef all = LLVMConstAllOnes(e->c->vector[ISA_PRED]);
    for (unsigned n = 0; n < a->words; n++) {
        unsigned begin = n * WORD < last ? n * WORD : last;
        LLVMValueRef word = emit_words(e, 0);
        for (unsigned by = 0; by < WORD; by += size) {
            LLVMValueRef of = v[(begin + by) / size];
            of = LLVMBuildZExt(e->b, of, e->c->vector[ISA_I32], "");
            of = LLVMBuildShl(e->b, of, emit_words(e, by * 8), "");
            word = LLVMBuildOr(e->b, word, of, "");
        }
        if (at) access_scatter(e, word, access_host(e, at, a->row->imm + begin), 1, all);
        if (words) words[n] = word;
    }
}

/* ---- whether they are moved so ---- */

/* The second lane's words do not lie in the first one's, as an i1: they are no row. */
static LLVMValueRef is_apart(struct emitter *e, const struct row_access *a) {
    LLVMValueRef step = distance(e, a, 1);
    unsigned least = (a->row->count - 1u) * elementrows_size(e->k, a->row);
    step = LLVMBuildAdd(e->b, step, emit_word(e, least), "");
    return emit_compare(e, LLVMIntUGT, step, 2 * least);
}

/* Words that begin with the rows end on their pages, so that what is read behind the rows may be
 * read, as an i1. */
static LLVMValueRef are_on_pages(struct emitter *e, const struct row_access *a, unsigned w) {
    LLVMValueRef at = value_vector(e, &a->p.at);
    at = LLVMBuildAdd(e->b, at, emit_words(e, (uint32_t)a->row->imm), "");
    at = LLVMBuildAnd(e->b, at, emit_words(e, ACCESS_PAGE - 1), "");
    LLVMValueRef over = LLVMBuildICmp(e->b, LLVMIntUGT, at, emit_words(e, ACCESS_PAGE - WORD), "");
    if (!a->p.full) over = LLVMBuildAnd(e->b, over, emit_mask(e, w), "");
    return masks_none(e, over);
}

/* Whether they are, as an i1; NULL: they always are. */
static LLVMValueRef fits(struct emitter *e, const struct row_access *a, unsigned w) {
    LLVMValueRef good = NULL;
    if (e->inst->op == ISA_st && a->p.at.kind != KIND_LINEAR)
        good = access_in_order(e, value_vector(e, &a->p.at), ISA_WARP,
                               a->row->count * isa_type_size[e->inst->type]);
    else if (!a->p.lanes && !is_anywhere(e, a))
        good = is_apart(e, a);
    if (e->inst->op == ISA_ld && a->row->count * isa_type_size[e->inst->type] < WORD) {
        LLVMValueRef on = are_on_pages(e, a, w);
        good = good ? LLVMBuildAnd(e->b, good, on, "") : on;
    }
    if (a->p.full || (e->inst->op == ISA_ld && !is_by_lanes(a))) return good;
    LLVMValueRef all = a->filled ? masks_any(e, emit_mask(e, w)) : masks_all(e, w);
    return good ? LLVMBuildAnd(e->b, good, all, "") : all;
}

/* The row's values of a warp: read, or to be stored. Warps that read the same may have read them
 * once: some of them, at least. */
static LLVMValueRef *values_of(struct emitter *e, unsigned w) {
    const struct elementrows *rows = &plan_get(e->plan, lanerows)->of;
    if (e->inst->op == ISA_ld && e->regs.shared[rows->list[rows->of[e->i] - 1].base]) w = e->from;
    return &e->c->lanerows[((rows->of[e->i] - 1) * plan_bundle(e->plan) + w) * ELEMENTROWS_MOST];
}

static unsigned first_word(const struct emitter *e, const struct elementrow *r, uint32_t n) {
    return (unsigned)(((int64_t)e->k->insts[n].imm - r->imm) / elementrows_size(e->k, r));
}

/* Values of an access as those of the row's type, or the other way round: types are of one size. */
static void retype(struct emitter *e, enum isa_type type, unsigned count, LLVMValueRef *v) {
    for (unsigned c = 0; c < count; c++)
        v[c] = LLVMBuildBitCast(e->b, v[c], e->c->vector[type], "");
}

/* The accesses of the row one by one: loads into, or stores from, its values. */
static void one_by_one(struct emitter *e, const struct row_access *a, unsigned w, LLVMValueRef *v) {
    const struct elementrows *rows = &plan_get(e->plan, lanerows)->of;
    for (uint32_t n = a->row->first; n <= a->row->last; n++) {
        if (rows->of[n] != rows->of[e->i]) continue;
        struct emitter at = emit_at(e, n);
        struct access_plan p = access_plan_of(&at, w);
        LLVMValueRef *is = &v[first_word(e, a->row, n)];
        const struct isa_inst *i = at.inst;
        if (i->op == ISA_st) retype(e, (enum isa_type)i->type, i->count, is);
        access_move(&at, &p, w, is);
        if (i->op == ISA_ld) retype(e, row_type(e, a->row), i->count, is);
    }
}

/* Words: of stores, v; of loads, v becomes them. */
static void move_words(struct emitter *e, const struct row_access *a, LLVMValueRef *v) {
    LLVMTypeRef type = LLVMVectorType(a->one, HALF);
    LLVMValueRef half[2][ELEMENTROWS_MOST];
    for (unsigned h = 0; h < 2; h++) {
        if (e->inst->op == ISA_ld) {
            load_half(e, a, h, half[h]);
            continue;
        }
        for (unsigned n = 0; n < a->width; n++)
            half[h][n] =
                a->narrow || a->row->used >> n & 1 ? value_half(e, v[n], h) : LLVMGetPoison(type);
        store_half(e, a, h, half[h]);
    }
    for (unsigned n = 0; e->inst->op == ISA_ld && n < a->words; n++)
        v[n] = value_joined(e, half[0][n], half[1][n]);
}

static void move_elements(struct emitter *e, const struct row_access *a, unsigned w,
                          LLVMValueRef *v) {
    LLVMValueRef words[ELEMENTROWS_MOST];
    bool dense = is_by_lanes(a), load = e->inst->op == ISA_ld;
    if (!load) put_together(e, a, v, dense ? words : NULL);
    if (dense) move_words(e, a, words);
    if (load) take_apart(e, a, w, dense ? words : NULL, v);
}

static void move_row(struct emitter *e, unsigned w) {
    struct row_access a = access_of(e, w);
    a.filled = e->inst->op == ISA_ld && !a.p.full && !a.narrow && !is_dense(&a);
    LLVMValueRef *v = values_of(e, w);
    unsigned loaded = e->inst->op == ISA_ld ? a.row->count : 0;
    struct ways y = {0};
    if (!is_by_lanes(&a) && smalltables_near_fits(e, &a.p, loaded)) {
        smalltables_near(e, &y, &a.p, w, a.row->imm, loaded, v);
        retype(e, row_type(e, a.row), loaded, v);
        ways_else(e, &y, v, loaded);
    }
    LLVMValueRef good = fits(e, &a, w);
    if (good) ways_if(e, &y, good, "row");
    if (a.row->paired) {
        gather_pairs(e, &a, w, v);
    } else if (a.narrow) {
        move_elements(e, &a, w, v);
    } else {
        a.ahead = distance_ahead(e, &a);
        put_lanes(e, &a, w);
        move_words(e, &a, v);
    }
    if (good) {
        ways_else(e, &y, v, loaded);
        for (unsigned n = 0; n < loaded; n++) v[n] = NULL;
        if (a.narrow && loaded && is_dense(&a))
            take_apart(e, &a, w, NULL, v);
        else if (loaded && !a.narrow && is_anywhere(e, &a))
            gather_pairs(e, &a, w, v);
        else
            one_by_one(e, &a, w, v);
    }
    ways_end(e, &y, v, loaded);
}

bool lanerows_emit(struct emitter *e, unsigned w) {
    const struct elementrows *rows = &plan_get(e->plan, lanerows)->of;
    if (!rows->of[e->i] || e->one_lane) return false;
    const struct elementrow *r = &rows->list[rows->of[e->i] - 1];
    LLVMValueRef *v = &values_of(e, w)[first_word(e, r, e->i)];
    bool load = e->inst->op == ISA_ld;
    if (!load) {
        access_read_sources(e, w, v);
        retype(e, row_type(e, r), e->inst->count, v);
    }
    if (e->i == (load ? r->first : r->last)) move_row(e, w);
    if (load) {
        LLVMValueRef own[ELEMENTROWS_MOST];
        memcpy(own, v, e->inst->count * sizeof *v);
        retype(e, (enum isa_type)e->inst->type, e->inst->count, own);
        access_write_results(e, w, own);
    }
    return true;
}
