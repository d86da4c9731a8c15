/* What an observer is told: every warp execution, address, branch and barrier, in both engines, by
 * any number of threads, adds up to what is counted; and a launch that faults leaves nothing.
 *
 * And without observers nothing is different: a kernel that was observed and then is not gives the
 * same machine code as one that never was, and holds no probe. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_observer.h"
#include "device/opt/opt.h"
#include "device/run/tier.h"
#include "tests/engine/run.h"
#include "tests/native/use_native.h"

/* Loops of different length, a barrier in a loop, returns, a jump out of two regions, an empty
 * part, atomics. */
static struct isa_module *make(void) {
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = isa_kernel_new(m, "k");
    struct isa_param *p = isa_kernel_add_param(k, "p", "int*");
    p->kind = ISA_PARAM_GLOBAL;
    p->size = p->align = k->param_bytes = 4;
    k->local_bytes = 1024;
    isa_operand none = ISA_NO_OPERAND, base = isa_reg_new(k, ISA_I32), j = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &base, 1, &none)->space = ISA_PARAM;
    isa_operand id = isa_reg_new(k, ISA_I32), x = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &id, 0, NULL)->imm = ISA_SPECIAL_global_id_x;
#define C(n)          isa_const_new(k, ISA_I32, n)
#define OP(op, a, b)  isa_emit1(k, ISA_##op, ISA_I32, ISA_NONE_T, a, b, none)
#define CMP(op, a, b) isa_emit1(k, ISA_##op, ISA_PRED, ISA_I32, a, b, none)
#define DO(op, ...)   isa_emit(k, ISA_##op, ISA_NONE_T, ISA_NONE_T, 0, NULL, __VA_ARGS__)
    isa_operand lane = OP(and, id, C(31)), at = OP(shl, id, C(2)), odd = OP(and, id, C(1)), c;
    at = OP(add, at, base);
    isa_emit(k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &j, 1, (isa_operand[]){C(0)});
    /* a barrier in a loop that all make */
    DO(loop, 0, NULL);
    c = CMP(le_s, C(3), j);
    DO(breakif, 1, &c);
    isa_emit(k, ISA_atom_add, ISA_I32, ISA_NONE_T, 1, &x, 2, (isa_operand[]){base, C(1)})->space =
        ISA_GLOBAL;
    DO(bar, 0, NULL)->imm = ISA_FENCE_LOCAL;
    isa_emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, &j, 2, (isa_operand[]){j, C(1)});
    DO(endloop, 0, NULL);
    /* some return */
    c = CMP(lt_s, C(20), lane);
    DO(if, 1, &c);
    DO(ret, 0, NULL);
    DO(endif, 0, NULL);
    /* as many iterations as the lane's number, some continue, some leave two regions */
    DO(block, 0, NULL);
    DO(loop, 0, NULL);
    c = CMP(le_s, lane, j);
    DO(breakif, 1, &c);
    isa_emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, &j, 2, (isa_operand[]){j, C(1)});
    c = CMP(eq, j, C(7));
    DO(if, 1, &c);
    DO(continue, 0, NULL)->imm = 1;
    DO(endif, 0, NULL);
    c = CMP(eq, odd, C(0));
    DO(if, 1, &c);
    isa_emit(k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &x, 1, &at)->space = ISA_GLOBAL;
    DO(else, 0, NULL);
    c = CMP(eq, j, C(11));
    DO(breakif, 1, &c)->imm = 2;
    DO(endif, 0, NULL);
    DO(endloop, 0, NULL);
    isa_emit(k, ISA_st, ISA_I32, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){at, x})->space =
        ISA_GLOBAL;
    DO(endblock, 0, NULL);
    isa_emit(k, ISA_st, ISA_I32, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){at, j})->space =
        ISA_GLOBAL;
    check_number_sites(m);
    run_verify(m);
    return m;
}

/* One launch; returns what the counts come to. */
static uint64_t run(const struct observe_set *set, uint32_t global, uint32_t local, bool fault) {
    struct isa_module *m = make();
    struct memory *memory = memory_new(1 << 24);
    uint32_t buffer = memory_alloc(memory, global * 4, 128);
    uint32_t params[] = {fault ? 64 : buffer};
    unsigned launches = check_launches;
    check_failures = 0;
    run_observers = set;
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{global, 1, 1}},
                                (struct size3){{local, 1, 1}}, params);
    CHECK((f.kind != FAULT_NONE) == fault, "fault %d", (int)f.kind);
    CHECK(check_launches == launches + (fault ? 0 : set->count), "%u launches", check_launches);
    CHECK(!check_failures, "%u failures", check_failures);
    memory_free(memory);
    isa_module_free(m);
    return check_digest;
}

static void child(enum tier_mode engine, enum native_level level, unsigned threads,
                  uint64_t *digests) {
    static const struct observe_set all = {{&check_observer}, 1}, counts = {{&check_counts}, 1},
                                    both = {{&check_counts, &check_observer}, 2};
    static const uint32_t sizes[][2] = {{64, 32}, {1024, 256}, {420, 70}, {96, 96}, {13, 13}};
    pool_limit(threads);
    tier_configure(engine, level);
    for (unsigned n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        digests[n] = run(&counts, sizes[n][0], sizes[n][1], false);
        CHECK(digests[n] == run(&all, sizes[n][0], sizes[n][1], false), "calls change counts");
        CHECK(digests[n] == run(&both, sizes[n][0], sizes[n][1], false), "two observers");
        run(&both, sizes[n][0], sizes[n][1], true);
    }
}

static void engines(void) {
    static const struct {
        enum tier_mode engine;
        enum native_level level;
        unsigned threads;
    } ways[] = {{TIER_INTERPRETER, NATIVE_AVX512, 1}, {TIER_INTERPRETER, NATIVE_BASELINE, 3},
                {TIER_INTERPRETER, NATIVE_AVX2, 4},   {TIER_NATIVE, NATIVE_AVX512, 1},
                {TIER_NATIVE, NATIVE_AVX512, 4},      {TIER_NATIVE, NATIVE_AVX2, 2},
                {TIER_NATIVE, NATIVE_BASELINE, 3}};
    uint64_t first[8] = {0};
    for (unsigned n = 0; n < sizeof ways / sizeof *ways; n++) {
        int ends[2];
        uint64_t digests[8] = {0};
        CHECK(!pipe(ends), "pipe");
        fflush(NULL);
        pid_t pid = fork();
        if (!pid) {
            child(ways[n].engine, ways[n].level, ways[n].threads, digests);
            CHECK(write(ends[1], digests, sizeof digests) == sizeof digests, "pipe");
            _exit(0);
        }
        close(ends[1]);
        ssize_t got = read(ends[0], digests, sizeof digests);
        int status = -1;
        CHECK(waitpid(pid, &status, 0) == pid && !status, "way %u ended with %#x", n, status);
        CHECK(got == sizeof digests, "way %u told nothing", n);
        if (!n) memcpy(first, digests, sizeof first);
        CHECK(!memcmp(first, digests, sizeof first), "way %u counts otherwise", n);
        close(ends[0]);
    }
}

/* ---- nobody looks on ---- */

static struct native_object compiled(const struct isa_module *m, const struct observe_set *set,
                                     char **as_text) {
    struct isa_kernel *copy = isa_kernel_copy(m->kernels[0]);
    struct observe_plan *plan = set ? observe_plan_new(m, m->kernels[0], set) : NULL;
    CHECK(copy && (!set || (plan && observe_plan_apply(plan, copy))), "memory");
    CHECK(opt_run(m, copy, NULL), "host passes");
    struct native_request r = {
        .module = m, .kernel = copy, .local_size = {64, 1, 1}, .level = NATIVE_AVX2, .flush = true};
    struct native_object o;
    const char *why;
    CHECK(native_api.compile(&r, &o, &why) == NATIVE_OK, "compile");
    struct isa_module one = *m;
    size_t length;
    one.kernels = &copy;
    one.nkernels = 1;
    *as_text = isa_print(&one, &length);
    CHECK((strstr(*as_text, "probe_") != NULL) == (set != NULL), "%s", *as_text);
    isa_kernel_free(copy);
    observe_plan_free(plan);
    return o;
}

static void unchanged(void) {
    static const struct observe_set all = {{&check_observer}, 1};
    struct isa_module *m = make();
    struct native_object o[3];
    char *texts[3];
    const struct observe_set *sets[] = {NULL, &all, NULL};
    for (unsigned n = 0; n < 3; n++) o[n] = compiled(m, sets[n], &texts[n]);
    CHECK(o[0].size == o[2].size && !memcmp(o[0].bytes, o[2].bytes, o[0].size), "other code");
    CHECK(!strcmp(texts[0], texts[2]), "another kernel");
    CHECK(o[1].size != o[0].size || memcmp(o[0].bytes, o[1].bytes, o[0].size), "no probes");
    for (unsigned n = 0; n < 3; n++) {
        free(o[n].bytes);
        free(texts[n]);
    }
    isa_module_free(m);
}

/* A module from outside may not have them, and no text becomes one. */
static void refused(void) {
    struct isa_module *m = make();
    struct isa_error error;
    struct isa_kernel *k = m->kernels[0];
    isa_operand p = isa_const_new(k, ISA_PRED, 1);
    isa_emit(k, ISA_probe_count, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &p)->mod = ISA_COUNT_WARPS;
    CHECK(!isa_verify(m, &error) && strstr(error.text, "for the host alone"), "%s", error.text);
    k->probed = true;
    CHECK(isa_verify(m, &error), "%s", error.text);
    size_t length;
    char *printed = isa_print(m, &length);
    CHECK(strstr(printed, "probe_count.warps 1, 0"), "%s", printed);
    CHECK(!isa_parse(printed, length, &error), "a text with a probe was taken");
    free(printed);
    isa_module_free(m);
}

int main(void) {
    refused();
    engines();
    unchanged();
    puts("observed");
    return 0;
}
