#include "counters_steps.h"

#include "device/gpu/request.h"

/* What the compiler knows of where a vector lies: as its type demands. */
enum { VECTOR_ALIGNMENT = REQUEST_BYTES };

/* One instruction, and how often it is issued, which is more than it takes effect where it is
 * predicated. */
struct issued {
    const struct isa_inst *inst;
    const struct observe_step *step; /* takes effect */
    uint64_t warps, lanes;           /* issued */
    bool branches;                   /* it is a branch of the device */
};

static bool is_memory(const struct isa_inst *i) { return isa_op_info[i->op].flags & ISA_OP_MEMORY; }

/* Words that lanes move, each by an instruction of its own. */
static unsigned words_of(const struct isa_inst *i, struct request_word *words) {
    unsigned bytes = isa_type_size[i->type], alignment = i->count > 1 ? VECTOR_ALIGNMENT : bytes;
    bool padded = i->op == ISA_ld && i->space == ISA_GLOBAL;
    return (padded ? request_split_load : request_split)(bytes * i->count, alignment, words);
}

static bool is_double(const struct isa_inst *i) {
    return i->type == ISA_F64 || i->type2 == ISA_F64;
}

static enum gpu_counter class_of(const struct isa_inst *i) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    if (info->flags & (ISA_OP_CONTROL | ISA_OP_BARRIER) || i->op == ISA_fence)
        return GPU_COUNTER_inst_control;
    if (info->unit == ISA_UNIT_MEM) return GPU_COUNTER_inst_memory;
    if (info->unit == ISA_UNIT_TEX) return GPU_COUNTER_inst_texture;
    if (is_double(i)) return GPU_COUNTER_inst_dp;
    return info->unit == ISA_UNIT_SFU ? GPU_COUNTER_inst_sfu : GPU_COUNTER_inst_sp;
}

/* Instructions of the device that it is. Arguments are operands of those that use them, which read
 * shared memory; a predicated region has no branch. */
static unsigned instructions_of(const struct issued *s) {
    const struct isa_inst *i = s->inst;
    struct request_word words[REQUEST_MOST];
    if (isa_op_info[i->op].unit == ISA_UNIT_NONE || i->space == ISA_PARAM) return 0;
    if (i->op == ISA_if && !s->branches) return 0;
    return i->op == ISA_ld || i->op == ISA_st ? words_of(i, words) : 1;
}

static void add_instructions(const struct issued *s, uint64_t *v) {
    unsigned n = instructions_of(s);
    v[GPU_COUNTER_instructions] += n * s->warps;
    v[class_of(s->inst)] += n * s->warps;
    v[GPU_COUNTER_lane_instructions] += n * s->step->lanes;
    v[GPU_COUNTER_predicated_off] += n * (s->lanes - s->step->lanes);
}

static void add_branches(const struct issued *s, uint64_t *v) {
    if (s->branches) {
        v[GPU_COUNTER_branch] += s->step->jumps;
        v[GPU_COUNTER_divergent_branch] += s->step->diverged;
    }
    if (s->inst->op == ISA_bar) {
        v[GPU_COUNTER_branch] += s->step->executions;
        v[GPU_COUNTER_barrier] += s->step->executions;
    }
}

static void add_global(const struct issued *s, uint64_t *v) {
    const struct isa_inst *i = s->inst;
    struct request_word words[REQUEST_MOST];
    unsigned n = words_of(i, words);
    bool load = i->op == ISA_ld;
    v[load ? GPU_COUNTER_gld_request : GPU_COUNTER_gst_request] += n * s->step->executions;
    for (unsigned w = 0; w < n; w++) {
        unsigned size = (unsigned)__builtin_ctz(words[w].bytes);
        unsigned first = load ? GPU_COUNTER_gld_lanes_8bit : GPU_COUNTER_gst_lanes_8bit;
        v[first + size] += s->step->lanes;
        v[load ? GPU_COUNTER_gld_bytes : GPU_COUNTER_gst_bytes] += words[w].bytes * s->step->lanes;
    }
}
_Static_assert(GPU_COUNTER_gld_lanes_128bit == GPU_COUNTER_gld_lanes_8bit + 4 &&
                   GPU_COUNTER_gst_lanes_128bit == GPU_COUNTER_gst_lanes_8bit + 4,
               "in the order of their sizes");

static void add_access(const struct issued *s, uint64_t *v) {
    const struct isa_inst *i = s->inst;
    struct request_word words[REQUEST_MOST];
    uint64_t times = s->step->executions;
    bool load = i->op == ISA_ld;
    if (isa_op_info[i->op].flags & ISA_OP_ATOMIC) {
        bool global = i->space == ISA_GLOBAL;
        v[global ? GPU_COUNTER_atom_global : GPU_COUNTER_atom_shared] += times;
        v[global ? GPU_COUNTER_atom_global_lanes : GPU_COUNTER_atom_shared_lanes] += s->step->lanes;
        return;
    }
    switch (i->space) {
    case ISA_GLOBAL: add_global(s, v); break;
    case ISA_LOCAL:
        v[load ? GPU_COUNTER_shared_load : GPU_COUNTER_shared_store] += words_of(i, words) * times;
        break;
    case ISA_PRIVATE:
        v[load ? GPU_COUNTER_local_load : GPU_COUNTER_local_store] += words_of(i, words) * times;
        break;
    case ISA_CONSTANT: v[GPU_COUNTER_const_load] += words_of(i, words) * times; break;
    }
}

static void add(const struct issued *s, struct gpu_counters *into) {
    uint64_t *v = into->value;
    add_instructions(s, v);
    add_branches(s, v);
    if (is_memory(s->inst)) add_access(s, v);
    if (s->inst->op == ISA_img_read) v[GPU_COUNTER_tex_request] += s->step->executions;
    if (s->inst->op == ISA_img_write) v[GPU_COUNTER_image_store] += s->step->executions;
}

static bool is_chosen(const struct isa_inst *i, const struct counters_choice *which) {
    if (which->site && i->site != which->site) return false;
    return !which->line || (i->line == which->line && i->file == which->file);
}

void counters_steps_add(const struct isa_kernel *k, const struct observe_step *steps,
                        const struct counters_choice *which, struct gpu_counters *into) {
    uint32_t open[ISA_MAX_NESTING + 1], depth = 0;
    uint32_t outermost = 0; /* depth of the outermost predicated region around, 0: none */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool predicated = outermost != 0;
        const struct observe_step *step = &steps[n],
                                  *issue = predicated ? &steps[open[outermost]] : step;
        if (flags & ISA_OP_REGION_BEGIN) {
            open[++depth] = n;
            if (i->op == ISA_if && i->flags & ISA_PREDICATED && !outermost) outermost = depth;
        }
        bool branches = !predicated && !outermost;
        if (is_chosen(i, which))
            add(&(struct issued){i, step, issue->executions, issue->lanes, branches}, into);
        if (flags & ISA_OP_REGION_END) {
            if (outermost == depth) outermost = 0;
            depth--;
        }
    }
}
