/* From LLVM IR to an object file. */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"

/* What all compilations share: made by the first, kept for ever (LLVM does not like to be torn
 * down). */
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

static bool good(LLVMErrorRef error) {
    if (!error) return true;
    if (getenv("SIMTCL_NATIVE_DEBUG")) {
        char *text = LLVMGetErrorMessage(error);
        fprintf(stderr, "simtcl: LLVM: %s\n", text);
        LLVMDisposeErrorMessage(text);
    } else {
        LLVMConsumeError(error);
    }
    return false;
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
    static const char *const more[] = {"", "+fast-gather"};
    *m = LLVMCreateTargetMachine(engine.target, engine.triple,
                                 level < NATIVE_AVX512 ? limits[level] : cpu,
                                 level < NATIVE_AVX512 ? more[level] : features,
                                 LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return *m;
}

/* ---- one kernel ---- */

static void set_attribute(struct emitter *e, LLVMValueRef function, const char *name,
                          const char *value) {
    LLVMAttributeRef a = LLVMCreateStringAttribute(e->context, name, (unsigned)strlen(name), value,
                                                   (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, a);
}

static void set_attributes(struct emitter *e, LLVMValueRef function) {
    unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->context, kind, 0));
    if (e->request->level == NATIVE_AVX512) {
        set_attribute(e, function, "prefer-vector-width", "512");
        set_attribute(e, function, "min-legal-vector-width", "512");
    }
    if (e->request->flush)
        set_attribute(e, function, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

static const char passes[] = "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,"
                             "simplifycfg,loop-mssa(licm),early-cse<memssa>,"
                             "instcombine<no-verify-fixpoint>,dse,simplifycfg,adce)";

static bool optimise(struct emitter *e, LLVMTargetMachineRef m) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    bool done = good(LLVMRunPasses(e->module, passes, m, options));
    LLVMDisposePassBuilderOptions(options);
    return done;
}

/* The object file of a kernel, or NULL. */
static LLVMMemoryBufferRef emit(const struct native_request *r, struct native_object *made,
                                enum native_status *status) {
    struct emitter *e = calloc(1, sizeof *e);
    LLVMMemoryBufferRef object = NULL;
    *status = NATIVE_NO_MEMORY;
    if (!e) return NULL;
    LLVMTargetMachineRef m = machine(r->level);
    e->request = r;
    e->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(e->context, take_diagnostic, NULL);
    e->module = LLVMModuleCreateWithNameInContext("kernel", e->context);
    LLVMSetTarget(e->module, engine.triple);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(m);
    LLVMSetModuleDataLayout(e->module, layout);
    LLVMDisposeTargetData(layout);
    if (emit_kernel(e)) {
        *status = NATIVE_FAILED;
        for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f)) set_attributes(e, f);
        const char *debug = getenv("SIMTCL_NATIVE_DEBUG");
        char *why = NULL;
        if (debug && *debug == '2') LLVMDumpModule(e->module);
        bool sound = !debug || !LLVMVerifyModule(e->module, LLVMPrintMessageAction, &why);
        if (!sound) LLVMDumpModule(e->module);
        LLVMDisposeMessage(why);
        bool optimised = sound && optimise(e, m);
        if (debug && *debug == '3') LLVMDumpModule(e->module);
        if (optimised &&
            LLVMTargetMachineEmitToMemoryBuffer(m, e->module, LLVMObjectFile, &why, &object)) {
            LLVMDisposeMessage(why);
            object = NULL;
        }
        made->bundle = e->bundle;
        made->state_bytes = e->resumable ? e->state_bytes : 0;
        made->streamed = e->streamed;
        made->privatised_param = e->privatised_param;
    } else if (e->too_large) {
        *status = NATIVE_TOO_LARGE;
    }
    LLVMDisposeModule(e->module);
    LLVMContextDispose(e->context);
    free(e);
    return object;
}

/* ---- the whole ---- */

static enum native_status compile_here(const struct native_request *r, struct native_object *made) {
    enum native_status status = NATIVE_FAILED;
    if (r->kernel->ninsts > EMIT_COST) return NATIVE_TOO_LARGE;
    if (!start()) return NATIVE_FAILED;
    LLVMMemoryBufferRef object = emit(r, made, &status);
    if (!object) return status;
    made->size = LLVMGetBufferSize(object);
    made->bytes = malloc(made->size);
    if (made->bytes) memcpy(made->bytes, LLVMGetBufferStart(object), made->size);
    LLVMDisposeMemoryBuffer(object);
    return made->bytes ? NATIVE_OK : NATIVE_NO_MEMORY;
}

static enum native_status compile(const struct native_request *r, struct native_object *made) {
    jmp_buf here;
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

static void start_early(void) { start(); }

static const char *library(void) {
    Dl_info info;
    return dladdr((void *)(uintptr_t)LLVMContextCreate, &info) ? info.dli_fname : NULL;
}

const struct native_api native_api = {
    .size = sizeof native_api, .start = start_early, .compile = compile, .library = library};
