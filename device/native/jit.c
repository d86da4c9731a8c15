/* From LLVM IR to an object file. */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/costs/opcosts.h"
#include "device/native/emit.h"
#include "device/native/rewriter.h"

/* What all compilations share: made by the first, kept for ever, as LLVM is not torn down well. */
static struct {
    bool tried, broken;
    LLVMTargetRef target;
    char *triple;
    LLVMTargetMachineRef machines[NATIVE_AVX512 + 1];
} engine;

/* ---- errors ---- */

/* LLVM ends the process where it knows no better. Not ours: the compilation is left as it is, and
 * no other begun. */
static jmp_buf *_Atomic escape;
static pthread_t compiling;

static void fatal(const char *why) {
    (void)why;
    jmp_buf *to = escape;
    if (to && pthread_equal(compiling, pthread_self())) longjmp(*to, 1);
}

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *unused) { (void)info, (void)unused; }

/* ---- the machine ---- */

static bool start(void) {
    if (engine.tried) return engine.target != NULL;
    engine.tried = true;
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    engine.triple = LLVMGetDefaultTargetTriple();
    char *why = NULL;
    if (LLVMGetTargetFromTriple(engine.triple, &engine.target, &why)) {
        LLVMDisposeMessage(why);
        engine.target = NULL;
    }
    return engine.target != NULL;
}

static LLVMTargetMachineRef machine(enum native_level level) {
    LLVMTargetMachineRef *m = &engine.machines[level];
    if (*m) return *m;
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    static const char *const limits[] = {"x86-64", "haswell"};
    /* Without it LLVM takes the lanes of a gather one by one. */
    static const char *const more[] = {"", "+fast-gather,+prfchw"};
    *m = LLVMCreateTargetMachine(engine.target, engine.triple,
                                 level < NATIVE_AVX512 ? limits[level] : cpu,
                                 level < NATIVE_AVX512 ? more[level] : features,
                                 LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return *m;
}

/* ---- one kernel ---- */

static void set_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                          const char *value) {
    LLVMAttributeRef a = LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                   (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, a);
}

static void set_attributes(const struct native_request *r, LLVMContextRef context,
                           LLVMValueRef function) {
    unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
    if (r->level == NATIVE_AVX512) {
        set_attribute(context, function, "prefer-vector-width", "512");
        set_attribute(context, function, "min-legal-vector-width", "512");
    }
    if (r->flush)
        set_attribute(context, function, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

/* Halves of masks stay apart in memory until the end: LLVM would make whole ones of them. */
static const char passes[] = "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,"
                             "simplifycfg,loop-mssa(licm),early-cse<memssa>,"
                             "instcombine<no-verify-fixpoint>,dse,sroa,early-cse,simplifycfg,adce)";

/* Of large kernels: those whose time does not grow faster than the kernel. */
static const char few_passes[] = "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,"
                                 "simplifycfg,early-cse<memssa>,sroa,early-cse,adce)";

static bool optimise(const struct plan *plan, LLVMModuleRef module, LLVMTargetMachineRef m) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef bad = LLVMRunPasses(module, plan->plain ? few_passes : passes, m, options);
    LLVMConsumeError(bad);
    LLVMDisposePassBuilderOptions(options);
    LLVMValueRef zeros = LLVMGetNamedFunction(module, "llvm.memset.p0.i64"); /* localrows_forget */
    for (LLVMUseRef u; zeros && (u = LLVMGetFirstUse(zeros));)
        LLVMInstructionEraseFromParent(LLVMGetUser(u));
    return !bad;
}

/* The module as text, if that is asked for. */
static void dump(const struct native_request *r, const char *stage, LLVMModuleRef module) {
    if (!trace_dumps(r->trace, stage, r->kernel->name)) return;
    char *text = LLVMPrintModuleToString(module);
    trace_dump_text(r->trace, stage, r->kernel->name, text);
    LLVMDisposeMessage(text);
}

static bool verified(const struct plan *plan, LLVMModuleRef module) {
    char *why = NULL;
    bool good =
        !plan_checks(plan->request) || !LLVMVerifyModule(module, LLVMPrintMessageAction, &why);
    LLVMDisposeMessage(why);
    return good;
}

/* LLVM's switches, which are the process's. */
enum llvm_switch { NO_CSE, NO_SINKING, SCHEDULING, FROM_TOP };

static void choose(enum llvm_switch s, bool on) {
    static const char *const names[] = {"disable-machine-cse", "disable-machine-sink",
                                        "enable-misched", "misched-topdown"};
    static bool now[] = {[SCHEDULING] = true, [FROM_TOP] = false};
    char argument[64];
    if (on == now[s]) return;
    now[s] = on;
    snprintf(argument, sizeof argument, "-%s=%s", names[s], on ? "true" : "false");
    const char *arguments[] = {"", argument};
    LLVMParseCommandLineOptions(2, arguments, NULL);
}

/* A pass of our own, which tells how much it has rewritten: so much of `what`. */
static bool rewrite(const struct plan *plan, enum plan_step step, LLVMModuleRef module,
                    const struct rewriter_pass *p, const char *what) {
    unsigned lanes = opcosts_of(plan->request->level)->lanes;
    uint32_t count = plan_off(plan, step) ? 0 : rewriter_run(p, module, lanes);
    if (count) plan_tell(plan, step, UINT32_MAX, "%u %s", count, what);
    return count;
}

/* Machine code sinking moves what a loop computes behind later branches of it, whatever vectors
 * that keeps in registers until there; in a loop through the warps of a group that is all of the
 * kernel. Of warps in lockstep, which do each thing one after the other, it brings together what
 * belongs together. */
static void choose_sinking(const struct plan *plan, LLVMModuleRef module) {
    bool own = plan_bundle(plan) == 1;
    if (own) rewrite(plan, PLAN_sink, module, &sink_pass, "instructions");
    choose(NO_SINKING, own && !plan_off(plan, PLAN_sink));
}

/* The machine scheduler brings together what several warps have to do, by latency; segments are
 * passed by some warps after the others, as they would not fit into the registers together. */
static void choose_scheduling(const struct plan *plan) {
    bool segments = false;
    for (uint32_t n = 0; n < plan->k->ninsts; n++)
        segments |= plan_get(plan, segments)->warps[n] != 0;
    choose(SCHEDULING, !segments);
}

/* What LLVM's passes would undo. The machine scheduler would mix the vectors again, but for one
 * that begins at the top. */
static void rewrite_vectors(const struct plan *plan, LLVMModuleRef module) {
    enum native_level level = plan->request->level;
    rewriter_run(&choices_pass, module, opcosts_of(level)->lanes);
    if (level < NATIVE_AVX512)
        rewrite(plan, PLAN_widemasks, module, &widemasks_pass, "masks and choices");
    choose(FROM_TOP, level == NATIVE_AVX2 && rewrite(plan, PLAN_vectororder, module,
                                                     &vectororder_pass, "instructions"));
    rewriter_run(&mends_pass, module, opcosts_of(level)->lanes);
}

/* The object file of the module, or NULL. */
static LLVMMemoryBufferRef finish(const struct plan *plan, struct codegen *c,
                                  LLVMTargetMachineRef m) {
    const struct native_request *r = plan->request;
    LLVMMemoryBufferRef object = NULL;
    char *why = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) set_attributes(r, c->context, f);
    dump(r, "llvm", c->module);
    if (!verified(plan, c->module)) return NULL;
    if (!optimise(plan, c->module, m)) return NULL;
    choose_sinking(plan, c->module);
    choose_scheduling(plan);
    /* Constants of many functions would have registers that all of them share, as there are none
     * for, and LLVM's time to find out grows by the square of their number. */
    choose(NO_CSE, plan->effort.functions > LIMIT_FUNCTIONS);
    rewrite_vectors(plan, c->module);
    if (!verified(plan, c->module)) return NULL;
    dump(r, "llvm-opt", c->module);
    if (LLVMTargetMachineEmitToMemoryBuffer(m, c->module, LLVMObjectFile, &why, &object)) {
        LLVMDisposeMessage(why);
        return NULL;
    }
    return object;
}

/* The object file of a kernel, or NULL. */
static LLVMMemoryBufferRef emit(const struct plan *plan, struct native_object *made,
                                enum native_status *status) {
    struct codegen *c = calloc(1, sizeof *c);
    LLVMMemoryBufferRef object = NULL;
    const struct native_request *r = plan->request;
    *status = NATIVE_NO_MEMORY;
    if (!c) return NULL;
    LLVMTargetMachineRef m = machine(r->level);
    c->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(c->context, take_diagnostic, NULL);
    c->module = LLVMModuleCreateWithNameInContext("kernel", c->context);
    LLVMSetTarget(c->module, engine.triple);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(m);
    LLVMSetModuleDataLayout(c->module, layout);
    LLVMDisposeTargetData(layout);
    c->names = trace_dumps(r->trace, "llvm", r->kernel->name) ||
               trace_dumps(r->trace, "llvm-opt", r->kernel->name);
    if (emit_kernel(c, plan)) {
        *status = NATIVE_FAILED;
        object = finish(plan, c, m);
        made->bundle = plan->bundle.rounds ? plan->warps : plan_bundle(plan);
        made->state_bytes = plan->bundle.resumable ? plan->state.bytes : 0;
        made->streamed = plan->streams.bytes;
        made->privatised_param = plan->privatised.param;
        made->alone = plan->overwritten.params | warpregions_asked(plan->k);
        for (uint32_t n = 0; n < plan->k->ninsts; n++)
            made->leaves |= plan->k->insts[n].op == ISA_leave;
    }
    LLVMDisposeModule(c->module);
    LLVMContextDispose(c->context);
    free(c);
    return object;
}

/* ---- the whole ---- */

static enum native_status compile_here(const struct native_request *r, struct native_object *made) {
    enum native_status status = NATIVE_FAILED;
    if (r->kernel->ninsts > opcosts_of(r->level)->kernel) return NATIVE_TOO_LARGE;
    if (!start()) return NATIVE_FAILED;
    struct plan *plan = calloc(1, sizeof *plan);
    LLVMMemoryBufferRef object = NULL;
    if (!plan) return NATIVE_NO_MEMORY;
    if (plan_make(plan, r))
        object = emit(plan, made, &status);
    else
        status = plan->too_large ? NATIVE_TOO_LARGE
                 : plan->unsound ? NATIVE_FAILED
                                 : NATIVE_NO_MEMORY;
    plan_free(plan);
    free(plan);
    if (!object) return status;
    made->size = LLVMGetBufferSize(object);
    made->bytes = malloc(made->size);
    if (made->bytes) memcpy(made->bytes, LLVMGetBufferStart(object), made->size);
    LLVMDisposeMemoryBuffer(object);
    return made->bytes ? NATIVE_OK : NATIVE_NO_MEMORY;
}

static enum native_status compile(const struct native_request *r, struct native_object *made,
                                  const char **why) {
    jmp_buf here;
    *why = NULL;
    volatile enum native_status status = NATIVE_FAILED;
    if (engine.broken) return NATIVE_FAILED;
    memset(made, 0, sizeof *made);
    compiling = pthread_self();
    LLVMInstallFatalErrorHandler(fatal);
    escape = &here;
    if (setjmp(here) == 0)
        status = compile_here(r, made);
    else
        engine.broken = true;
    escape = NULL;
    LLVMResetFatalErrorHandler();
    return status;
}

static const char *library(void) {
    Dl_info info;
    return dladdr((void *)(uintptr_t)LLVMContextCreate, &info) ? info.dli_fname : NULL;
}

const struct native_api native_api = {.compile = compile, .library = library};
