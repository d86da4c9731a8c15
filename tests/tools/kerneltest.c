/* Runs kernel tests written as data: .cl files whose comments say how to run them and what to
 * expect. docs/kerneltest.md says what can stand in one.
 *
 *   kerneltest [--platform NAME] [--model NAME] [--options TEXT] [--digest] FILE.cl ...
 *
 * --options: build options besides those of the file.
 * --model: the device of tests that name none. --digest prints a hash of every buffer after each
 * test, which lets two engines be compared bit for bit. The last line is `N passed, N failed, N
 * skipped`; the exit status is 0 when none failed, 1 when some did, 2 for what is no test. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "countcheck.h"
#include "expected.h"

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static char reason[1024]; /* of the last fault */
static struct simtcl_profile profile;
static bool profiles; /* the platform has it */
static bool digest;
static const char *more_options = "";
static unsigned passed, failed, skipped;

static struct {
    const char *program, *platform;
    const char *model;  /* whose tests alone are run; NULL: those that name none */
    const char *device; /* the model of those; NULL: the environment's */
} chosen = {.platform = "simtcl"};

/* ---- which tests, on what ---- */

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word), n;
    for (; *words; words += n) {
        words += strspn(words, " \t");
        n = strcspn(words, " \t");
        if (n == length && !strncmp(words, word, n)) return true;
    }
    return false;
}

static const char *models_of(const struct test_file *f, const struct kernel_test *t) {
    return t && *t->models ? t->models : f->models;
}

/* Is the test (t NULL: the file, which has none) for this process? */
static bool is_wanted(const struct test_file *f, const struct kernel_test *t) {
    const char *models = models_of(f, t);
    return chosen.model ? has_word(models, chosen.model) : !*models;
}

static unsigned wanted(const struct test_file *f) {
    unsigned n = 0;
    if (!f->ntests) return is_wanted(f, NULL);
    for (unsigned i = 0; i < f->ntests; i++) n += is_wanted(f, &f->tests[i]);
    return n;
}

/* What asks for a model or for counters asks for simtcl. */
static bool can_run(const struct test_file *f, const struct kernel_test *t) {
    return profiles || (!t->ncounts && !*models_of(f, t));
}

/* Without what does not matter in a model's name. */
static void plain_name(const char *name, char *text, size_t size) {
    size_t n = 0;
    for (; *name && n + 1 < size; name++)
        if (!strchr(" -_", *name)) text[n++] = (char)tolower((unsigned char)*name);
    text[n] = '\0';
}

/* Is the device of that model? The driver takes its default for a name that is none. */
static bool is_model(const char *name) {
    char device_name[256] = "", is[256], wants[256];
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof device_name, device_name, NULL);
    plain_name(device_name, is, sizeof is);
    plain_name(name, wants, sizeof wants);
    return !strcmp(wants, "host") || strstr(is, wants);
}

static void CL_CALLBACK tell(const char *text, const void *data, size_t size, void *user) {
    (void)data, (void)size, (void)user;
    snprintf(reason, sizeof reason, "%s", text);
}

static void open_device(void) {
    cl_platform_id platforms[32], platform = NULL;
    cl_uint count = 0;
    cl_int error = clGetPlatformIDs(32, platforms, &count);
    for (cl_uint i = 0; error == CL_SUCCESS && i < count && i < 32 && !platform; i++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL);
        if (strstr(name, chosen.platform)) platform = platforms[i];
    }
    if (!platform) testfile_die("no such platform", error);
    profiles = simtcl_profile_load(platform, &profile) == CL_SUCCESS;
    if ((error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)))
        testfile_die("clGetDeviceIDs", error);
    const char *model = chosen.model ? chosen.model : chosen.device;
    if (profiles && model && !is_model(model)) {
        fprintf(stderr, "kerneltest: there is no model \"%s\"\n", model);
        exit(2);
    }
    context = clCreateContext(NULL, 1, &device, tell, NULL, &error);
    if (!context) testfile_die("clCreateContext", error);
    queue = clCreateCommandQueue(context, device, 0, &error);
    if (!queue) testfile_die("clCreateCommandQueue", error);
}

/* ---- running ---- */

static int saved_stdout = -1;
static FILE *caught;

static void catch_output(void) {
    fflush(stdout);
    caught = tmpfile();
    if (!caught) testfile_die("tmpfile", 0);
    saved_stdout = dup(1);
    dup2(fileno(caught), 1);
}

static char *caught_output(void) {
    fflush(stdout);
    dup2(saved_stdout, 1);
    close(saved_stdout);
    long size = ftell(caught);
    fseek(caught, 0, SEEK_END);
    size = ftell(caught);
    rewind(caught);
    char *text = calloc(1, (size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, caught) != (size_t)size)
        testfile_die("reading output", 0);
    fclose(caught);
    return text;
}

static bool outputs_check(const struct test_file *f, const struct kernel_test *t, char *text) {
    bool right = true;
    char *save = NULL, *line = strtok_r(text, "\n", &save);
    for (unsigned i = 0; i < t->noutputs; i++) {
        char got[512];
        snprintf(got, sizeof(got), "%s", line ? line : "");
        if (strcmp(testfile_trim(got), t->outputs[i])) {
            testfile_report(f, t, "output line %u is \"%s\", expected \"%s\"", i + 1, got,
                            t->outputs[i]);
            right = false;
        }
        line = line ? strtok_r(NULL, "\n", &save) : NULL;
    }
    if (line) {
        testfile_report(f, t, "unexpected output \"%s\"", line);
        right = false;
    }
    return right;
}

static uint64_t hash(const void *data, size_t size) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) h = (h ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
    return h;
}

static cl_mem image_create(const struct test_argument *a, cl_int *error) {
    cl_image_format format = {CL_R, CL_FLOAT};
    return clCreateImage2D(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, a->size[0],
                           a->size[1], 0, a->before, error);
}

static bool arguments_set(const struct test_file *f, struct kernel_test *t, cl_kernel kernel) {
    for (unsigned k = 0; k < t->nargs; k++) {
        struct test_argument *a = &t->args[k];
        cl_int error = CL_SUCCESS;
        const void *value = NULL;
        size_t size = a->bytes;
        if (a->kind != LOCAL && a->kind != SAME && !expected_fill(f, t, a)) return false;
        if (a->kind == VALUE) value = a->before;
        if (a->kind == BUFFER) {
            a->memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a->bytes,
                                       a->before, &error);
            value = &a->memory;
            size = sizeof(cl_mem);
        }
        if (a->kind == SAME) {
            value = &t->args[a->same].memory;
            size = sizeof(cl_mem);
        }
        if (a->kind == IMAGE) {
            a->memory = image_create(a, &error);
            value = &a->memory;
            size = sizeof(cl_mem);
        }
        if (error == CL_SUCCESS) error = clSetKernelArg(kernel, k, size, value);
        if (error != CL_SUCCESS) {
            testfile_report(f, t, "argument %s: error %d", a->name, error);
            return false;
        }
    }
    return true;
}

/* last: the event of the last launch, the caller's; NULL where there was none. */
static bool launch(const struct test_file *f, struct kernel_test *t, cl_kernel kernel,
                   cl_event *last) {
    *last = NULL;
    for (unsigned r = 0; r < t->repeat; r++) {
        cl_event event = NULL;
        *reason = 0;
        cl_int error =
            clEnqueueNDRangeKernel(queue, kernel, t->dim, t->offset_dim ? t->offset : NULL,
                                   t->global, t->local_dim ? t->local : NULL, 0, NULL, &event);
        if (t->has_launch_error) {
            if (event) clReleaseEvent(event);
            if (error != t->launch_error)
                testfile_report(f, t, "launch gives %d, expected %d", error, t->launch_error);
            return error == t->launch_error;
        }
        if (error != CL_SUCCESS) {
            testfile_report(f, t, "launch gives %d", error);
            return false;
        }
        clWaitForEvents(1, &event); /* after which all output is there, before clFinish */
        cl_int status = 1;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
        if (*last) clReleaseEvent(*last);
        *last = event;
        if (t->fault ? status >= 0 : status != CL_COMPLETE) {
            testfile_report(f, t,
                            t->fault ? "no fault was found (status %d)"
                                     : "the launch ended with status %d",
                            status);
            return false;
        }
        for (unsigned w = 0; w < t->nreasons; w++) {
            if (strstr(reason, t->reasons[w])) continue;
            testfile_report(f, t, "the reason is \"%s\", expected \"%s\"", reason, t->reasons[w]);
            return false;
        }
    }
    return true;
}

static bool results_read(const struct test_file *f, struct kernel_test *t) {
    for (unsigned k = 0; k < t->nargs; k++) {
        struct test_argument *a = &t->args[k];
        if (a->kind != BUFFER) continue;
        a->after = malloc(a->bytes);
        if (!a->after) testfile_die("out of memory", 0);
        cl_int error =
            clEnqueueReadBuffer(queue, a->memory, CL_TRUE, 0, a->bytes, a->after, 0, NULL, NULL);
        if (error != CL_SUCCESS) {
            testfile_report(f, t, "reading %s gives %d", a->name, error);
            return false;
        }
        if (digest)
            printf("%s:%s:%s %016llx\n", f->name, t->name, a->name,
                   (unsigned long long)hash(a->after, a->bytes));
    }
    return true;
}

static bool counts_hold(const struct test_file *f, const struct kernel_test *t, cl_kernel kernel,
                        cl_event event) {
    bool right = true;
    for (unsigned k = 0; k < t->ncounts; k++)
        right &= countcheck_holds(f, t, t->counts[k], &profile, kernel, event);
    return right;
}

static bool test_run(const struct test_file *f, struct kernel_test *t, cl_program program) {
    cl_int error;
    cl_event event = NULL;
    cl_kernel kernel = clCreateKernel(program, t->kernel, &error);
    if (!kernel) {
        testfile_report(f, t, "clCreateKernel gives %d", error);
        return false;
    }
    bool right = arguments_set(f, t, kernel);
    if (t->ncounts) profile.begin(context, NULL);
    if (right) {
        catch_output();
        /* reports of the launch itself are caught as well: they are printed again below */
        right = launch(f, t, kernel, &event);
        char *text = caught_output();
        if (right)
            right = outputs_check(f, t, text);
        else
            fputs(text, stdout);
        free(text);
    }
    if (right && !t->fault && !t->has_launch_error) {
        right = results_read(f, t);
        for (unsigned k = 0; right && k < t->nexpects; k++)
            right = expected_check(f, t, &t->expects[k]);
        right = right && counts_hold(f, t, kernel, event);
    }
    if (t->ncounts) profile.end(context, NULL);
    if (event) clReleaseEvent(event);
    for (unsigned k = 0; k < t->nargs; k++) {
        struct test_argument *a = &t->args[k];
        if (a->memory) clReleaseMemObject(a->memory);
        free(a->before);
        free(a->after);
        a->memory = NULL;
        a->before = a->after = NULL;
    }
    clReleaseKernel(kernel);
    return right;
}

static char *build_log(cl_program program) {
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (!log) testfile_die("out of memory", 0);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    return log;
}

static bool device_has(const struct test_file *f) {
    char extensions[4096] = "";
    cl_bool images = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL);
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images), &images, NULL);
    return (!f->needs_doubles || strstr(extensions, "cl_khr_fp64")) &&
           (!f->needs_images || images) &&
           (!f->needs_atomics64 || strstr(extensions, "cl_khr_int64_base_atomics"));
}

/* What a file includes is looked for beside it first, as compilers do: the driver knows no name. */
static void build_run(struct test_file *f, const char *file_options) {
    char told[1200], options[8192], beside[4096] = "";
    const char *folder_end = strrchr(f->name, '/');
    if (strstr(f->text, "#include") && folder_end)
        snprintf(beside, sizeof beside, " -I \"%.*s\"", (int)(folder_end - f->name), f->name);
    snprintf(told, sizeof told, "%s%s%s", file_options, *file_options && *more_options ? " " : "",
             more_options);
    snprintf(options, sizeof options, "%s%s", told, beside);
    f->built = told;
    cl_int error;
    const char *source = f->text;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    if (!program) testfile_die("clCreateProgramWithSource", error);
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    char *log = build_log(program);
    if (f->build_error) {
        bool right = error == CL_BUILD_PROGRAM_FAILURE && strstr(log, f->build_error);
        if (!right)
            testfile_report(f, NULL, "build gives %d, not a failure with \"%s\"; log:\n%s", error,
                            f->build_error, log);
        right ? passed++ : failed++;
    } else if (error != CL_SUCCESS) {
        testfile_report(f, NULL, "build gives %d; log:\n%s", error, log);
        failed += wanted(f);
    } else {
        for (unsigned i = 0; i < f->ntests; i++) {
            struct kernel_test *t = &f->tests[i];
            if (!is_wanted(f, t)) continue;
            if (!can_run(f, t))
                skipped++;
            else
                test_run(f, t, program) ? passed++ : failed++;
        }
        if (!f->ntests) passed++; /* that it builds was the test */
    }
    free(log);
    clReleaseProgram(program);
}

static void file_run(struct test_file *f) {
    if (!wanted(f)) return;
    if (!context) open_device();
    if (!device_has(f)) {
        skipped += wanted(f);
        return;
    }
    char options[600], version[8];
    const char *p = f->versions;
    if (!*p) build_run(f, f->options);
    for (int n = 0; sscanf(p, "%7s%n", version, &n) == 1; p += n) {
        snprintf(options, sizeof(options), "%s -cl-std=CL%s", f->options, version);
        build_run(f, options);
    }
}

/* ---- models ---- */

/* The tests of one model, in a process of its own: the driver has one model in each. */
static void run_as(const struct test_file *f, const char *model) {
    int ends[2], status = -1;
    unsigned tally[3] = {0};
    char end[16];
    if (pipe(ends)) testfile_die("pipe", 0);
    snprintf(end, sizeof end, "%d", ends[1]);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) testfile_die("fork", 0);
    if (!pid) {
        close(ends[0]);
        setenv("SIMTCL_MODEL", model, 1);
        execl("/proc/self/exe", chosen.program, "--platform", chosen.platform, "--tests-of", model,
              "--options", more_options, "--tally", end, f->name, digest ? "--digest" : NULL, NULL);
        _exit(2);
    }
    close(ends[1]);
    bool told = read(ends[0], tally, sizeof tally) == sizeof tally;
    close(ends[0]);
    waitpid(pid, &status, 0);
    passed += tally[0];
    failed += tally[1];
    skipped += tally[2];
    if (told) return;
    testfile_report(f, NULL, "the tests of model %s ended with status %#x", model, status);
    failed++;
}

/* Those of `words` that are not among `before`. */
static void run_models(const struct test_file *f, const char *words, const char *before) {
    char model[128];
    for (int n = 0; sscanf(words, "%127s%n", model, &n) == 1; words += n)
        if (!has_word(before, model)) run_as(f, model);
}

static void run_all_models(const struct test_file *f) {
    char before[4096] = "";
    for (unsigned i = 0; i <= f->ntests; i++) {
        const char *words = models_of(f, i ? &f->tests[i - 1] : NULL);
        bool used = i || !f->ntests;
        if (!used) continue;
        run_models(f, words, before);
        size_t n = strlen(before);
        snprintf(before + n, sizeof before - n, " %s", words);
    }
}

static void run_file(const char *name) {
    struct test_file f;
    if (testfile_read(&f, name)) {
        if (!chosen.model) run_all_models(&f);
        file_run(&f);
    } else {
        failed++;
    }
    testfile_free(&f);
}

int main(int argc, char **argv) {
    int tally = -1, nfiles = 0;
    chosen.program = argv[0];
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--digest"))
            digest = true;
        else if (!strcmp(argv[i], "--platform") && more)
            chosen.platform = argv[++i];
        else if (!strcmp(argv[i], "--options") && more)
            more_options = argv[++i];
        else if (!strcmp(argv[i], "--model") && more)
            setenv("SIMTCL_MODEL", chosen.device = argv[++i], 1);
        else if (!strcmp(argv[i], "--tests-of") && more) /* these two: run_as */
            chosen.model = argv[++i];
        else if (!strcmp(argv[i], "--tally") && more)
            tally = atoi(argv[++i]);
        else if (strncmp(argv[i], "--", 2) != 0)
            argv[1 + nfiles++] = argv[i];
        else
            nfiles = -argc;
    }
    if (nfiles <= 0) {
        fprintf(stderr,
                "usage: kerneltest [--platform NAME] [--model NAME] [--options TEXT] [--digest] "
                "FILE.cl ...\n");
        return 2;
    }
    for (int i = 1; i <= nfiles; i++) run_file(argv[i]);
    if (context) {
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
    const unsigned counts[] = {passed, failed, skipped};
    if (tally < 0)
        printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    else if (write(tally, counts, sizeof counts) != sizeof counts)
        return 2;
    return failed ? 1 : 0;
}
