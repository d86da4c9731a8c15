#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLATFORMS = 64, PATH_BYTES = 4096 };

static bool take_calls(struct driver *d, void *library) {
#define CALL(name)                                                                                 \
    *(void **)&d->name = dlsym(library, #name);                                                    \
    if (!d->name) return false;
    DRIVER_CALLS
#undef CALL
    return true;
}

static bool is_simtcl(const struct driver *d, cl_platform_id platform) {
    char name[64] = "";
    return !d->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) &&
           !strcmp(name, "simtcl");
}

static bool take_platform(struct driver *d) {
    cl_platform_id platforms[PLATFORMS];
    cl_uint n = 0;
    if (d->clGetPlatformIDs(PLATFORMS, platforms, &n)) return false;
    for (cl_uint i = 0; i < n && i < PLATFORMS; i++) {
        if (!is_simtcl(d, platforms[i])) continue;
        d->platform = platforms[i];
        return !d->clGetDeviceIDs(d->platform, CL_DEVICE_TYPE_ALL, 1, &d->device, NULL);
    }
    return false;
}

static bool try_loader(struct driver *d) {
    void *loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    const char *vendors = getenv("OCL_ICD_VENDORS");
    if (!loader || !take_calls(d, loader)) {
        snprintf(d->loader, sizeof d->loader,
                 "there is no ICD loader (libOpenCL.so.1): install ocl-icd-libopencl1");
        return false;
    }
    d->listed = take_platform(d);
    if (d->listed) return true;
    if (vendors && *vendors)
        snprintf(d->loader, sizeof d->loader,
                 "the ICD loader does not list simtcl: OCL_ICD_VENDORS is %.128s", vendors);
    else
        snprintf(d->loader, sizeof d->loader,
                 "the ICD loader does not list simtcl: is there simtcl.icd in /etc/OpenCL/vendors, "
                 "and the library that it names?");
    return false;
}

/* Where it is installed, or built, with this program. */
static bool try_beside(struct driver *d) {
    static const char *const places[] = {SIMTCL_LIBDIR_FROM_BINDIR, "../icd"};
    char self[PATH_BYTES], path[PATH_BYTES + 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return false;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s/libsimtcl.so.0", self, places[i]);
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library && take_calls(d, library) && take_platform(d)) return true;
    }
    return false;
}

bool driver_find(struct driver *d) {
    *d = (struct driver){.listed = false};
    return try_loader(d) || try_beside(d);
}
