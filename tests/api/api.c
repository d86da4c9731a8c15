#include "api.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

atomic_int api_failures;
bool api_ours;
static bool printing;
static atomic_int failures, checks;

static const struct {
    cl_int code;
    const char *name;
} codes[] = {
#define ERROR(code, meaning) {code, #code},
#include "runtime/errors.def"
#undef ERROR
};

static const char *name_of(cl_int code) {
    static _Thread_local char number[16];
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code) return codes[i].name;
    snprintf(number, sizeof number, "%d", code);
    return number;
}

/* ---- what was seen ---- */

enum { MAX_SEEN = 4096, MAX_NAME = 64 };
static struct seen {
    char name[MAX_NAME];
    cl_int code;
} seen[MAX_SEEN];
static int nseen;
static const char *seen_path; /* SIMTCL_TEST_SEEN, or NULL */
static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;

/* Each pair goes to the file at once, as some tests end without exit. */
static void write_seen(const struct seen *s) {
    FILE *f = fopen(seen_path, "a");
    if (!f) return;
    fprintf(f, "%s %s\n", s->name, name_of(s->code));
    fclose(f);
}

/* The function at the head of `call`. */
static bool name_function(const char *call, char name[MAX_NAME]) {
    const char *begin = strstr(call, "cl");
    while (begin && (begin[2] < 'A' || begin[2] > 'Z')) begin = strstr(begin + 1, "cl");
    if (!begin) return false;
    size_t length = strcspn(begin, "( ");
    if (length >= MAX_NAME) return false;
    memcpy(name, begin, length);
    name[length] = 0;
    return true;
}

void api_saw(const char *call, cl_int code) {
    if (!seen_path) return; /* nor is a lock taken, which a forked child might find locked */
    struct seen s = {.code = code};
    if (!name_function(call, s.name)) return;
    pthread_mutex_lock(&seen_lock);
    int i = 0;
    while (i < nseen && (seen[i].code != code || strcmp(seen[i].name, s.name))) i++;
    if (i == nseen && nseen < MAX_SEEN) {
        seen[nseen++] = s;
        write_seen(&s);
    }
    pthread_mutex_unlock(&seen_lock);
}

/* ---- what the log said ---- */

enum { MAX_LOG = 1 << 16, LEAST_REASON = 8 };
static int log_file = -1;          /* SIMTCL_TEST_LOG: in the place of stderr */
static off_t log_end;              /* when the call began */
static _Thread_local bool logging; /* the thread that began; of others the log is not looked at */
static FILE *complaints;           /* stderr, wherever the log goes */

static void begin_log(void) {
    const char *wanted = getenv("SIMTCL_TEST_LOG");
    int own = wanted && *wanted == '1' ? dup(STDERR_FILENO) : -1;
    complaints = own < 0 ? stderr : fdopen(own, "w");
    if (own < 0) return;
    setvbuf(complaints, NULL, _IOLBF, 0);
    log_file = memfd_create("log", 0);
    if (log_file < 0 || dup2(log_file, STDERR_FILENO) < 0) exit(EXIT_FAILURE);
    logging = true;
}

/* A query with a bad name or size. */
static bool is_query(const char *name, cl_int code) {
    return code == CL_INVALID_VALUE && !strncmp(name, "clGet", 5) && strstr(name, "Info");
}

/* A call that failed has one line "simtcl: clFoo: CL_BAD: why", one that succeeded has none. A
 * query is named; of one that no version up to 1.2 knows there is no line, as programs ask such to
 * find out what there is. */
static bool log_is_right(const char *call, cl_int code) {
    static char text[MAX_LOG];
    char name[MAX_NAME], begin[2 * MAX_NAME + 16];
    if (!logging || !name_function(call, name)) return true;
    ssize_t n = pread(log_file, text, sizeof text - 1, log_end);
    text[n > 0 ? n : 0] = 0;
    snprintf(begin, sizeof begin, "simtcl: %s: ", name);
    int lines = 0, good = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, begin, strlen(begin))) continue;
        char *code_at = line + strlen(begin), *why = strstr(code_at, ": ");
        lines++;
        good += !strncmp(code_at, name_of(code), strlen(name_of(code))) && why &&
                strlen(why + 2) >= LEAST_REASON && !strstr(why, "(null)") &&
                (!is_query(name, code) || strstr(why, "CL_") || strstr(why, "0x"));
        if (!good) fprintf(complaints, "%s\n", line);
    }
    if (code == CL_SUCCESS || (is_query(name, code) && strstr(call, ", 0x4242,"))) return !lines;
    return lines == good && (lines == 1 || (!lines && is_query(name, code)));
}

/* ---- checks ---- */

static const char *base(const char *file) {
    return strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
}

bool api_may(const char *file, int line) {
    if (logging) log_end = lseek(log_file, 0, SEEK_END);
    if (!printing) return true;
    static int at = -1;
    char place[64];
    int length = snprintf(place, sizeof place, "%s:%d ", base(file), line);
    const char *path = getenv("SIMTCL_TEST_AT"), *skip = getenv("SIMTCL_TEST_SKIP");
    if (path && at < 0) at = open(path, O_WRONLY | O_CLOEXEC);
    if (at >= 0 && (ftruncate(at, 0) || pwrite(at, place, (size_t)length, 0) != length)) at = -1;
    return !skip || !strstr(skip, place);
}

static void failed(void) { api_failures = ++failures; }

void api_expect(const char *file, int line, const char *call, cl_int got, cl_int wanted) {
    checks++;
    if (printing)
        printf("%s %s:%d: %s: got %s, expected %s\n", got == wanted ? "same   " : "DIFFERS",
               base(file), line, call, name_of(got), name_of(wanted));
    if (!log_is_right(call, got)) {
        fprintf(complaints, "%s:%d: %s: the log does not say in one line why\n", file, line, call);
        failed();
    }
    if (got == wanted) {
        if (got != CL_SUCCESS && api_ours) api_saw(call, got);
        return;
    }
    fprintf(complaints, "%s:%d: %s: got %d, expected %d\n", file, line, call, got, wanted);
    failed();
}

bool api_check(const char *file, int line, const char *what, bool good) {
    checks++;
    if (good) return true;
    if (printing) printf("NOT SO  %s:%d: %s\n", base(file), line, what);
    fprintf(complaints, "%s:%d: not so: %s\n", file, line, what);
    failed();
    return false;
}

int api_result(void) {
    if (printing) printf("%d of %d checks differ\n", failures, checks);
    if (failures) fprintf(complaints, "%d checks failed\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

__attribute__((constructor)) static void api_begin(void) {
    begin_log();
    const char *path = getenv("SIMTCL_TEST_SEEN");
    seen_path = path && *path ? path : NULL;
    FILE *f = seen_path ? fopen(seen_path, "w") : NULL;
    if (f) fclose(f);
    const char *print = getenv("SIMTCL_TEST_PRINT");
    printing = print && *print == '1';
    if (printing) setvbuf(stdout, NULL, _IOLBF, 0);
    cl_platform_id platform = NULL;
    char name[256] = "";
    clGetPlatformIDs(1, &platform, NULL);
    if (platform) clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    api_ours = !strcmp(name, "simtcl");
    if (!api_ours) printf("platform %s\n", name);
}

struct api api_open(void) {
    struct api a = {0};
    cl_int err = 0;
    EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &a.platform, NULL));
    EXPECT(CL_SUCCESS, clGetDeviceIDs(a.platform, CL_DEVICE_TYPE_ALL, 1, &a.device, NULL));
    EXPECT_NEW(CL_SUCCESS, a.context = clCreateContext(NULL, 1, &a.device, NULL, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, a.queue = clCreateCommandQueue(a.context, a.device,
                                                          CL_QUEUE_PROFILING_ENABLE, &err));
    if (api_failures) exit(api_result());
    return a;
}

void api_close(struct api *a) {
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(a->queue));
    EXPECT(CL_SUCCESS, clReleaseContext(a->context));
}

int api_version(cl_device_id device) {
    char text[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, NULL);
    return strlen(text) > 9 ? (text[7] - '0') * 100 + (text[9] - '0') * 10 : 0;
}

bool api_mapped(const char *what) {
    char line[1024];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f)) found |= strstr(line, what) != NULL;
    if (f) fclose(f);
    return found;
}

int api_helpers(void) {
    int n = 0;
    DIR *dir = opendir("/proc/self/fd");
    for (struct dirent *d; dir && (d = readdir(dir));) {
        char path[300], target[64] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%s", d->d_name);
        if (atoi(d->d_name) > 2 && readlink(path, target, sizeof target - 1) > 0)
            n += !strncmp(target, "socket:", 7);
    }
    if (dir) closedir(dir);
    return n;
}
