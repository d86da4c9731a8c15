/* Observers come and go from launch to launch of one kernel: each set has the code of its own, and
 * each observer of the set is told of the launch, and no other. */
#include <semaphore.h>
#include <string.h>

#include "check_observer.h"
#include "device/run/tier.h"
#include "tests/engine/run.h"
#include "tests/native/use_native.h"

static const struct observe_set counts = {{&check_counts}, 1}, all = {{&check_observer}, 1},
                                both = {{&check_counts, &check_observer}, 2};

static struct {
    unsigned counts, calls;
    uint64_t executions; /* of the first site */
} told;

static void observed(struct launch *l, const struct observer *who, const struct observe_result *r) {
    CHECK(r->kernel == l->kernel && r->launches == 1 && r->groups == 4 && r->counts, "the result");
    if (who == &check_counts) told.counts++;
    if (who == &check_observer) told.calls++;
    told.executions = r->counts[0].executions;
}

static void finished(struct launch *l) { sem_post(l->user); }

static void launch(struct executable *x, const struct observe_set *set, const uint32_t *params) {
    sem_t done;
    sem_init(&done, 0, 0);
    struct launch l = {.executable = x,
                       .kernel = executable_module(x)->kernels[0],
                       .work_dim = 1,
                       .global_size = {256, 1, 1},
                       .local_size = {64, 1, 1},
                       .params = params,
                       .observers = set,
                       .observed = observed,
                       .finished = finished,
                       .user = &done};
    memset(&told, 0, sizeof told);
    CHECK(launch_run(&l), "launch");
    while (sem_wait(&done)) {
    }
    sem_destroy(&done);
    CHECK((l.fault.kind != FAULT_NONE) == (*params == 64), "fault %d", (int)l.fault.kind);
}

static struct isa_module *make(void) {
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = isa_kernel_new(m, "k");
    struct isa_param *p = isa_kernel_add_param(k, "p", "int*");
    p->kind = ISA_PARAM_GLOBAL;
    p->size = p->align = k->param_bytes = 4;
    isa_operand none = ISA_NO_OPERAND, base = isa_reg_new(k, ISA_I32), id = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &base, 1, &none)->space = ISA_PARAM;
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &id, 0, NULL)->imm = ISA_SPECIAL_global_id_x;
    isa_operand at =
        isa_emit1(k, ISA_shl, ISA_I32, ISA_NONE_T, id, isa_const_new(k, ISA_I32, 2), none);
    at = isa_emit1(k, ISA_add, ISA_I32, ISA_NONE_T, at, base, none);
    isa_emit(k, ISA_st, ISA_I32, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){at, id})->space =
        ISA_GLOBAL;
    check_number_sites(m);
    run_verify(m);
    return m;
}

static void in_turn(enum tier_mode engine) {
    tier_configure(engine, NATIVE_AVX512);
    struct isa_module *m = make();
    struct memory *memory = memory_new(1 << 24);
    uint32_t buffer = memory_alloc(memory, 1024, 128), wild = 64;
    struct executable *x = executable_new(memory, m);
    CHECK(x && buffer, "memory");
    static const struct {
        const struct observe_set *set;
        unsigned counts, calls;
    } turns[] = {{NULL, 0, 0},  {&counts, 1, 0}, {&all, 0, 1},
                 {&both, 1, 1}, {NULL, 0, 0},    {&counts, 1, 0}};
    for (unsigned n = 0; n < sizeof turns / sizeof *turns; n++) {
        launch(x, turns[n].set, &buffer);
        CHECK(told.counts == turns[n].counts && told.calls == turns[n].calls, "turn %u", n);
        CHECK(told.executions == (turns[n].set ? 8u : 0u), "turn %u: %llu warps", n,
              (unsigned long long)told.executions);
        launch(x, turns[n].set, &wild);
        CHECK(!told.counts && !told.calls, "turn %u: told of a launch that ended early", n);
    }
    CHECK(!check_failures, "%u failures", check_failures);
    executable_release(x);
    memory_free(memory);
    isa_module_free(m);
}

int main(void) {
    in_turn(TIER_INTERPRETER);
    in_turn(TIER_NATIVE);
    puts("in turn");
    return 0;
}
