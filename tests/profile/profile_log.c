/* The logs of NVIDIA's command line profiler: both forms, every option, both spellings of the
 * variables, several contexts, and what is said of mistakes. */
#include <unistd.h>

#include "guest.h"

enum { ITEMS = 1024 };

static const char source[] =
    "__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2.0f; }\n"
    "__kernel void swap(__global float *a, __local float *t) {\n"
    "    uint l = get_local_id(0), n = get_local_size(0), g = get_group_id(0) * n;\n"
    "    t[l] = a[g + l];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[g + l] = t[n - 1 - l];\n"
    "}\n";

static void launch(struct guest *h, const char *name, cl_mem a, size_t local, cl_int expected) {
    const size_t global = ITEMS;
    cl_kernel k = guest_kernel(h, name);
    cl_int error = clSetKernelArg(k, 0, sizeof a, &a);
    if (!strcmp(name, "swap")) error |= clSetKernelArg(k, 1, local * sizeof(float), NULL);
    CHECK(!error, "clSetKernelArg");
    error =
        clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL);
    CHECK(error == expected, "launch of %s: %d", name, error);
    clReleaseKernel(k);
}

/* A bit of everything that makes a row, in one order. */
static void program(void) {
    struct guest h;
    static float data[ITEMS];
    cl_int error;
    const size_t bytes = sizeof data;
    guest_open(&h, source);
    cl_mem a =
        clCreateBuffer(h.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error);
    cl_mem b = clCreateBuffer(h.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    const float one = 1;
    error |= clEnqueueWriteBuffer(h.queue, a, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    error |= clEnqueueFillBuffer(h.queue, b, &one, sizeof one, 0, bytes, 0, NULL, NULL);
    launch(&h, "twice", a, 0, CL_SUCCESS);
    launch(&h, "swap", a, 64, CL_SUCCESS);
    error |= clEnqueueCopyBuffer(h.queue, a, b, 0, 0, bytes / 2, 0, NULL, NULL);
    error |= clEnqueueReadBuffer(h.queue, b, CL_FALSE, 0, bytes, data, 0, NULL, NULL);
    error |= clFinish(h.queue);
    float *mapped = clEnqueueMapBuffer(h.queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 400, 0,
                                       NULL, NULL, &error);
    /* from memory that the driver has given out; a queue of its own */
    cl_command_queue other = clCreateCommandQueue(h.context, h.device, 0, &error);
    error |= clEnqueueWriteBuffer(other, b, CL_TRUE, 0, 400, mapped, 0, NULL, NULL);
    error |= clEnqueueUnmapMemObject(h.queue, a, mapped, 0, NULL, NULL);
    error |= clFinish(h.queue);
    error |= clReleaseCommandQueue(other);
    launch(&h, "twice", a, 7, CL_INVALID_WORK_GROUP_SIZE); /* what fails leaves no row */
    error |= clReleaseMemObject(a) | clReleaseMemObject(b);
    CHECK(!error, "error");
    guest_close(&h);
}

static void two_contexts(void) {
    struct guest h[2];
    for (int n = 0; n < 2; n++) guest_open(&h[n], NULL);
    for (int n = 0; n < 2; n++) guest_close(&h[n]);
}

#define T "[0-9]+\\.[0-9]{3}"
#define HEAD                                                                                       \
    "# OPENCL_PROFILE_LOG_VERSION 2\\.0\n# OPENCL_DEVICE 0 Tesla C1060\n# OPENCL_CONTEXT 1\n"
#define FACTOR   "# TIMESTAMPFACTOR [0-9a-f]+\n"
#define ROW(m)   "method=\\[ " m " \\] gputime=\\[ " T " \\] cputime=\\[ " T " \\]"
#define WARPS(o) " occupancy=\\[ " o " \\]\n"

/* 256 items, chosen by the driver: 4 groups of 8 warps; of 64: 8 groups of 2. */
static const char plain[] = HEAD FACTOR "method,gputime,cputime,occupancy\n" /**/
    ROW("memcpyHtoD") "\n" ROW("memset") "\n" ROW("twice") WARPS("1\\.000") ROW("swap")
        WARPS("0\\.500") ROW("memcpyDtoDasync") "\n" ROW("memcpyDtoHasync") "\n" ROW(
            "memcpyDtoH") "\n" ROW("memcpyHtoD") "\n" ROW("memcpyHtoDasync") "\n";

#define RUN(program, ...)        guest_run(program, (const char *const[]){__VA_ARGS__, NULL})
#define QUIET(program, ...)      expect_errors(RUN(program, __VA_ARGS__), "")
#define SAYS(text, program, ...) expect_errors(RUN(program, __VA_ARGS__), text)

static void expect_errors(char *errors, const char *expected) {
    CHECK(*expected ? strstr(errors, expected) != NULL : !*errors, "stderr: %s", errors);
    free(errors);
}

/* The file has that content; it is removed. */
static void expect(const char *path, const char *pattern) {
    char *text = guest_file(path);
    CHECK(text, "%s is not there", path);
    CHECK(guest_matches(text, pattern), "%s", path);
    free(text);
    unlink(path);
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && !fclose(f), "%s", path);
}

/* As comma separated values, with every option. */
static void options(void) {
    write_file("options", "# all there is\ngpustarttimestamp\ngpuendtimestamp # hexadecimal\n"
                          "timestamp\n\nndrangesize\nworkgroupsize stapmemperworkgroup\n"
                          "dynsmemperworkgroup\r\nregperworkitem\nmemtransferdir\nmemtransfersize\n"
                          "memtransferhostmemtype\nstreamid\nlocalworkgroupsize\n");
    QUIET(program, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_LOG=options.log", "COMPUTE_PROFILE_CSV=1",
          "COMPUTE_PROFILE_CONFIG=options");
#define TIMES         "[0-9a-f]+,[0-9a-f]+," T ","
#define SPENT         "," T "," T ","
#define COPY(m, of)   TIMES m SPENT ",,,,,,,,,," of "\n"
#define KERNEL(m, of) TIMES m SPENT of "\n"
    expect("options.log",
           HEAD "# OPENCL_PROFILE_CSV 1\n" FACTOR
                "gpustarttimestamp,gpuendtimestamp,timestamp,method,gputime,cputime,"
                "ndrangesizeX,ndrangesizeY,ndrangesizeZ,"
                "workgroupsizeX,workgroupsizeY,workgroupsizeZ,"
                "stapmemperworkgroup,dynsmemperworkgroup,regperworkitem,occupancy,streamid,"
                "localworkgroupsize,memtransfersize,memtransferdir,memtransferhostmemtype\n" /**/
           COPY("memcpyHtoD", "1,,4096,0,0") COPY("memset", "1,,4096,,")
               KERNEL("twice", "4,1,1,256,1,1,20,0,[0-9]+,1\\.000,1,0,,,")
                   KERNEL("swap", "16,1,1,64,1,1,24,256,[0-9]+,0\\.500,1,1,,,")
                       COPY("memcpyDtoDasync", "1,,2048,,") COPY("memcpyDtoHasync", "1,,4096,1,0")
                           COPY("memcpyDtoH", "1,,400,1,1") COPY("memcpyHtoD", "2,,400,0,1")
                               COPY("memcpyHtoDasync", "1,,400,0,1"));
    unlink("options");
}

/* Counters, in the order in which they are asked for; copies have none. */
static void counters(void) {
    write_file("counters", "gst_64b\ngld_64b\ncta_launched\ngst_64b\ngld_incoherent\n");
    QUIET(program, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_LOG=kv.log",
          "COMPUTE_PROFILE_CONFIG=counters");
#define COUNTED(n)                                                                                 \
    " gst_64b=\\[ 64 \\] gld_64b=\\[ 64 \\] cta_launched=\\[ " n " \\] gld_incoherent=\\[ 0 \\]\n"
    expect("kv.log", HEAD FACTOR
           "method,gputime,cputime,occupancy,gst_64b,gld_64b,cta_launched,gld_incoherent\n" /**/
           ROW("memcpyHtoD") "\n" ROW("memset") "\n" ROW(
               "twice") " occupancy=\\[ 1\\.000 \\]" COUNTED("4")
               ROW("swap") " occupancy=\\[ 0\\.500 \\]" COUNTED("16")
                   ROW("memcpyDtoDasync") "\n.*");
    QUIET(program, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_LOG=csv.log", "COMPUTE_PROFILE_CSV=1",
          "COMPUTE_PROFILE_CONFIG=counters");
    expect("csv.log", HEAD
           "# OPENCL_PROFILE_CSV 1\n" FACTOR
           "method,gputime,cputime,occupancy,gst_64b,gld_64b,cta_launched,gld_incoherent\n" /**/
           "memcpyHtoD," T "," T ",,,,,\nmemset," T "," T ",,,,,\n"                         /**/
           "twice," T "," T ",1\\.000,64,64,4,0\nswap," T "," T ",0\\.500,64,64,16,0\n.*");
    unlink("counters");
}

/* What is wrong is said, and the rest is as it would be. */
static void mistakes(void) {
    write_file("wrong", "gputime\nactive_warps # of later devices\n");
    SAYS("simtcl: COMPUTE_PROFILE_CONFIG: wrong line 2: there is no option or counter "
         "\"active_warps\"\n",
         program, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_CONFIG=wrong");
    expect("opencl_profile_0.log", plain);
    SAYS("simtcl: COMPUTE_PROFILE_CONFIG: missing cannot be read: No such file or directory\n",
         program, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_CONFIG=missing");
    expect("opencl_profile_0.log", plain);
    SAYS("simtcl: COMPUTE_PROFILE_LOG: missing/log cannot be written: No such file or directory\n",
         program, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_LOG=missing/log");
    SAYS("simtcl: COMPUTE_PROFILE is \"yes\", known are 0 and 1: it is left out\n", program,
         "COMPUTE_PROFILE=yes");
    CHECK(access("opencl_profile_0.log", F_OK), "a log that nobody asked for");
    unlink("wrong");
}

int main(void) {
    QUIET(program, "COMPUTE_PROFILE=1");
    expect("opencl_profile_0.log", plain);
    QUIET(program, "OPENCL_PROFILE=1", "OPENCL_PROFILE_LOG=old_%d.log");
    expect("old_0.log", plain);
    QUIET(program, "OPENCL_PROFILE=1", "OPENCL_PROFILE_LOG=old.log", "COMPUTE_PROFILE_LOG=new.log");
    expect("new.log", plain);
    QUIET(program, "OPENCL_PROFILE=1", "COMPUTE_PROFILE=0");
    CHECK(access("opencl_profile_0.log", F_OK), "a log that nobody asked for");
    QUIET(two_contexts, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_LOG=c%d.log");
    expect("c0.log", HEAD FACTOR ".*");
    expect("c1.log", ".*# OPENCL_CONTEXT 2\n" FACTOR ".*");
    QUIET(two_contexts, "COMPUTE_PROFILE=1", "COMPUTE_PROFILE_LOG=both.log");
    expect("both.log", HEAD FACTOR ".*");
    expect("both.log.1", ".*# OPENCL_CONTEXT 2\n" FACTOR ".*");
    options();
    counters();
    mistakes();
    puts("logged");
    return 0;
}
