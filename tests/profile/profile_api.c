/* The functions of simtcl/profile.h: what they list, count and refuse; that counting begins and
 * ends where it is asked for; that nothing else changes. */
#include "guest.h"

#include <simtcl/profile.h>

enum { ITEMS = 512, GROUP = 64, WARPS = ITEMS / 32, GROUPS = ITEMS / GROUP };

static const char source[] =
    "__kernel void copy(__global int *to, __global const int *from, int n) {\n"
    "    __local int t[64];\n"
    "    int i = get_global_id(0);\n"
    "    t[get_local_id(0)] = from[i * n];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i & 1) to[i] = t[get_local_id(0) ^ 1];\n"
    "}\n";

static struct guest g;
static struct simtcl_profile p;
static cl_kernel kernel;
static cl_mem buffers[2];

static void open(void) {
    guest_open(&g, source);
    CHECK(!simtcl_profile_load(g.platform, &p), "the extension");
    kernel = guest_kernel(&g, "copy");
    for (cl_uint n = 0; n < 2; n++) {
        cl_int error;
        buffers[n] =
            clCreateBuffer(g.context, CL_MEM_READ_WRITE, 4 * ITEMS * sizeof(cl_int), NULL, &error);
        CHECK(!error && !clSetKernelArg(kernel, n, sizeof buffers[n], &buffers[n]), "buffer");
    }
}

static void close(void) {
    for (int n = 0; n < 2; n++) clReleaseMemObject(buffers[n]);
    clReleaseKernel(kernel);
    guest_close(&g);
}

static cl_event launch_in(cl_command_queue q, cl_int stride) {
    const size_t items = ITEMS, group = GROUP;
    cl_event event;
    CHECK(!clSetKernelArg(kernel, 2, sizeof stride, &stride), "stride");
    cl_int error = clEnqueueNDRangeKernel(q, kernel, 1, NULL, &items, &group, 0, NULL, &event);
    CHECK(!error && !clWaitForEvents(1, &event), "launch %d", error);
    return event;
}

static cl_event launch(cl_int stride) { return launch_in(g.queue, stride); }

static cl_ulong of_event(cl_event e, cl_uint site, const char *counter) {
    cl_ulong value = 77;
    cl_int error = p.event_counter(e, site, counter, &value);
    CHECK(!error, "%s: %d", counter, error);
    return value;
}

static cl_ulong of_kernel(cl_uint site, const char *counter) {
    cl_ulong value = 77;
    cl_int error = p.kernel_counter(kernel, NULL, site, counter, &value);
    CHECK(!error, "%s: %d", counter, error);
    return value;
}

/* The event's launch was not counted. */
static void not_counted(cl_event e) {
    cl_ulong value = 77;
    cl_double occupancy;
    CHECK(p.event_counter(e, 0, "instructions", &value) == CL_PROFILING_INFO_NOT_AVAILABLE,
          "counted: %lu", (unsigned long)value);
    CHECK(p.launch_info(e, CL_LAUNCH_OCCUPANCY_SIMTCL, sizeof occupancy, &occupancy, NULL) ==
              CL_PROFILING_INFO_NOT_AVAILABLE,
          "counted");
    clReleaseEvent(e);
}

/* ---- the list ---- */

static void names(void) {
    const char *all[256], *one = NULL;
    cl_uint count = 0, again = 0;
    char extensions[1024] = "";
    open();
    clGetPlatformInfo(g.platform, CL_PLATFORM_EXTENSIONS, sizeof extensions, extensions, NULL);
    CHECK(strstr(extensions, SIMTCL_PROFILE_EXTENSION), "%s", extensions);
    CHECK(!p.counters(g.platform, 0, NULL, &count) && count > 40 && count <= 256, "%u", count);
    CHECK(!p.counters(g.platform, 256, all, &again) && again == count, "%u", again);
    CHECK(!p.counters(g.platform, 1, &one, NULL) && one == all[0], "the first");
    CHECK(p.counters(g.platform, 0, NULL, NULL) == CL_INVALID_VALUE, "nothing asked for");
    CHECK(p.counters(g.platform, 0, all, NULL) == CL_INVALID_VALUE, "no room");
    for (cl_uint n = 0; n < count; n++) {
        char text[256] = "";
        size_t size = 0;
        cl_uint first, last;
        cl_bitfield flags;
        CHECK(!p.counter_info(g.platform, all[n], CL_COUNTER_MEANING_SIMTCL, sizeof text, text,
                              &size) &&
                  size == strlen(text) + 1 && size > 1,
              "%s: %s", all[n], text);
        CHECK(!p.counter_info(g.platform, all[n], CL_COUNTER_UNIT_SIMTCL, sizeof text, text, NULL),
              "%s", all[n]);
        CHECK(!p.counter_info(g.platform, all[n], CL_COUNTER_FIRST_CC_SIMTCL, sizeof first, &first,
                              NULL) &&
                  !p.counter_info(g.platform, all[n], CL_COUNTER_LAST_CC_SIMTCL, sizeof last, &last,
                                  NULL) &&
                  first <= last && last <= 3,
              "%s", all[n]);
        CHECK(!p.counter_info(g.platform, all[n], CL_COUNTER_FLAGS_SIMTCL, sizeof flags, &flags,
                              NULL),
              "%s", all[n]);
        if (!strcmp(all[n], "gld_128b"))
            CHECK(first == 2 && last == 3 && !strcmp(text, "transactions") &&
                      flags == (CL_COUNTER_PROFILER_SIMTCL | CL_COUNTER_SITES_SIMTCL),
                  "gld_128b");
        if (!strcmp(all[n], "shared_conflict"))
            CHECK(flags & CL_COUNTER_MAXIMUM_SIMTCL, "shared_conflict");
    }
    CHECK(p.counter_info(g.platform, "gld_256b", CL_COUNTER_UNIT_SIMTCL, 0, NULL, NULL) ==
              CL_INVALID_VALUE,
          "a counter that is none");
    CHECK(p.counter_info(g.platform, NULL, CL_COUNTER_UNIT_SIMTCL, 0, NULL, NULL) ==
              CL_INVALID_VALUE,
          "no counter");
    CHECK(p.counter_info(g.platform, "gld_64b", 0, 0, NULL, NULL) == CL_INVALID_VALUE, "no query");
    close();
}

/* ---- counting ---- */

/* By stride: transactions of 32, 64 and 128 bytes of a launch's loads. */
static void check_launch(cl_event e, cl_int stride) {
    CHECK(of_event(e, 0, "cta_launched") == GROUPS && of_event(e, 0, "warps_launched") == WARPS &&
              of_event(e, 0, "items_launched") == ITEMS && of_event(e, 0, "gld_request") == WARPS &&
              of_event(e, 0, "gst_request") == WARPS && of_event(e, 0, "barrier") == WARPS,
          "requests");
    CHECK(of_event(e, 0, "gld_64b") == (stride == 1 ? 2 * WARPS : 0), "64 bytes");
    CHECK(of_event(e, 0, "gld_128b") == (stride == 1 ? 0 : 2 * WARPS), "128 bytes");
    CHECK(of_event(e, 0, "gld_coherent") == (stride == 1 ? 2 * WARPS : 0), "1.0");
    CHECK(of_event(e, 0, "gst_bytes") == ITEMS / 2 * sizeof(cl_int), "half of the lanes");
    CHECK(of_event(e, 0, "instructions") > 5 * WARPS, "instructions");
}

/* Sites, by what they are and where. */
static void check_sites(cl_event e) {
    cl_uint sites = 0, found = 0;
    CHECK(!p.kernel_info(kernel, g.device, CL_KERNEL_SITES_SIMTCL, sizeof sites, &sites, NULL),
          "sites");
    for (cl_uint n = 1; n <= sites; n++) {
        char kind[32], text[64], file[64];
        cl_uint line, column;
        CHECK(
            !p.site_info(kernel, NULL, n, CL_SITE_KIND_SIMTCL, sizeof kind, kind, NULL) &&
                !p.site_info(kernel, NULL, n, CL_SITE_TEXT_SIMTCL, sizeof text, text, NULL) &&
                !p.site_info(kernel, NULL, n, CL_SITE_FILE_SIMTCL, sizeof file, file, NULL) &&
                !p.site_info(kernel, NULL, n, CL_SITE_LINE_SIMTCL, sizeof line, &line, NULL) &&
                !p.site_info(kernel, NULL, n, CL_SITE_COLUMN_SIMTCL, sizeof column, &column, NULL),
            "site %u", n);
        CHECK(!*file && column, "site %u: %s %u", n, file, column);
        if (!strcmp(kind, "load") && line == 4) {
            found++;
            CHECK(of_event(e, n, "gld_total") == 2 * WARPS, "loads");
            CHECK(!of_event(e, n, "gst_total") && !of_event(e, n, "barrier"), "not of a load");
        } else if (!strcmp(kind, "barrier") && line == 5) {
            found++;
            CHECK(of_event(e, n, "barrier") == WARPS && !of_event(e, n, "gld_total"), "barrier");
        }
    }
    CHECK(found == 2, "%u sites", found);
    cl_ulong value;
    CHECK(p.event_counter(e, sites + 1, "barrier", &value) == CL_INVALID_VALUE, "no such site");
    CHECK(p.kernel_counter(kernel, NULL, sites + 1, "barrier", &value) == CL_INVALID_VALUE,
          "no such site");
    cl_uint line;
    CHECK(p.site_info(kernel, NULL, 0, CL_SITE_LINE_SIMTCL, sizeof line, &line, NULL) ==
                  CL_INVALID_VALUE &&
              p.site_info(kernel, NULL, sites + 1, CL_SITE_LINE_SIMTCL, sizeof line, &line, NULL) ==
                  CL_INVALID_VALUE,
          "no such site");
}

static void launch_infos(cl_event e) {
    cl_double occupancy;
    cl_uint groups, warps, shared, own;
    char limiter[32];
    CHECK(!p.launch_info(e, CL_LAUNCH_OCCUPANCY_SIMTCL, sizeof occupancy, &occupancy, NULL) &&
              !p.launch_info(e, CL_LAUNCH_ACTIVE_GROUPS_SIMTCL, sizeof groups, &groups, NULL) &&
              !p.launch_info(e, CL_LAUNCH_ACTIVE_WARPS_SIMTCL, sizeof warps, &warps, NULL) &&
              !p.launch_info(e, CL_LAUNCH_LIMITER_SIMTCL, sizeof limiter, limiter, NULL) &&
              !p.launch_info(e, CL_LAUNCH_SHARED_BYTES_SIMTCL, sizeof shared, &shared, NULL),
          "of the launch");
    CHECK(occupancy == 0.5 && groups == 8 && warps == 16 && !strcmp(limiter, "groups"),
          "%g, %u groups, %u warps, by %s", occupancy, groups, warps, limiter);
    CHECK(!p.kernel_info(kernel, NULL, CL_KERNEL_SHARED_BYTES_SIMTCL, sizeof own, &own, NULL) &&
              shared == own && own == 16 + 12 + 64 * sizeof(cl_int),
          "%u and %u bytes", shared, own);
    CHECK(p.launch_info(e, 0, sizeof shared, &shared, NULL) == CL_INVALID_VALUE &&
              p.kernel_info(kernel, NULL, 0, sizeof own, &own, NULL) == CL_INVALID_VALUE,
          "no query");
}

static void counting(void) {
    cl_ulong value, launches;
    cl_int error;
    open();
    not_counted(launch(1));
    CHECK(!of_kernel(0, "instructions"), "nothing yet");
    CHECK(p.end(g.context, NULL) == CL_INVALID_OPERATION, "an end without a begin");
    /* the context, nested */
    CHECK(!p.begin(g.context, NULL) && !p.begin(g.context, NULL) && !p.end(g.context, NULL),
          "begin");
    cl_ulong instructions = 0;
    for (cl_int stride = 1; stride <= 2; stride++) {
        cl_event e = launch(stride);
        check_launch(e, stride);
        check_sites(e);
        launch_infos(e);
        instructions += of_event(e, 0, "instructions");
        CHECK(p.event_counter(e, 0, "no_such", &value) == CL_INVALID_VALUE &&
                  p.event_counter(e, 0, NULL, &value) == CL_INVALID_VALUE &&
                  p.event_counter(e, 0, "barrier", NULL) == CL_INVALID_VALUE,
              "bad values");
        clReleaseEvent(e);
    }
    CHECK(of_kernel(0, "instructions") == instructions && of_kernel(0, "barrier") == 2 * WARPS,
          "sums");
    CHECK(
        !p.kernel_info(kernel, NULL, CL_KERNEL_LAUNCHES_SIMTCL, sizeof launches, &launches, NULL) &&
            launches == 2,
        "%lu launches", (unsigned long)launches);
    CHECK(!p.end(g.context, NULL), "end");
    not_counted(launch(1));
    CHECK(of_kernel(0, "barrier") == 2 * WARPS, "counted behind the end");
    /* one queue of two */
    cl_command_queue other = clCreateCommandQueue(g.context, g.device, 0, &error);
    CHECK(!error && !p.begin(g.context, other), "a queue");
    not_counted(launch(1));
    cl_event e = launch_in(other, 1);
    check_launch(e, 1);
    clReleaseEvent(e);
    CHECK(!p.end(g.context, other), "a queue");
    not_counted(launch_in(other, 1));
    /* what is no launch, or none yet */
    CHECK(!clEnqueueMarkerWithWaitList(g.queue, 0, NULL, &e), "marker");
    not_counted(e);
    /* handles */
    cl_context second = clCreateContext(NULL, 1, &g.device, NULL, NULL, &error);
    CHECK(!error && p.begin(second, g.queue) == CL_INVALID_CONTEXT, "a queue of another context");
    CHECK(p.begin(NULL, NULL) == CL_INVALID_CONTEXT, "no context");
    CHECK(p.event_counter(NULL, 0, "barrier", &value) == CL_INVALID_EVENT, "no event");
    CHECK(p.kernel_counter(NULL, NULL, 0, "barrier", &value) == CL_INVALID_KERNEL, "no kernel");
    clReleaseContext(second);
    clReleaseCommandQueue(other);
    close();
}

/* With the variable all is counted, once a function has been asked for. */
static void by_variable(void) {
    open();
    cl_event e = launch(1);
    check_launch(e, 1);
    clReleaseEvent(e);
    close();
}

static void quiet(void (*program)(void), const char *variable) {
    const char *const variables[] = {variable, NULL};
    char *errors = guest_run(program, variables);
    CHECK(!*errors, "stderr: %s", errors);
    free(errors);
}

int main(void) {
    quiet(names, NULL);
    quiet(counting, NULL);
    quiet(by_variable, "SIMTCL_PROFILE=counters=profile_api.csv");
    puts("counted");
    return 0;
}
