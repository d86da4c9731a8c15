/* What results are known by: a change of any part of what is asked is a miss, and a damaged value
 * is never more than one. The store is a table in memory. */
#include <stdint.h>
#include <string.h>

#include "tests/device/test.h"
#include "device/run/codecache.h"
#include "compiler/compiler.h"

/* ---- the store ---- */

enum { SLOTS = 64 };
static struct slot {
    char *key, *value;
    size_t key_bytes, bytes;
    char kind[16];
} slots[SLOTS];

static struct slot *find(const char *kind, const void *key, size_t bytes) {
    struct slot *s = slots;
    while (s->key && (strcmp(s->kind, kind) || s->key_bytes != bytes || memcmp(s->key, key, bytes)))
        s++;
    CHECK(s < slots + SLOTS - 1);
    return s;
}

/* Of the exact size, so that a sanitizer or valgrind sees who reads beyond its NUL. */
static void *get(const char *kind, const void *key, size_t key_bytes, size_t *bytes) {
    const struct slot *s = find(kind, key, key_bytes);
    if (!s->key) return NULL;
    char *copy = malloc(s->bytes + 1);
    memcpy(copy, s->value, s->bytes);
    copy[ *bytes = s->bytes] = 0;
    return copy;
}

static char *duplicate(const void *bytes, size_t size) {
    char *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    return copy;
}

static void put(const char *kind, const void *key, size_t key_bytes, const void *value,
                size_t bytes) {
    struct slot *s = find(kind, key, key_bytes);
    if (!s->key) s->key = duplicate(key, key_bytes);
    free(s->value);
    s->key_bytes = key_bytes;
    s->value = duplicate(value, bytes);
    s->bytes = bytes;
    strcpy(s->kind, kind);
}

static void forget_all(void) {
    for (struct slot *s = slots; s->key; s++) {
        free(s->key);
        free(s->value);
    }
    memset(slots, 0, sizeof slots);
}

static struct slot *of_kind(const char *kind) {
    struct slot *s = slots;
    while (s->key && strcmp(s->kind, kind)) s++;
    CHECK(s->key);
    return s;
}

/* ---- programs ---- */

static const char ir[] = "simtcl-ir 1\n"
                         ".kernel \"k\"\n"
                         ".param \"p\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                         ".param_bytes 4\n"
                         ".regs 1\n"
                         "{\n"
                         "    ld.param.i32 %i0, [0]\n"
                         "    st.global.i32 [%i0], 7\n"
                         "}\n";

static struct isa_module *module(void) {
    struct isa_error why;
    struct isa_module *m = isa_parse(ir, sizeof ir - 1, &why);
    CHECK(m);
    return m;
}

static const struct compiler_target target = {.cl_version = 120,
                                              .extensions = "cl_a",
                                              .doubles = true,
                                              .images = true,
                                              .max_constant_bytes = 1,
                                              .max_local_bytes = 2,
                                              .max_private_bytes = 3};
static const struct compiler_source header = {"h.h", "int h;", 6};
static const struct compiler_object object = {"object", 6};
static const struct compiler_request request = {.work = COMPILER_COMPILE,
                                                .target = &target,
                                                .options = "-w",
                                                .source = "source",
                                                .length = 6,
                                                .headers = &header,
                                                .nheaders = 1,
                                                .objects = &object,
                                                .nobjects = 1};
static struct compiler_cache cache = {.maker = "this driver\n", .get = get, .put = put};

static void keep(const char *inputs) {
    struct compiler_result r = {
        .module = module(), .log = "the log\n", .inputs = (char *)(uintptr_t)inputs};
    sourcecache_keep(&cache, &request, "/proc/self/exe", &r);
    isa_module_free(r.module);
}

static bool known(const struct compiler_request *q) {
    struct compiler_result r;
    if (!sourcecache_find(&cache, q, &r)) return false;
    CHECK(r.status == COMPILER_OK && r.module && r.module->nkernels == 1 && !r.object.text);
    CHECK(!strcmp(r.log, "the log\n"));
    isa_module_free(r.module);
    free(r.log);
    return true;
}

#define MISS(...)                                                                                  \
    do {                                                                                           \
        struct compiler_target t = target;                                                         \
        struct compiler_source h = header;                                                         \
        struct compiler_object o = object;                                                         \
        struct compiler_request q = request;                                                       \
        q.target = &t, q.headers = &h, q.objects = &o;                                             \
        CHECK(known(&q));                                                                          \
        __VA_ARGS__;                                                                               \
        CHECK(!known(&q));                                                                         \
    } while (0)

static void test_program_key(void) {
    CHECK(!known(&request) && !sourcecache_knows(&cache, "source", 6));
    keep("");
    CHECK(known(&request) && sourcecache_knows(&cache, "source", 6));
    CHECK(!sourcecache_knows(&cache, "sourcf", 6) && !sourcecache_knows(&cache, "source", 5));
    MISS(q.work = COMPILER_BUILD);
    MISS(q.options = NULL);
    MISS(q.options = "-w ");
    MISS(q.source = "sourcf");
    MISS(q.length = 5);
    MISS(q.nheaders = 0);
    MISS(h.name = "i.h");
    MISS(h.text = "int i;");
    MISS(h.length = 5);
    MISS(q.nobjects = 0);
    MISS(o.text = "oblect");
    MISS(o.length = 5);
    MISS(t.cl_version = 110);
    MISS(t.extensions = "cl_b");
    MISS(t.doubles = false);
    MISS(t.images = false);
    MISS(t.max_constant_bytes = 4);
    MISS(t.max_local_bytes = 4);
    MISS(t.max_private_bytes = 4);
    const char *maker = cache.maker;
    cache.maker = "another driver\n";
    CHECK(!known(&request));
    cache.maker = maker;
    CHECK(known(&request));
    forget_all();
}

/* What cannot be told, or has failed, is not kept. */
static void test_program_not_kept(void) {
    keep(NULL);
    CHECK(!known(&request));
    struct compiler_result r = {.status = COMPILER_FAILED, .log = "", .inputs = ""};
    sourcecache_keep(&cache, &request, "/proc/self/exe", &r);
    CHECK(!known(&request));
    r = (struct compiler_result){.module = module(), .log = "", .inputs = ""};
    sourcecache_keep(&cache, &request, NULL, &r);
    sourcecache_keep(&cache, &request, "/nowhere/libclang.so", &r);
    CHECK(!known(&request));
    isa_module_free(r.module);
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

/* Files that were read, that were not there, that were one and the same. */
static void test_inputs(void) {
    char folder[] = "/tmp/simtcl-keys-XXXXXX", inputs[1024];
    CHECK(mkdtemp(folder) && !chdir(folder));
    write_file("a.h", "text of a");
    CHECK(!symlink("a.h", "b.h"));
    snprintf(inputs, sizeof inputs, "+ 9 %016llx a.h\n- none.h\n= 0 b.h\n",
             (unsigned long long)isa_checksum("text of a", 9));
    keep(inputs);
    CHECK(known(&request));
    write_file("a.h", "text of b");
    CHECK(!known(&request));
    write_file("a.h", "text of a, longer");
    CHECK(!known(&request));
    write_file("a.h", "text of");
    CHECK(!known(&request));
    write_file("a.h", "text of a");
    CHECK(known(&request));
    write_file("none.h", "");
    CHECK(!known(&request));
    CHECK(!unlink("none.h") && known(&request));
    CHECK(!unlink("b.h"));
    CHECK(!known(&request));
    write_file("b.h", "text of a"); /* the same text, but another file: #pragma once */
    CHECK(!known(&request));
    CHECK(!unlink("b.h") && !link("a.h", "b.h") && known(&request));
    CHECK(!unlink("a.h") && !known(&request));
    CHECK(!unlink("b.h") && !chdir("/") && !rmdir(folder));
    /* The library that made it. */
    forget_all();
    char library[] = "/tmp/simtcl-keys-XXXXXX";
    close(mkstemp(library));
    struct compiler_result r = {.module = module(), .log = "the log\n", .inputs = ""};
    sourcecache_keep(&cache, &request, library, &r);
    isa_module_free(r.module);
    CHECK(known(&request));
    write_file(library, "updated");
    CHECK(!known(&request));
    CHECK(!unlink(library) && !known(&request));
}

/* Lists that no compiler wrote. */
static void test_bad_inputs(void) {
    static const char *const bad[] = {"x",
                                      "\n",
                                      "+\n",
                                      "+ 1\n",
                                      "= 7 /proc/self/exe\n",
                                      "= \n",
                                      "? a.h\n",
                                      "+ 99999999999999999999 0 /proc/self/exe\n",
                                      "= 1 a\n",
                                      "- /\n= 0 /proc/self/exe\n",
                                      "+  \n",
                                      "---\n\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        forget_all();
        keep(bad[i]);
        CHECK(!known(&request));
    }
}

/* The store's checksum is not all there is: what gets past it is parsed and verified. */
static void test_program_damage(void) {
    keep("");
    struct slot *s = of_kind("program");
    for (size_t i = 0; i < s->bytes; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            struct compiler_result r;
            s->value[i] ^= (char)(1u << bit);
            if (sourcecache_find(&cache, &request, &r)) {
                isa_module_free(r.module);
                free(r.object.text);
                free(r.log);
            }
            s->value[i] ^= (char)(1u << bit);
        }
    size_t whole = s->bytes;
    for (s->bytes = 0; s->bytes < whole; s->bytes++) CHECK(!known(&request));
    CHECK(known(&request));
}

/* ---- kernels ---- */

static const char *code_maker = "this driver\n";
static bool make_name(char *text, size_t size) {
    if (!code_maker) return false;
    snprintf(text, size, "%s", code_maker);
    return true;
}
static const struct codecache codes = {make_name, get, put};

static struct native_request code_request(const struct isa_module *m) {
    return (struct native_request){.module = m,
                                   .kernel = m->kernels[0],
                                   .local_size = {8, 4, 2},
                                   .level = NATIVE_AVX2,
                                   .flush = true};
}

static bool code_known(const struct native_request *r) {
    struct native_object o;
    char *key = codecache_key(&codes, r);
    CHECK(key);
    bool found = codecache_find(&codes, key, &o);
    free(key);
    if (!found) return false;
    CHECK(o.size == 7 && !memcmp(o.bytes, "machine", 7) && o.bundle == 4 && o.state_bytes == 96 &&
          o.streamed == 16);
    free(o.bytes);
    return true;
}

static void code_keep(const struct native_request *r, const char *library) {
    struct native_object o = {
        .bytes = (char[]){"machine"}, .size = 7, .bundle = 4, .state_bytes = 96, .streamed = 16};
    char *key = codecache_key(&codes, r);
    codecache_keep(&codes, key, library, &o);
    free(key);
}

#define CODE_MISS(...)                                                                             \
    do {                                                                                           \
        struct native_request r = code_request(m);                                                 \
        CHECK(code_known(&r));                                                                     \
        __VA_ARGS__;                                                                               \
        CHECK(!code_known(&r));                                                                    \
    } while (0)

static void test_kernel_key(void) {
    struct isa_module *m = module(), *same = module(), *other = module();
    struct native_request r = code_request(m);
    CHECK(!code_known(&r));
    code_keep(&r, "/proc/self/exe");
    CHECK(code_known(&r));
    CODE_MISS(r.local_size[0] = 4);
    CODE_MISS(r.local_size[1] = 8);
    CODE_MISS(r.local_size[2] = 1);
    CODE_MISS(r.group_size[0] = 16);
    CODE_MISS(r.group_size[1] = 2);
    CODE_MISS(r.group_size[2] = 1);
    CODE_MISS(r.low_ids = true);
    CODE_MISS(r.cut = 1);
    CODE_MISS(r.flat = true);
    CODE_MISS(r.along = 1);
    CODE_MISS(r.packed = 2);
    CODE_MISS(r.local_step = 128);
    CODE_MISS(r.level = NATIVE_AVX512);
    CODE_MISS(r.flush = false);
    CODE_MISS(code_maker = "another driver\n");
    code_maker = "this driver\n";
    r = code_request(same);
    CHECK(code_known(&r));
    /* A further kernel of the program does not matter; the data, and the kernel itself, do. */
    isa_kernel_new(same, "k2");
    CHECK(code_known(&r));
    isa_module_add_data(same, "data", 4, 4);
    CHECK(!code_known(&r));
    isa_const_new(other->kernels[0], ISA_I32, 8);
    r = code_request(other);
    r.kernel->insts[1].imm = 4;
    CHECK(!code_known(&r));
    code_maker = NULL; /* it cannot be told who made it */
    CHECK(!codecache_key(&codes, &r));
    isa_module_free(m);
    isa_module_free(same);
    isa_module_free(other);
}

static void test_kernel_value(void) {
    char library[] = "/tmp/simtcl-keys-XXXXXX";
    close(mkstemp(library));
    struct isa_module *m = module();
    struct native_request r = code_request(m);
    code_keep(&r, NULL);
    code_keep(&r, "/nowhere/libLLVM.so");
    CHECK(!code_known(&r));
    code_keep(&r, library);
    CHECK(code_known(&r));
    write_file(library, "updated");
    CHECK(!code_known(&r));
    code_keep(&r, library);
    CHECK(code_known(&r));
    struct slot *s = of_kind("kernel");
    size_t whole = s->bytes;
    for (s->bytes = 0; s->bytes < whole - 7; s->bytes++) CHECK(!code_known(&r));
    s->bytes = whole;
    for (size_t i = sizeof(struct native_object); i < whole - 7; i++) { /* what tells the library */
        s->value[i] ^= 1;
        CHECK(!code_known(&r));
        s->value[i] ^= 1;
    }
    CHECK(!unlink(library) && !code_known(&r));
    isa_module_free(m);
}

TEST_MAIN(TEST(test_program_key), TEST(test_program_not_kept), TEST(test_inputs),
          TEST(test_bad_inputs), TEST(test_program_damage), TEST(test_kernel_key),
          TEST(test_kernel_value))
