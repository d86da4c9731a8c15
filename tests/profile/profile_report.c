/* What SIMTCL_PROFILE=counters prints when the process ends: the table of kernels, the lines that
 * cost most, every counter; the same as comma separated values. */
#include "guest.h"

#include <unistd.h>

enum { ITEMS = 1024, GROUP = 64 };

static const char source[] =
    "__kernel void spread(__global float *to, __global const float *from) {\n"
    "    int i = get_global_id(0);\n"
    "    to[i] =\n"
    "        from[i * 2];\n"
    "}\n"
    "__kernel void never(__global float *to) { to[0] = 1; }\n";

static void program(void) {
    struct guest g;
    cl_int error;
    const size_t items = ITEMS, group = GROUP;
    guest_open(&g, source);
    cl_kernel k = guest_kernel(&g, "spread");
    cl_mem buffers[2];
    for (cl_uint n = 0; n < 2; n++) {
        buffers[n] =
            clCreateBuffer(g.context, CL_MEM_READ_WRITE, 2 * ITEMS * sizeof(float), NULL, &error);
        CHECK(!error && !clSetKernelArg(k, n, sizeof buffers[n], &buffers[n]), "buffer");
    }
    for (int n = 0; n < 3; n++)
        CHECK(!clEnqueueNDRangeKernel(g.queue, k, 1, NULL, &items, &group, 0, NULL, NULL),
              "launch");
    CHECK(!clFinish(g.queue), "clFinish");
    for (int n = 0; n < 2; n++) clReleaseMemObject(buffers[n]);
    clReleaseKernel(k);
    guest_close(&g);
}

/* 3 launches of 32 warps: 64 transactions of 128 bytes for loads, 64 of 64 bytes for stores each;
 * half of what is loaded is asked for. 8 groups of 2 warps are half of 32. The C1060 moves
 * 102,400 / 1,296 / 30 = 2.634 bytes a clock for each multiprocessor: 24,576 bytes take 9,331. */
static const char tables[] =
    "simtcl: what Tesla C1060 would have counted\n"
    "kernel +launches +groups +items +regs +shared +local +occupancy +limit +instructions "
    "+diverged "
    "+transactions +gld eff +gst eff +serialized\n"
    "spread +3 +48 +64 +[0-9]+ +24 +0 +0\\.50 groups +[0-9]+ +(0 %|-) +384 +50 % +100 % +0\n"
    "spread +occupancy would be higher with [0-9]+ work-items a group\n"
    "simtcl: the lines that cost most, by clocks of issue and of memory's bandwidth\n"
    " share +issue +memory +instructions +transactions +diverged +serialized +place\n"
    " *[0-9]+ % +[0-9]+ +9331 +[0-9]+ +192 +0 +0  <program source>:4 spread  from\\[i \\* 2\\]\n"
    "( *[0-9]+ % .*\n)?"
    " *[0-9]+ % +[0-9]+ +4666 +[0-9]+ +192 +0 +0  <program source>:3 spread  to\\[i\\]\n"
    "( *[0-9]+ % .*\n)?"
    "simtcl: kernel \"spread\"\n"
    " +48 cta_launched +work-group launched\n"
    ".* 96 gld_request .* 192 gld_128b .* 192 gst_64b .*\n";

/* Has the line. */
static void has(const char *text, const char *line) {
    char whole[256];
    snprintf(whole, sizeof whole, "\n%s\n", line);
    CHECK(strstr(text, whole), "no line %s in\n%s", line, text);
}

int main(void) {
    char *errors = guest_run(program, (const char *const[]){"SIMTCL_PROFILE=counters", NULL});
    CHECK(guest_matches(errors, tables), "the tables");
    free(errors);
    errors = guest_run(program,
                       (const char *const[]){"SIMTCL_PROFILE=counters=profile_report.csv", NULL});
    CHECK(!*errors, "stderr: %s", errors);
    free(errors);
    char *csv = guest_file("profile_report.csv");
    CHECK(csv && !strncmp(csv, "kernel,site,file,line,counter,value\n", 36), "the head");
    has(csv, "spread,0,,,launches,3");
    has(csv, "spread,0,,,items,64");
    has(csv, "spread,0,,,shared_bytes,24");
    has(csv, "spread,0,,,active_groups,8");
    has(csv, "spread,0,,,occupancy,0.5000");
    has(csv, "spread,0,,,gld_128b,192");
    has(csv, "spread,1,\"<program source>\",4,gld_128b,192");
    has(csv, "spread,2,\"<program source>\",3,gst_64b,192");
    free(csv);
    unlink("profile_report.csv");
    /* another device, by its own rules: a half-warp's loads are 16 transactions of 32 bytes */
    errors = guest_run(
        program, (const char *const[]){"SIMTCL_PROFILE=counters", "SIMTCL_MODEL=8800gtx", NULL});
    CHECK(strstr(errors, "what GeForce 8800 GTX would have counted") &&
              strstr(errors, "3072 gld_transactions_1_0 ") && strstr(errors, " 12 % ") &&
              !strstr(errors, "gld_128b"),
          "%s", errors);
    free(errors);
    /* the first of ten clusters gets groups 0 and 10 of 16, in both engines */
    for (int n = 0; n < 2; n++) {
        errors = guest_run(
            program,
            (const char *const[]){"SIMTCL_PROFILE=counters", "SIMTCL_PROFILE_SCOPE=nv",
                                  n ? "SIMTCL_ENGINE=native" : "SIMTCL_ENGINE=interpreter", NULL});
        CHECK(guest_matches(errors,
                            "simtcl: what Tesla C1060 would have counted on its first cluster, "
                            "which gets one group in 10\nkernel .*\nspread +3 +6 +64 .* 6 "
                            "cta_launched .* 12 gld_request .* 24 gld_128b .* 24 gst_64b .*\n"),
              "the first cluster");
        free(errors);
    }
    errors = guest_run(program, (const char *const[]){"SIMTCL_PROFILE_SCOPE=first", NULL});
    CHECK(!strcmp(errors, "simtcl: SIMTCL_PROFILE_SCOPE is \"first\", known are device and nv: "
                          "device is used\n"),
          "%s", errors);
    free(errors);
    puts("reported");
    return 0;
}
