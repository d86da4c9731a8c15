/* The device that is measured. */
#include "chosen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void chosen_fail(const char *what, const char *about) {
    fprintf(stderr, "%s %s\n", what, about);
    exit(2);
}

static void check(cl_int error, const char *what) {
    char number[32];
    snprintf(number, sizeof(number), "failed (%d)", (int)error);
    if (error != CL_SUCCESS) chosen_fail(what, number);
}

void chosen_open(struct session *session, const char *name) {
    cl_platform_id platforms[32];
    cl_uint count = 0;
    cl_int error;
    clGetPlatformIDs(32, platforms, &count);
    for (cl_uint i = 0; i < count && i < 32 && !session->platform; i++) {
        char text[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(text), text, NULL);
        if (strstr(text, name)) session->platform = platforms[i];
    }
    if (!session->platform) chosen_fail("no platform is named", name);
    check(clGetDeviceIDs(session->platform, CL_DEVICE_TYPE_ALL, 1, &session->device, NULL),
          "clGetDeviceIDs");
    session->context = clCreateContext(NULL, 1, &session->device, NULL, NULL, &error);
    check(error, "clCreateContext");
    session->queue =
        clCreateCommandQueue(session->context, session->device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "clCreateCommandQueue");
}

bool chosen_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && (at[length] == ',' || !at[length])) return true;
    return !list;
}
