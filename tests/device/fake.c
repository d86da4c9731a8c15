#include "fake.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <sched.h>

#include "test.h"

void (*fake_run)(struct group *g);
int (*fake_blame)(struct group *g, uint32_t address);
_Atomic int fake_prepared, fake_discarded;

static void *prepare(const struct isa_module *module, const struct isa_kernel *kernel) {
    CHECK(!strcmp(module->kernels[0]->name, kernel->name));
    fake_prepared++;
    return malloc(1);
}

static void discard(void *code) {
    fake_discarded++;
    free(code);
}

static void run(struct group *g) {
    CHECK(g->code);
    fake_run(g);
}

static int blame(struct group *g, uint32_t address) {
    return fake_blame ? fake_blame(g, address) : -1;
}

const struct engine interpreter = {"fake", prepare, discard, run, blame};
const struct engine interpreter_debug = {"fake", prepare, discard, run, blame};

struct isa_module *fake_module(bool loops, const char *format) {
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = isa_kernel_new(m, "k");
    isa_module_add_file(m, "k.cl");
    k->cur_line = 7;
    isa_operand r = isa_reg_new(k, ISA_I32), f = isa_reg_new(k, ISA_F32);
    isa_emit(k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &r, 1, &r)->space = ISA_GLOBAL;
    if (format) {
        isa_operand values[] = {r, f};
        isa_emit(k, ISA_printf, ISA_I32, ISA_NONE_T, 1, &r, 2, values)->imm =
            (int)isa_module_add_format(m, format);
    }
    if (loops) {
        isa_emit(k, ISA_loop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
        isa_emit(k, ISA_endloop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    }
    CHECK(!isa_kernel_failed(k));
    return m;
}

struct own {
    struct launch launch;
    atomic_int finished;
    char *text;
    size_t length;
};

static void finished(struct launch *l) {
    struct own *o = l->user;
    atomic_fetch_add(&o->finished, 1);
}

static void print(struct launch *l, const char *text, size_t length) {
    struct own *o = l->user;
    CHECK(!atomic_load(&o->finished));
    o->text = realloc(o->text, o->length + length + 1);
    memcpy(o->text + o->length, text, length);
    o->length += length;
    o->text[o->length] = 0;
}

struct launch *fake_launch(struct executable *x, uint32_t global, uint32_t local) {
    struct own *o = calloc(1, sizeof *o);
    struct launch *l = &o->launch;
    l->executable = x;
    l->kernel = executable_module(x)->kernels[0];
    l->work_dim = 1;
    for (int d = 0; d < 3; d++) l->global_size[d] = l->local_size[d] = 1;
    l->global_size[0] = global;
    l->local_size[0] = local;
    l->finished = finished;
    l->print = print;
    l->user = o;
    return l;
}

void fake_wait(struct launch *l) {
    struct own *o = l->user;
    while (!atomic_load(&o->finished)) sched_yield();
    CHECK(atomic_load(&o->finished) == 1);
}

void fake_go(struct launch *l) {
    struct own *o = l->user;
    atomic_store(&o->finished, 0);
    o->length = 0;
    CHECK(launch_start(l));
    fake_wait(l);
}

const char *fake_printed(const struct launch *l) {
    const struct own *o = l->user;
    return o->length ? o->text : "";
}

void fake_free(struct launch *l) {
    struct own *o = l->user;
    free(o->text);
    free(o);
}
