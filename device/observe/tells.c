#include "tells.h"

#include <stdlib.h>
#include <string.h>

#include "device/isa/rewrite.h"

static struct tells_call *next_call(struct tells *t) {
    if (t->count == t->room) {
        uint32_t room = t->room * 2 + 16;
        struct tells_call *calls = ARENA_ARRAY(t->arena, struct tells_call, room);
        if (t->count) memcpy(calls, t->calls, t->count * sizeof *calls);
        t->calls = calls;
        t->room = room;
    }
    return &t->calls[t->count++];
}

static void begin(struct tells *t, uint8_t what, isa_operand predicate, const isa_operand *operands,
                  uint32_t count) {
    int32_t number = (int32_t)(t->first + t->count);
    *next_call(t) = (struct tells_call){{t->inst->site, t->number, what}, t->inst};
    isa_emit(t->k, ISA_if, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &predicate);
    isa_emit(t->k, ISA_probe_call, ISA_NONE_T, ISA_NONE_T, 0, NULL, count, operands)->imm = number;
}

void tells_begin(struct tells *t, uint8_t what, isa_operand predicate, isa_operand operand) {
    begin(t, what, predicate, &operand, operand != ISA_NO_OPERAND);
}

void tells_end(struct tells *t) {
    isa_emit(t->k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}

void tells_if(struct tells *t, uint8_t what, isa_operand predicate, isa_operand operand) {
    tells_begin(t, what, predicate, operand);
    tells_end(t);
}

void tells_if_all(struct tells *t, uint8_t what, isa_operand predicate, const isa_operand *operands,
                  uint32_t count) {
    begin(t, what, predicate, operands, count);
    tells_end(t);
}

bool tells_take(const struct tells *t, struct observe_added *added) {
    added->calls = calloc(t->count + (size_t)1, sizeof *added->calls);
    if (!added->calls) return false;
    added->count = t->count;
    for (uint32_t n = 0; n < t->count; n++) added->calls[n] = t->calls[n].told;
    return true;
}

/* ---- tests before instructions ---- */

/* The kernel's sites are the copy's, and what has one stands there in the same order, whatever
 * others have put between. */
static bool is_wanted(const struct tells_tests *tests, const struct isa_kernel *k,
                      const struct isa_inst *i) {
    return i->site && tests->wanted(k, i, tests->user);
}

static bool same(const struct isa_inst *a, const struct isa_inst *b) {
    return a->site == b->site && a->op == b->op;
}

static void rewrite(struct tells *t, const struct tells_tests *tests,
                    const struct isa_kernel *device) {
    struct isa_kernel *k = t->k;
    struct rewrite_code old = rewrite_take(k, t->arena);
    uint32_t next = 0; /* of the device's instructions */
    for (uint32_t n = 0; n < old.ninsts; n++) {
        const struct isa_inst *i = &old.insts[n];
        const isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (i->site) {
            while (!same(&device->insts[next], i)) next++;
            t->inst = i;
            t->number = next++;
            if (is_wanted(tests, device, &device->insts[t->number])) tests->test(t, i, src);
        }
        rewrite_put(k, i, dst, src);
    }
}

static bool run(struct tells *t, const struct tells_tests *tests, const struct isa_kernel *k) {
    jmp_buf no_memory;
    t->arena = arena_new(&no_memory);
    if (!t->arena || setjmp(no_memory)) return false;
    rewrite(t, tests, k);
    return !isa_kernel_failed(t->k);
}

bool tells_instrument(const struct tells_tests *tests, const struct isa_kernel *k,
                      struct isa_kernel *copy, uint32_t first, struct observe_added *added) {
    struct tells t = {.k = copy, .first = first};
    bool good = run(&t, tests, k) && tells_take(&t, added);
    arena_free(t.arena);
    return good;
}
