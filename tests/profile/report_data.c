/* The report (docs/report.md): what its JSON says of small kernels, that the page has the same in
 * it and asks for nothing from outside, that many launches make no long report, and what a baseline
 * shows. */
#include "guest.h"

#include <cjson/cJSON.h>
#include <unistd.h>

enum { ITEMS = 1024, GROUP = 64 };

/* A member of the JSON, by the members that lead to it; fields.def. */
struct report_field {
    const char *where, *name;
    bool seen;
};
static struct report_field fields[] = {
#define FIELD(where, name, what) {where, #name, false},
#include "device/report/fields.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* What a tag in the text would end, and what is no UTF-8, has to come through. */
static const char source[] =
    "/* </script> \xe9 */\n"
    "__kernel void spread(__global float *to, __global const float *from) {\n"
    "    int i = get_global_id(0);\n"
    "    to[i] =\n"
    "        from[i * 2];\n"
    "}\n"
    "__kernel void meet(__global float *to, __global const float *from) {\n"
    "    __local float rows[16][16];\n"
    "    int l = get_local_id(0);\n"
    "    rows[l / 16][l % 16] = from[l];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    to[get_global_id(0)] = rows[l % 16][l / 16] + rows[l / 16][0];\n"
    "}\n"
    "__kernel void count(__global int *to, __constant int *from) {\n"
    "    atomic_add(to + get_local_id(0) / 8 % 2, from[get_local_id(0) % 4]);\n"
    "    if (get_local_id(0) < 7) to[get_global_id(0) + 64] = from[0] / (int)get_local_size(0);\n"
    "}\n"
    "__kernel void look(__global float *to, __read_only image2d_t from) {\n"
    "    sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
    "CLK_FILTER_NEAREST;\n"
    "    sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
    "    int i = get_global_id(0);\n"
    "    float sum = read_imagef(from, nearest, (int2)(i / 16, i % 16)).x;\n"
    "    if (i % 16 < 2) sum += read_imagef(from, linear, (float2)(i % 16 * 8, 0)).x;\n"
    "    to[i] = sum;\n"
    "}\n";

static cl_mem buffers[2], image;

static void open_all(struct guest *g) {
    cl_int error;
    guest_open(g, source);
    for (int n = 0; n < 2; n++) {
        buffers[n] =
            clCreateBuffer(g->context, CL_MEM_READ_WRITE, 8 * ITEMS * sizeof(float), NULL, &error);
        CHECK(!error, "buffer");
    }
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc side = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    image = clCreateImage(g->context, CL_MEM_READ_ONLY, &format, &side, NULL, &error);
    CHECK(!error, "image");
}

static void launch_from(struct guest *g, cl_kernel k, cl_mem from, size_t items, size_t group,
                        int times) {
    CHECK(!clSetKernelArg(k, 0, sizeof buffers[0], &buffers[0]), "argument");
    CHECK(!clSetKernelArg(k, 1, sizeof from, &from), "argument");
    for (int n = 0; n < times; n++)
        CHECK(!clEnqueueNDRangeKernel(g->queue, k, 1, NULL, &items, &group, 0, NULL, NULL),
              "launch");
    CHECK(!clFinish(g->queue), "clFinish");
    clReleaseKernel(k);
}

static void launch(struct guest *g, cl_kernel k, size_t items, size_t group, int times) {
    launch_from(g, k, buffers[1], items, group, times);
}

static void close_all(struct guest *g) {
    clReleaseMemObject(image);
    for (int n = 0; n < 2; n++) clReleaseMemObject(buffers[n]);
    guest_close(g);
}

static void run_all(void) {
    struct guest g;
    open_all(&g);
    launch(&g, guest_kernel(&g, "spread"), ITEMS, GROUP, 3);
    launch(&g, guest_kernel(&g, "meet"), ITEMS, 256, 1);
    launch(&g, guest_kernel(&g, "count"), ITEMS, GROUP, 1);
    launch_from(&g, guest_kernel(&g, "look"), image, ITEMS, GROUP, 1);
    char back[64];
    CHECK(!clEnqueueReadBuffer(g.queue, buffers[0], CL_TRUE, 0, sizeof back, back, 0, NULL, NULL),
          "read");
    close_all(&g);
}

static void run_spread(void) {
    struct guest g;
    open_all(&g);
    launch(&g, guest_kernel(&g, "spread"), ITEMS, 128, 1);
    close_all(&g);
}

static void run_many(void) {
    struct guest g;
    open_all(&g);
    launch(&g, guest_kernel(&g, "spread"), GROUP, GROUP, 9600);
    for (int n = 1; n <= 400; n++) launch(&g, guest_kernel(&g, "meet"), (size_t)n, 1, 1);
    close_all(&g);
}

static void run_nothing(void) {
    struct guest g;
    open_all(&g);
    close_all(&g);
}

/* Texts of included files come along: from the disk, and from the header of a linked program. */
static void run_included(void) {
    static const char disk[] = "#include \"report_data.h\"\n"
                               "__kernel void halve(__global float *to) {\n"
                               "    to[get_global_id(0)] = part(to[get_global_id(0)]);\n"
                               "}\n",
                      other[] = "#include \"given.h\"\n"
                                "__kernel void both(__global float *to) { GIVEN(to); }\n",
                      given[] =
                          "inline void given(__global float *p) { p[get_global_id(0)] = 1; }\n"
                          "#define GIVEN given\n";
    const char *texts[] = {disk, other, given}, *name = "given.h";
    cl_program p[3], linked;
    cl_int error;
    struct guest g;
    open_all(&g);
    for (int n = 0; n < 3; n++) {
        p[n] = clCreateProgramWithSource(g.context, 1, &texts[n], NULL, &error);
        CHECK(!error, "program");
    }
    CHECK(!clBuildProgram(p[0], 1, &g.device, "-I.", NULL, NULL), "build");
    CHECK(!clCompileProgram(p[1], 1, &g.device, "", 1, &p[2], &name, NULL, NULL), "compile");
    linked = clLinkProgram(g.context, 1, &g.device, "", 1, &p[1], NULL, NULL, &error);
    CHECK(!error, "link");
    cl_kernel k[2] = {clCreateKernel(p[0], "halve", &error),
                      clCreateKernel(linked, "both", &error)};
    CHECK(k[0] && k[1], "kernels");
    for (int n = 0; n < 2; n++) {
        size_t items = GROUP;
        CHECK(!clSetKernelArg(k[n], 0, sizeof buffers[0], &buffers[0]) &&
                  !clEnqueueNDRangeKernel(g.queue, k[n], 1, NULL, &items, NULL, 0, NULL, NULL),
              "launch");
        clReleaseKernel(k[n]);
    }
    CHECK(!clFinish(g.queue), "clFinish");
    for (int n = 0; n < 3; n++) clReleaseProgram(p[n]);
    clReleaseProgram(linked);
    close_all(&g);
}

/* ---- reading ---- */

struct report_run {
    char *errors, *text;
    cJSON *root;
};

/* The member of that name, or NULL. */
static const cJSON *in(const cJSON *v, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(v, key);
}

static double number(const cJSON *v, const char *key, double otherwise) {
    const cJSON *m = in(v, key);
    return cJSON_IsNumber(m) ? m->valuedouble : otherwise;
}

static const char *text_of(const cJSON *v, const char *key) {
    const cJSON *m = in(v, key);
    return cJSON_IsString(m) ? m->valuestring : "";
}

static cJSON *read_tree(const char *text) {
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithOpts(text, &end, true);
    CHECK(root, "no JSON: %.60s", end);
    return root;
}

static struct report_run run(void (*program)(void), const char *const *variables) {
    struct report_run r;
    unlink("report_data.json");
    r.errors = guest_run(program, variables);
    r.text = guest_file("report_data.json");
    CHECK(r.text, "no report: %s", r.errors);
    r.root = read_tree(r.text);
    return r;
}

static void run_free(struct report_run *r) {
    cJSON_Delete(r->root);
    free(r->text);
    free(r->errors);
}

static const cJSON *item(const cJSON *list, size_t at) {
    CHECK(cJSON_IsArray(list) && (int)at < cJSON_GetArraySize(list), "item %zu", at);
    return cJSON_GetArrayItem(list, (int)at);
}

/* The record of a kernel. */
static const cJSON *record(const struct report_run *r, const char *kernel) {
    const cJSON *list = in(r->root, "launches");
    const cJSON *v;
    cJSON_ArrayForEach(v, list) if (!strcmp(text_of(v, "kernel"), kernel)) return v;
    CHECK(false, "no record of %s", kernel);
    return NULL;
}

/* Its n-th access with a drawing. */
static const cJSON *drawn(const cJSON *record, size_t n) {
    const cJSON *s;
    cJSON_ArrayForEach(s, in(record, "sites")) {
        const cJSON *worst = in(s, "worst");
        if (cJSON_IsObject(worst) && !n--) return worst;
    }
    CHECK(false, "no such drawing");
    return NULL;
}

static void expect(const cJSON *v, const char *key, double value) {
    double got = number(v, key, -1);
    CHECK(got == value, "%s is %g, expected %g", key, got, value);
}

/* ---- members ---- */

static bool is_map(const char *where, const char *name) {
    (void)where;
    return !strcmp(name, "counters") || !strcmp(name, "busy");
}

static void walk(const cJSON *v, const char *where) {
    const cJSON *m;
    cJSON_ArrayForEach(m, v) {
        char at[256];
        if (!m->string) {
            walk(m, where);
            continue;
        }
        int found = 0;
        while (found < FIELDS && (strcmp(fields[found].where, where) != 0 ||
                                  strcmp(fields[found].name, m->string) != 0))
            found++;
        CHECK(found < FIELDS, "%s.%s is not in fields.def", where, m->string);
        fields[found].seen = true;
        snprintf(at, sizeof at, "%s%s%s", where, *where ? "." : "", m->string);
        if (cJSON_IsArray(m) || (cJSON_IsObject(m) && !is_map(where, m->string))) walk(m, at);
    }
}

/* Those that take a kernel of another kind than these. */
static bool is_rare(const struct report_field *f) {
    static const char *const rare[] = {"other_sizes",      "larger_group",  "camping",
                                       "better_registers", "smaller_group", "commands",
                                       "better_shared"};
    for (size_t n = 0; n < sizeof rare / sizeof *rare; n++)
        if (!strcmp(rare[n], f->name)) return true;
    return false;
}

/* ---- tests ---- */

static void check_spread(const struct report_run *r) {
    const cJSON *k = record(r, "spread"), *w = drawn(k, 0);
    const cJSON *c = in(k, "counters");
    expect(k, "launches", 3);
    expect(k, "items", GROUP);
    expect(k, "groups", 48);
    expect(c, "gld_128b", 192);
    expect(c, "gst_64b", 192);
    expect(k, "moved", 3 * (8192 + 4096));
    expect(in(k, "occupancy"), "share", 0.5);
    CHECK(number(in(k, "time"), "seconds", 0) > 0, "no time");
    /* 16 lanes, 8 bytes apart, are 128 bytes; the first warp is as bad as any */
    CHECK(!strcmp(text_of(w, "what"), "segments"), "what is drawn");
    expect(w, "cost", 1);
    CHECK(cJSON_GetArraySize(in(w, "steps")) == 1, "steps");
    const cJSON *step = item(in(w, "steps"), 0);
    expect(step, "lanes", 65535);
    expect(step, "bytes", 128);
    expect(step, "partition", 0);
    expect(step, "address", 0);
    CHECK(item(in(w, "addresses"), 3)->valuedouble == 24, "addresses");
    /* lines 4 and 5 of the source, which is in the report */
    const char *text = text_of(item(in(r->root, "sources"), 0), "text");
    CHECK(!strncmp(text, "/* </script> \xc3\xa9 */\n__kernel", 26), "the source: %.40s", text);
    CHECK(!strchr(r->text, '<'), "a tag could end the data");
}

static void check_others(const struct report_run *r) {
    /* a column of 16 rows of 16 words: every lane in one bank */
    const cJSON *k = record(r, "meet"), *w = drawn(k, 2);
    CHECK(!strcmp(text_of(w, "what"), "banks"), "what is drawn");
    expect(w, "cost", 16);
    CHECK(cJSON_GetArraySize(in(w, "steps")) == 16, "passes");
    expect(item(in(w, "steps"), 1), "lanes", 2);
    expect(in(k, "counters"), "shared_conflict", 16);
    /* 16 lanes read 4 constants, and 8 of them want one place */
    k = record(r, "count");
    w = drawn(k, 0);
    CHECK(!strcmp(text_of(w, "what"), "constants"), "what is drawn");
    expect(w, "cost", 4);
    expect(item(in(w, "steps"), 1), "lanes", 0x2222);
    w = drawn(k, 1);
    CHECK(!strcmp(text_of(w, "what"), "atomics"), "what is drawn");
    expect(item(in(w, "steps"), 0), "lanes", 0x101);
    CHECK(cJSON_GetArraySize(in(w, "steps")) == 8, "turns");
}

static void expect_triple(const cJSON *v, const char *key, double x, double y, double z) {
    const double expected[3] = {x, y, z};
    for (int n = 0; n < 3; n++) {
        double got = item(in(v, key), n)->valuedouble;
        CHECK(got == expected[n], "%s[%d] is %g, expected %g", key, n, got, expected[n]);
    }
}

/* Lines of 32 bytes, 8 texels of a row, in tiles of 64 bytes and 4 rows. */
static void check_texels(const struct report_run *r) {
    /* a column of the image: a line each; the fifth is in the tile below the first */
    const cJSON *w = drawn(record(r, "look"), 0), *step = item(in(w, "steps"), 4);
    CHECK(!strcmp(text_of(w, "what"), "texels"), "what is drawn");
    expect(w, "cost", 16);
    expect(step, "lanes", 1 << 4);
    expect(step, "address", 256);
    expect_triple(step, "texel", 0, 4, 0);
    expect_triple(step, "span", 8, 1, 1);
    /* four texels round a corner, of which those with x or y -1 are none: lane 0 reads (0, 0), lane
     * 1 (7, 0) and (8, 0), of which the first lies in lane 0's line */
    w = drawn(record(r, "look"), 1);
    expect(w, "mask", 3);
    expect(w, "cost", 2);
    expect(item(in(w, "steps"), 0), "lanes", 3);
    expect(item(in(w, "steps"), 1), "lanes", 2);
    CHECK(cJSON_GetArraySize(item(in(w, "texels"), 0)) == 1, "texels");
    CHECK(cJSON_GetArraySize(item(in(w, "texels"), 1)) == 2, "texels");
}

/* The same figures in both engines, with one thread and with several. */
static void check_same(const char *text) {
    static const char *const ways[][2] = {{"SIMTCL_ENGINE=interpreter", "SIMTCL_THREADS=1"},
                                          {"SIMTCL_ENGINE=native", "SIMTCL_THREADS=7"}};
    for (int n = 0; n < 2; n++) {
        struct report_run r =
            run(run_all, (const char *const[]){"SIMTCL_PROFILE=json=report_data.json",
                                               "SIMTCL_TIME=model", ways[n][0], ways[n][1], NULL});
        size_t at = 0;
        while (text[at] && r.text[at] == text[at]) at++;
        size_t from = at < 100 ? 0 : at - 100;
        CHECK(!strcmp(r.text, text), "%s, %s: another report: %.140s in place of %.140s",
              ways[n][0], ways[n][1], r.text + from, text + from);
        run_free(&r);
    }
}

static void check_page(const char *data) {
    char *page = guest_file("report_data.html");
    CHECK(page && !strncmp(page, "<!doctype html>", 15), "no page");
    const char *at = strstr(page, "id=\"data\">");
    CHECK(at && !strncmp(at + 10, data, strlen(data)), "the page has other data");
    CHECK(!strstr(page, "@CSS@") && !strstr(page, "@JS@") && !strstr(page, "@DATA@"), "marks");
    static const char *const outside[] = {"src=", "<link", "@import", "url(", "fetch(", "XMLHttp"};
    for (size_t n = 0; n < sizeof outside / sizeof *outside; n++)
        CHECK(!strstr(page, outside[n]), "the page asks for something: %s", outside[n]);
    for (const char *p = page; (p = strstr(p, "http")); p++)
        CHECK(!strncmp(p, "http://www.w3.org/2000/svg", 26), "an address: %.40s", p);
    free(page);
}

static void three(void) {
    struct report_run r =
        run(run_all,
            (const char *const[]){"SIMTCL_PROFILE=json=report_data.json,report=report_data.html",
                                  "SIMTCL_TIME=model", "SIMTCL_PROFILE_BOARD=9600gt", NULL});
    CHECK(guest_matches(r.errors,
                        "simtcl: Tesla C1060 would have taken [0-9.]+ us for the kernels of "
                        "report_data\n(.*\n)*  spread 1024 by 64, 3 launches: [0-9.]+ us each\n"
                        "    bound by .*\n(.*\n)*"),
          "the text");
    check_spread(&r);
    check_others(&r);
    check_texels(&r);
    check_page(r.text);
    walk(r.root, "");
    const cJSON *boards = in(record(&r, "meet"), "boards");
    CHECK(cJSON_GetArraySize(boards) == 4 &&
              !strcmp(text_of(item(boards, 3), "name"), "GeForce 9600 GT"),
          "boards");
    run_free(&r);
    r = run(run_all, (const char *const[]){"SIMTCL_PROFILE=json=report_data.json",
                                           "SIMTCL_TIME=model", NULL});
    check_same(r.text);
    run_free(&r);
}

/* By the rules of 1.1 every lane of that access has a transaction of its own. */
static void early(void) {
    struct report_run r =
        run(run_spread, (const char *const[]){"SIMTCL_PROFILE=json=report_data.json",
                                              "SIMTCL_MODEL=9600gt", NULL});
    const cJSON *w = drawn(record(&r, "spread"), 0);
    expect(w, "cost", 16);
    expect(item(in(w, "steps"), 5), "lanes", 32);
    expect(item(in(w, "steps"), 5), "bytes", 32);
    CHECK(!strcmp(text_of(in(r.root, "timeline"), "clock"), "host"), "the clock");
    run_free(&r);
}

static void many(void) {
    struct report_run r =
        run(run_many, (const char *const[]){"SIMTCL_PROFILE=json=report_data.json", NULL});
    CHECK(strlen(r.text) < 2000000, "%zu bytes", strlen(r.text));
    expect(record(&r, "spread"), "launches", 9600);
    const cJSON *list = in(r.root, "launches");
    double launches = number(r.root, "left_out", 0), others = 0;
    CHECK(cJSON_GetArraySize(list) == 256, "%d records", cJSON_GetArraySize(list));
    const cJSON *v;
    cJSON_ArrayForEach(v, list) {
        launches += number(v, "launches", 0);
        others += number(v, "other_sizes", 0);
    }
    CHECK(launches == 10000 && others == 400 - 255, "%g launches, %g others", launches, others);
    const cJSON *t = in(r.root, "timeline");
    double told = number(t, "left_out", 0);
    cJSON_ArrayForEach(v, in(t, "spans")) told += number(v, "commands", 1);
    CHECK(told >= 10000 && cJSON_GetArraySize(in(t, "spans")) <= 2000, "%g commands", told);
    walk(r.root, "");
    run_free(&r);
}

static void compared(void) {
    struct report_run r =
        run(run_all, (const char *const[]){"SIMTCL_PROFILE=json=report_before.json,report=report_"
                                           "before.html,json=report_data.json",
                                           NULL});
    run_free(&r);
    rename("report_data.json", "report_before.json");
    static const char *const earlier[] = {"SIMTCL_PROFILE_BASELINE=report_before.json",
                                          "SIMTCL_PROFILE_BASELINE=report_before.html"};
    for (int n = 0; n < 2; n++) {
        r = run(run_spread,
                (const char *const[]){"SIMTCL_PROFILE=json=report_data.json", earlier[n], NULL});
        CHECK(!*r.errors, "%s", r.errors);
        const cJSON *before = in(record(&r, "spread"), "before");
        expect(before, "launches", 3);
        expect(in(before, "counters"), "gld_128b", 192);
        const cJSON *gone = in(in(r.root, "baseline"), "gone");
        CHECK(cJSON_GetArraySize(gone) == 3 && !strcmp(item(gone, 0)->valuestring, "meet"),
              "what is gone");
        walk(r.root, "");
        run_free(&r);
    }
    r = run(run_all,
            (const char *const[]){"SIMTCL_PROFILE=json=report_data.json,report=report_data.html",
                                  earlier[0], NULL});
    CHECK(strstr(r.errors, "    the baseline took ") && strstr(r.errors, ": no change\n"), "%s",
          r.errors);
    CHECK(!cJSON_GetArraySize(in(in(record(&r, "meet"), "before"), "counters")), "a change");
    run_free(&r);
}

static void included(void) {
    static const char header[] = "inline float part(float x) {\n    return x / 2;\n}\n";
    FILE *f = fopen("report_data.h", "w");
    CHECK(f && fputs(header, f) >= 0 && !fclose(f), "a file");
    struct report_run r =
        run(run_included, (const char *const[]){"SIMTCL_PROFILE=json=report_data.json", NULL});
    const cJSON *list = in(r.root, "sources");
    int found = 0;
    CHECK(cJSON_GetArraySize(list) == 4, "%d sources", cJSON_GetArraySize(list));
    const cJSON *v;
    cJSON_ArrayForEach(v, list) {
        const char *name = text_of(v, "name"), *text = text_of(v, "text");
        const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
        found += !strcmp(base, "report_data.h") && !strcmp(text, header);
        found += !strcmp(base, "given.h") && !strncmp(text, "inline void given", 17);
        found += !strcmp(name, "<program source>") && !strncmp(text, "#include ", 9);
    }
    CHECK(found == 4, "%d of the texts", found);
    const cJSON *sites = in(record(&r, "both"), "sites");
    CHECK(!strcmp(text_of(item(sites, 0), "within"), "given"), "the function");
    walk(r.root, "");
    unlink("report_data.h");
    run_free(&r);
}

/* What is wrong is told, and the report is written all the same. */
static void wrong(void) {
    static const char *const told[][2] = {
        {"SIMTCL_PROFILE_BASELINE=/nowhere", "simtcl: SIMTCL_PROFILE: the baseline /nowhere cannot "
                                             "be read: No such file or directory\n"},
        {"SIMTCL_PROFILE_BASELINE=report_wrong.json",
         "simtcl: SIMTCL_PROFILE: the baseline report_wrong.json is no JSON: line 2\n"},
        {"SIMTCL_PROFILE_BASELINE=report_other.json",
         "simtcl: SIMTCL_PROFILE: the baseline report_other.json is no report of simtcl\n"},
        {"SIMTCL_PROFILE_BOARD=voodoo",
         "simtcl: SIMTCL_PROFILE_BOARD is \"voodoo\", which is no board of models.def\n"}};
    FILE *f = fopen("report_wrong.json", "w");
    CHECK(f && fputs("{\"format\":\n1 2}", f) >= 0 && !fclose(f), "a file");
    f = fopen("report_other.json", "w");
    CHECK(f && fputs("{\"format\":\"another\"}", f) >= 0 && !fclose(f), "a file");
    for (size_t n = 0; n < sizeof told / sizeof *told; n++) {
        struct report_run r =
            run(run_spread,
                (const char *const[]){"SIMTCL_PROFILE=json=report_data.json", told[n][0], NULL});
        CHECK(!strcmp(r.errors, told[n][1]), "%s", r.errors);
        record(&r, "spread");
        run_free(&r);
    }
    unlink("report_data.json");
    char *errors =
        guest_run(run_nothing, (const char *const[]){"SIMTCL_PROFILE=json=report_data.json", NULL});
    CHECK(!*errors && access("report_data.json", F_OK), "a report of nothing: %s", errors);
    free(errors);
}

int main(void) {
    three();
    early();
    many();
    compared();
    included();
    wrong();
    for (int n = 0; n < FIELDS; n++)
        CHECK(fields[n].seen || is_rare(&fields[n]), "%s.%s is in fields.def alone",
              fields[n].where, fields[n].name);
    static const char *const left[] = {"report_data.json",   "report_data.html",
                                       "report_before.json", "report_before.html",
                                       "report_wrong.json",  "report_other.json"};
    for (size_t n = 0; n < sizeof left / sizeof *left; n++) unlink(left[n]);
    puts("reported");
    return 0;
}
