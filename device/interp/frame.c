/* Linear scan over the text. Control flow is structured and lanes that wait keep their place in it,
 * so a register that is written before it is read, in the part of a region where all its uses are,
 * needs its place from there to its last use, and through all loops entered in between. Any other
 * register may carry a value, or the zero it starts with, round a loop or past a branch: it has its
 * place from the kernel's beginning on. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };
enum place_class { SCALAR, BYTES_32, BYTES_64, BYTES_128, BYTES_256, CLASSES };
static const uint16_t class_bytes[CLASSES] = {8, 32, 64, 128, 256};
static const uint16_t class_align[CLASSES] = {8, 32, 64, 128, 128};

/* A part of a region: the code between its beginning, else and end. */
struct frame_part {
    uint32_t parent, end; /* end: the instruction that closes the region's text */
    uint16_t depth;
    bool loop;
};

/* What is known of one register's places in the text. */
struct use {
    uint32_t first, last;    /* instructions; first NONE: not used */
    uint32_t common, latest; /* innermost part that holds all of them; part of the last one */
    uint32_t next;           /* in a list of the scan */
    bool local;              /* its first use is a write, straight in the common part */
};

struct layout {
    const struct isa_kernel *k;
    const struct shape *s;
    const struct fuse *fuse;
    struct frame_part *parts;
    uint32_t nparts;
    struct use *uses;
    uint32_t *starts, *ends; /* for each instruction: list of registers, by use.next */
    uint32_t *free[CLASSES]; /* stacks of offsets */
    uint32_t nfree[CLASSES];
    uint64_t top;
    uint32_t *regs;
};

static enum place_class class_of(const struct layout *l, uint32_t reg) {
    if (l->k->reg_types[reg] == ISA_PRED || shape_is_uniform(l->s, reg)) return SCALAR;
    switch (isa_type_size[l->k->reg_types[reg]]) {
    case 1: return BYTES_32;
    case 2: return BYTES_64;
    case 4: return BYTES_128;
    default: return BYTES_256;
    }
}

static uint32_t part_common(const struct layout *l, uint32_t a, uint32_t b) {
    while (a != b) {
        if (l->parts[a].depth >= l->parts[b].depth)
            a = l->parts[a].parent;
        else
            b = l->parts[b].parent;
    }
    return a;
}

static void note(struct layout *l, uint32_t reg, uint32_t i, uint32_t part, bool write) {
    struct use *u = &l->uses[reg];
    if (u->first == NONE) {
        *u = (struct use){.first = i, .common = part, .latest = part, .local = write};
    } else {
        uint32_t common = part_common(l, u->common, part);
        if (common != u->common) u->local = false; /* the first use is in a part of its own */
        u->common = common;
        u->latest = part;
    }
    u->last = i;
}

static uint32_t part_new(struct layout *l, uint32_t parent, uint32_t end, bool loop) {
    l->parts[l->nparts] =
        (struct frame_part){parent, end, (uint16_t)(l->parts[parent].depth + 1), loop};
    return l->nparts++;
}

/* The sources of an instruction, and those of its parts, which it reads when they would. */
static void note_sources(struct layout *l, const struct isa_inst *inst, uint32_t i, uint32_t part) {
    const isa_operand *src = isa_srcs(l->k, inst);
    for (uint32_t n = 0; n < inst->nsrc; n++) {
        const struct isa_inst *maker = fuse_maker(l->fuse, l->k, src[n]);
        if (maker)
            note_sources(l, maker, i, part);
        else if (isa_is_reg(src[n]))
            note(l, src[n], i, part, false);
    }
}

static void find_uses(struct layout *l) {
    const struct isa_kernel *k = l->k;
    for (uint32_t r = 0; r < k->nregs; r++) l->uses[r].first = NONE;
    l->parts[0] = (struct frame_part){0, k->ninsts, 0, false};
    l->nparts = 1;
    uint32_t part = 0;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        uint32_t flags = isa_op_info[inst->op].flags;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) part = l->parts[part].parent;
        if (l->fuse->into[i] != FUSE_NONE) continue;
        const isa_operand *dst = isa_dsts(k, inst);
        note_sources(l, inst, i, part);
        for (uint32_t n = 0; n < inst->ndst; n++) note(l, dst[n], i, part, true);
        if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE))
            part = part_new(l, part, inst->match, inst->op == ISA_loop);
    }
}

/* Ends a register's time behind the loops that hold its last use, as far out as the part `within`.
 */
static uint32_t end_of(const struct layout *l, const struct use *u, uint32_t within) {
    uint32_t end = u->last;
    for (uint32_t p = u->latest; p != within; p = l->parts[p].parent)
        if (l->parts[p].loop) end = l->parts[p].end;
    return end;
}

static uint32_t place_new(struct layout *l, enum place_class c) {
    if (l->nfree[c]) return l->free[c][--l->nfree[c]];
    l->top = (l->top + class_align[c] - 1) / class_align[c] * class_align[c];
    uint64_t at = l->top;
    l->top += class_bytes[c];
    return (uint32_t)at;
}

static void assign(struct layout *l, struct frame_map *f) {
    const struct isa_kernel *k = l->k;
    for (uint32_t i = 0; i < k->ninsts; i++) l->starts[i] = l->ends[i] = NONE;
    l->top = (l->top + 127) / 128 * 128;
    f->zero_begin = (uint32_t)l->top;
    /* Backwards, so that lists are in ascending order. */
    for (uint32_t r = k->nregs; r-- > 0;) {
        struct use *u = &l->uses[r];
        if (u->first == NONE) continue;
        if (u->local) {
            u->next = l->starts[u->first];
            l->starts[u->first] = r;
        } else {
            l->regs[r] = place_new(l, class_of(l, r));
            uint32_t end = end_of(l, u, 0);
            u->next = l->ends[end];
            l->ends[end] = r;
        }
    }
    f->zero_end = (uint32_t)l->top;
    /* A place is free again behind its last instruction, never for a destination of that one. */
    for (uint32_t i = 0; i < k->ninsts; i++) {
        for (uint32_t r = l->starts[i], next; r != NONE; r = next) {
            struct use *u = &l->uses[r];
            next = u->next;
            l->regs[r] = place_new(l, class_of(l, r));
            uint32_t end = end_of(l, u, u->common);
            u->next = l->ends[end];
            l->ends[end] = r;
        }
        for (uint32_t r = l->ends[i]; r != NONE; r = l->uses[r].next) {
            enum place_class c = class_of(l, r);
            l->free[c][l->nfree[c]++] = l->regs[r];
        }
    }
}

/* Memory of the scan, in one block: the lists of free places are as long as their class has
 * registers. */
static void *layout_memory(struct layout *l) {
    const struct isa_kernel *k = l->k;
    uint32_t counts[CLASSES] = {0}, regions = 1;
    for (uint32_t r = 0; r < k->nregs; r++) counts[class_of(l, r)]++;
    for (uint32_t i = 0; i < k->ninsts; i++)
        regions +=
            (isa_op_info[k->insts[i].op].flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE)) != 0;
    size_t words = (size_t)k->nregs + 2 * (size_t)k->ninsts;
    size_t bytes =
        regions * sizeof *l->parts + k->nregs * sizeof *l->uses + words * sizeof(uint32_t);
    char *memory = malloc(bytes + 1);
    if (!memory) return NULL;
    l->parts = (struct frame_part *)memory;
    l->uses = (struct use *)(l->parts + regions);
    uint32_t *at = (uint32_t *)(l->uses + k->nregs);
    l->starts = at;
    l->ends = l->starts + k->ninsts;
    at = l->ends + k->ninsts;
    for (int c = 0; c < CLASSES; c++) {
        l->free[c] = at;
        at += counts[c];
    }
    return memory;
}

static uint32_t deepest(const struct layout *l) {
    uint32_t depth = 0;
    for (uint32_t p = 0; p < l->nparts; p++)
        if (l->parts[p].depth > depth) depth = l->parts[p].depth;
    return depth;
}

bool frame_layout(struct frame_map *f, const struct isa_kernel *k, const struct shape *s,
                  const struct fuse *fuse, uint32_t header) {
    struct layout l = {.k = k, .s = s, .fuse = fuse};
    *f = (struct frame_map){.regs = calloc(k->nregs ? k->nregs : 1, sizeof *f->regs)};
    void *memory = layout_memory(&l);
    if (!f->regs || !memory) goto failed;
    l.regs = f->regs;
    find_uses(&l);
    f->consts = header;
    l.top = (uint64_t)header + ((uint64_t)k->nconsts + 1) * 8;
    f->regions = (uint32_t)l.top;
    l.top += ((uint64_t)deepest(&l) + 1) * 8;
    assign(&l, f);
    l.top = (l.top + 127) / 128 * 128;
    if (l.top > UINT32_MAX / 2) goto failed;
    f->temps = (uint32_t)l.top;
    free(memory);
    return true;
failed:
    free(memory);
    frame_free(f);
    return false;
}

void frame_free(struct frame_map *f) {
    free(f->regs);
    f->regs = NULL;
}
