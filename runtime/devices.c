#include "devices.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>

#include "info.h"
#include "loader.h"
#include "platform.h"

/* The sandbox also holds constant data, local memory windows and private frames: this much of its
 * 4 GiB is not for buffers. */
static const uint64_t sandbox_reserve = 512ull << 20;

uint64_t device_memory_bytes(const struct model *m) {
    uint64_t room = (4ull << 30) - sandbox_reserve;
    return m->memory_bytes && m->memory_bytes < room ? m->memory_bytes : room;
}

/* A quarter of the memory, but at least the specification's minimum (table 4.3). */
uint64_t device_alloc_bytes(const struct model *m) {
    uint64_t bytes = device_memory_bytes(m), quarter = bytes / 4, least = 128ull << 20;
    if (quarter < least) quarter = least;
    return quarter < bytes ? quarter : bytes;
}

enum { NO_CC = UINT8_MAX }; /* what none of the boards had, and the model host has */

static const struct {
    const char *name;
    uint8_t least_cc; /* 10 * major + minor */
} extensions[] = {
    {"cl_khr_icd", 10},
    {"cl_khr_byte_addressable_store", 10},
    {"cl_khr_global_int32_base_atomics", 11},
    {"cl_khr_global_int32_extended_atomics", 11},
    {"cl_khr_local_int32_base_atomics", 12}, /* guide A.1.3: shared memory atomics */
    {"cl_khr_local_int32_extended_atomics", 12},
    {"cl_khr_int64_base_atomics", 12},
    {"cl_khr_int64_extended_atomics", 12},
    {"cl_khr_fp64", 13},
    {"cl_khr_3d_image_writes", NO_CC},
    {"cl_nv_device_attribute_query", 10},
    {"cl_nv_compiler_options", 10},
    {"cl_nv_pragma_unroll", 10},
};

void device_extensions(const struct model *m, char *text, size_t size) {
    size_t length = 0;
    unsigned cc = m->cc_major * 10u + m->cc_minor;
    text[0] = 0;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions && length < size; i++)
        if (m->unlimited || cc >= extensions[i].least_cc)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "",
                                       extensions[i].name);
}

static cl_device_fp_config device_double_config(const struct model *m) {
    if (!m->doubles) return 0;
    return CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
           CL_FP_ROUND_TO_INF | CL_FP_FMA;
}

cl_device_id device_new_root(const struct model *m, unsigned index) {
    cl_device_id d = object_new(OBJECT_device);
    if (!d) return NULL;
    object_make_eternal(d);
    d->model = m;
    d->index = index;
    d->units = m->multiprocessors;
    if (m->unlimited && pool_threads() > d->units) d->units = pool_threads();
    return d;
}

void device_free(void *object) {
    cl_device_id d = object;
    free(d->partition);
    object_release(d->parent);
}

struct error device_check(cl_device_id d) {
    return object_check(d, OBJECT_device, "device");
}

struct error device_ids(cl_platform_id p, cl_device_type type, cl_uint num_entries,
                        cl_device_id *devices, cl_uint *num_devices) {
    TRY(platform_check(p));
    cl_platform_id platform = platform_get();
    cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                           CL_DEVICE_TYPE_ACCELERATOR;
    if (platform->version >= 120) known |= CL_DEVICE_TYPE_CUSTOM;
    if (!type || (type != CL_DEVICE_TYPE_ALL && (type & ~known)))
        return fail(CL_INVALID_DEVICE_TYPE, "device type 0x%llx", (unsigned long long)type);
    if (!num_entries && devices)
        return fail(CL_INVALID_VALUE, "num_entries is 0 but devices is not NULL");
    if (!devices && !num_devices)
        return fail(CL_INVALID_VALUE, "devices and num_devices are both NULL");
    if (!platform->ndevices) return fail_memory();
    unsigned n = 0;
    if (type & CL_DEVICE_TYPE_GPU)
        n = platform->ndevices;
    else if (type & CL_DEVICE_TYPE_DEFAULT)
        n = 1;
    if (num_devices) *num_devices = n;
    if (!n) return fail(CL_DEVICE_NOT_FOUND, "the platform has GPU devices only");
    for (unsigned i = 0; devices && i < n && i < num_entries; i++)
        devices[i] = platform->devices[i];
    return OK;
}

/* How it may be partitioned further, as device fission counts compute units. */
static struct error partition_properties(cl_device_id d, struct info out) {
    if (d->units < 2) return info_of(out, cl_device_partition_property, 0);
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                CL_DEVICE_PARTITION_BY_COUNTS};
    return info_bytes(out, how, sizeof how);
}

static struct error version_text(struct info out, const char *before, const char *after) {
    char text[64];
    unsigned version = platform_version();
    snprintf(text, sizeof text, "%s%u.%u %s", before, version / 100, version / 10 % 10, after);
    return info_text(out, text);
}

struct error device_info(cl_device_id d, cl_device_info name, size_t size, void *value,
                         size_t *size_ret) {
    TRY(device_check(d));
    struct info out = {size, value, size_ret, name};
    const struct model *m = d->model;
    unsigned version = platform_version();
#define INFO(name, since, type, ...)                                                               \
    case name:                                                                                     \
        if (version < since) break;                                                                \
        return info_of(out, type, __VA_ARGS__);
#define TEXT(name, since, text)                                                                    \
    case name:                                                                                     \
        if (version < since) break;                                                                \
        return info_text(out, text);
    switch (name) {
#include "device_info.def"
    case CL_DEVICE_VERSION: return version_text(out, "OpenCL ", "simtcl");
    /* Of 1.1, but answered always: clinfo and ocl-icd's tools ask without looking at the version.
     */
    case CL_DEVICE_OPENCL_C_VERSION: return version_text(out, "OpenCL C ", "");
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
        size_t sizes[] = {m->max_item[0], m->max_item[1], m->max_item[2]};
        return info_bytes(out, sizes, sizeof sizes);
    }
    case CL_DEVICE_PARTITION_PROPERTIES:
        if (version < 120) break;
        return partition_properties(d, out);
    case CL_DEVICE_PARTITION_TYPE:
        if (version < 120) break;
        return info_bytes(out, d->partition, d->npartition * sizeof *d->partition);
    }
#undef INFO
#undef TEXT
    return info_unknown("device", name);
}

/* A sub-device of `units` compute units, made by `n` properties (the closing 0 among them). */
static cl_device_id device_new_sub(cl_device_id parent, uint32_t units,
                                   const cl_device_partition_property *how, size_t n) {
    cl_device_id d = object_new(OBJECT_device);
    if (!d) return NULL;
    d->partition = malloc(n * sizeof *how);
    if (!d->partition) {
        object_release(d);
        return NULL;
    }
    memcpy(d->partition, how, n * sizeof *how);
    d->npartition = n;
    d->model = parent->model;
    d->index = parent->index;
    d->units = units;
    d->parent = object_retain(parent);
    return d;
}

/* What the properties ask for (table 4.4): how many devices, and how large the i-th is. */
struct device_split {
    bool equally;
    uint32_t each;                              /* equally: units of each */
    const cl_device_partition_property *counts; /* by counts: units of the i-th */
    uint32_t devices;
    size_t nproperties; /* the closing 0 among them */
};

static struct error split_equally(cl_device_id d, const cl_device_partition_property *p,
                                  struct device_split *s) {
    if (p[1] <= 0 || p[2] != 0)
        return fail(CL_INVALID_VALUE,
                    "CL_DEVICE_PARTITION_EQUALLY needs a positive number and a 0");
    if ((cl_ulong)p[1] > d->units)
        return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "%ld compute units each, the device has %u",
                    (long)p[1], d->units);
    if ((cl_ulong)p[1] == d->units)
        return fail(CL_DEVICE_PARTITION_FAILED, "one part of %u compute units is the device itself",
                    d->units);
    *s = (struct device_split){true, (uint32_t)p[1], NULL, d->units / (uint32_t)p[1], 3};
    return OK;
}

static struct error split_by_counts(cl_device_id d, const cl_device_partition_property *p,
                                    struct device_split *s) {
    uint64_t units = 0;
    uint32_t n = 0;
    while (p[1 + n] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END) {
        if (p[1 + n] < 0) return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "count %u is negative", n);
        units += (uint64_t)p[1 + n];
        if (++n > d->units || units > d->units)
            return fail(CL_INVALID_DEVICE_PARTITION_COUNT,
                        "the counts ask for more than the device's %u compute units", d->units);
    }
    if (!n) return fail(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_COUNTS without counts");
    if (p[2 + n] != 0)
        return fail(CL_INVALID_VALUE, "the properties go on after CL_DEVICE_PARTITION_BY_COUNTS");
    *s = (struct device_split){false, 0, p + 1, n, n + 3};
    return OK;
}

struct error device_partition(cl_device_id d, const cl_device_partition_property *properties,
                              cl_uint num_entries, cl_device_id *out, cl_uint *num_devices) {
    TRY(device_check(d));
    if (!properties) return fail(CL_INVALID_VALUE, "properties is NULL");
    struct device_split s = {0};
    switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY: TRY(split_equally(d, properties, &s)); break;
    case CL_DEVICE_PARTITION_BY_COUNTS: TRY(split_by_counts(d, properties, &s)); break;
    default:
        return fail(CL_INVALID_VALUE, "partition type 0x%lx is not supported", (long)properties[0]);
    }
    if (d->units < 2)
        return fail(CL_DEVICE_PARTITION_FAILED, "a device of one compute unit cannot be split");
    if (out && num_entries < s.devices)
        return fail(CL_INVALID_VALUE, "room for %u devices, the partition makes %u", num_entries,
                    s.devices);
    for (uint32_t i = 0; out && i < s.devices; i++) {
        out[i] = device_new_sub(d, s.equally ? s.each : (uint32_t)s.counts[i], properties,
                                s.nproperties);
        if (out[i]) continue;
        while (i) object_release(out[--i]);
        return fail_memory();
    }
    if (num_devices) *num_devices = s.devices;
    return OK;
}

/* Root devices are not counted (specification 4.3); both calls succeed for them in every version,
 * because loaders and C++ wrappers make them whatever the device reports. */
struct error device_retain(cl_device_id d) {
    TRY(device_check(d));
    return d->parent ? object_user_retain(d, OBJECT_device) : OK;
}

struct error device_release(cl_device_id d) {
    TRY(device_check(d));
    return d->parent ? object_user_release(d, OBJECT_device) : OK;
}
