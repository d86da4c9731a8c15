#include "kernel.h"

#include <stdlib.h>

#include "context.h"
#include "counted.h"
#include "devices.h"
#include "info.h"
#include "mem.h"
#include "platform.h"
#include "sampler.h"

void kernel_free(void *object) {
    cl_kernel k = object;
    for (cl_uint i = 0; k->builds && i < k->program->ndevices; i++) build_release(k->builds[i]);
    free(k->builds);
    free(k->code);
    for (cl_uint i = 0; k->counted && i < k->program->ndevices; i++)
        counted_release(atomic_load(&k->counted[i]));
    free((void *)k->counted);
    free(k->resources);
    free(k->args);
    free(k->block);
    if (!k->program) return;
    atomic_fetch_sub(&k->program->kernels, 1);
    object_release(k->program);
}

struct error kernel_check(cl_kernel k) {
    return object_check(k, OBJECT_kernel, "kernel");
}

int kernel_device(cl_kernel k, cl_device_id device) {
    for (cl_uint i = 0; i < k->program->ndevices; i++)
        if (k->program->devices[i] == device && k->code[i]) return (int)i;
    return -1;
}

/* Two builds' kernels can be one object only if a caller sets the same arguments for both. */
static bool same_definition(const struct isa_kernel *a, const struct isa_kernel *b) {
    if (a->nparams != b->nparams || a->param_bytes != b->param_bytes) return false;
    for (uint32_t i = 0; i < a->nparams; i++) {
        const struct isa_param *p = &a->params[i], *q = &b->params[i];
        if (p->kind != q->kind || p->size != q->size || p->offset != q->offset ||
            p->dim != q->dim || p->access != q->access)
            return false;
    }
    return true;
}

static struct error find_code(cl_kernel k, const char *name) {
    cl_program p = k->program;
    bool built = false;
    for (cl_uint i = 0; i < p->ndevices; i++) {
        struct build *b = program_build_for(p, p->devices[i]);
        const struct isa_kernel *code = build_runs(b) ? isa_module_find(b->module, name) : NULL;
        built |= build_runs(b);
        if (!code) {
            build_release(b);
            continue;
        }
        k->builds[i] = b;
        k->code[i] = code;
        if (!gpu_resources_find(code, &k->resources[i])) return fail_memory();
        if (!k->first) k->first = code;
        if (!same_definition(k->first, code))
            return fail(CL_INVALID_KERNEL_DEFINITION, "kernel %s differs between the devices",
                        name);
    }
    if (!built)
        return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for any device");
    if (!k->first) return fail(CL_INVALID_KERNEL_NAME, "the program has no kernel %s", name);
    return OK;
}

static struct error init_args(cl_kernel k) {
    const struct isa_kernel *code = k->first;
    k->args = calloc(code->nparams + 1, sizeof *k->args);
    k->block = calloc(1, code->param_bytes + 1);
    if (!k->args || !k->block) return fail_memory();
    for (uint32_t i = 0; i < code->nparams; i++) {
        struct kernel_arg *a = &k->args[i];
        a->kind = code->params[i].kind;
        if (a->kind == ISA_PARAM_LOCAL)
            k->nlocals++;
        else if (a->kind != ISA_PARAM_VALUE)
            k->nobjects++;
        if (a->kind == ISA_PARAM_IMAGE) a->texture = k->nimages++;
    }
    return OK;
}

static struct error new_kernel(cl_program p, const char *name, cl_kernel *result) {
    cl_kernel k = object_new(OBJECT_kernel);
    if (!k) return fail_memory();
    k->program = object_retain(p);
    atomic_fetch_add(&p->kernels, 1);
    k->builds = calloc(p->ndevices, sizeof *k->builds);
    k->code = calloc(p->ndevices, sizeof *k->code);
    k->counted = calloc(p->ndevices, sizeof *k->counted);
    k->resources = calloc(p->ndevices, sizeof *k->resources);
    struct error error =
        k->builds && k->code && k->resources && k->counted ? find_code(k, name) : fail_memory();
    if (!error.code) error = init_args(k);
    if (error.code)
        object_release(k);
    else
        *result = k;
    return error;
}

struct error kernel_create(cl_program p, const char *name, cl_kernel *result) {
    TRY(program_check(p));
    if (!name) return fail(CL_INVALID_VALUE, "kernel_name is NULL");
    return new_kernel(p, name, result);
}

struct error kernel_create_all(cl_program p, cl_uint nkernels, cl_kernel *kernels,
                               cl_uint *nkernels_ret) {
    TRY(program_check(p));
    struct build *b = NULL;
    for (cl_uint i = 0; i < p->ndevices && !build_runs(b); i++) {
        build_release(b);
        b = program_build_for(p, p->devices[i]);
    }
    struct error error = OK;
    cl_uint n = build_runs(b) ? b->module->nkernels : 0, made = 0;
    if (!build_runs(b))
        error = fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for any device");
    else if (kernels && nkernels < n)
        error = fail(CL_INVALID_VALUE, "room for %u kernels, the program has %u", nkernels, n);
    for (; kernels && made < n && !error.code; made++)
        error = new_kernel(p, b->module->kernels[made]->name, &kernels[made]);
    if (error.code && made)
        for (made--; made; made--) /* the last one was not made */
            object_release(kernels[made - 1]);
    if (!error.code && nkernels_ret) *nkernels_ret = n;
    build_release(b);
    return error;
}

struct error kernel_retain(cl_kernel k) {
    return object_user_retain(k, OBJECT_kernel);
}
struct error kernel_release(cl_kernel k) {
    return object_user_release(k, OBJECT_kernel);
}

/* ---- arguments ---- */

static const char *arg_name(const struct isa_param *p) { return p->name ? p->name : "?"; }

static struct error wrong_size(const struct isa_param *p, size_t size, size_t wanted) {
    return fail(CL_INVALID_ARG_SIZE, "argument %s takes %zu bytes, arg_size is %zu", arg_name(p),
                wanted, size);
}

/* The object whose handle arg_value points to, held; NULL for a null pointer. */
static struct error arg_object(const struct isa_param *p, enum object_kind kind, size_t size,
                               const void *value, void **object) {
    void *handle = NULL;
    if (size != sizeof handle) return wrong_size(p, size, sizeof handle);
    if (value) memcpy(&handle, value, sizeof handle);
    *object = object_retain_live(handle, kind);
    return handle && !*object ? object_dead(handle, kind, arg_name(p)) : OK;
}

static struct error check_mem(cl_kernel k, const struct isa_param *p, cl_mem mem) {
    if (mem->context != k->program->context)
        return fail(CL_INVALID_CONTEXT, "the memory object for %s is of another context",
                    arg_name(p));
    if (mem_is_image(mem) != (p->kind == ISA_PARAM_IMAGE))
        return fail(CL_INVALID_MEM_OBJECT, "argument %s takes %s", arg_name(p),
                    p->kind == ISA_PARAM_IMAGE ? "an image" : "a buffer");
    return OK;
}

static void remember(cl_kernel k, cl_uint index, void *object, uint32_t in_block) {
    struct kernel_arg *a = &k->args[index];
    a->object = object;
    a->serial = object ? ((struct object *)object)->serial : 0;
    a->set = true;
    memcpy(k->block + k->first->params[index].offset, &in_block, sizeof in_block);
}

static struct error set_buffer(cl_kernel k, cl_uint index, cl_mem mem) {
    if (mem) TRY(check_mem(k, &k->first->params[index], mem));
    remember(k, index, mem, mem ? mem->address : 0);
    return OK;
}

static struct error set_image(cl_kernel k, cl_uint index, cl_mem mem) {
    const struct isa_param *p = &k->first->params[index];
    if (!mem) return fail(CL_INVALID_MEM_OBJECT, "no image is given for %s", arg_name(p));
    TRY(check_mem(k, p, mem));
    if (mem->texture.dim != p->dim)
        return fail(CL_INVALID_MEM_OBJECT, "the image given for %s has not the shape of %s",
                    arg_name(p), p->type_name ? p->type_name : "the parameter");
    if ((p->access == ISA_ACCESS_READ_ONLY && (mem->flags & CL_MEM_WRITE_ONLY)) ||
        (p->access == ISA_ACCESS_WRITE_ONLY && (mem->flags & CL_MEM_READ_ONLY)))
        return fail(CL_INVALID_ARG_VALUE, "the image given for %s was not created for this access",
                    arg_name(p));
    remember(k, index, mem, k->args[index].texture);
    return OK;
}

static struct error set_sampler(cl_kernel k, cl_uint index, cl_sampler s) {
    const struct isa_param *p = &k->first->params[index];
    if (!s) return fail(CL_INVALID_SAMPLER, "no sampler is given for %s", arg_name(p));
    if (s->context != k->program->context)
        return fail(CL_INVALID_CONTEXT, "the sampler for %s is of another context", arg_name(p));
    remember(k, index, s, s->value);
    return OK;
}

static struct error set_local(cl_kernel k, cl_uint index, size_t size, const void *value) {
    const struct isa_param *p = &k->first->params[index];
    if (value)
        return fail(CL_INVALID_ARG_VALUE, "arg_value of __local argument %s is not NULL",
                    arg_name(p));
    if (!size)
        return fail(CL_INVALID_ARG_SIZE, "arg_size of __local argument %s is 0", arg_name(p));
    /* Too much is found out by the launch; here the number is only kept from wrapping. */
    k->args[index].size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    k->args[index].set = true;
    return OK;
}

static struct error set_value(cl_kernel k, cl_uint index, size_t size, const void *value) {
    const struct isa_param *p = &k->first->params[index];
    if (!value) return fail(CL_INVALID_ARG_VALUE, "arg_value of %s is NULL", arg_name(p));
    if (size != p->size) return wrong_size(p, size, p->size);
    memcpy(k->block + p->offset, value, size);
    k->args[index].set = true;
    return OK;
}

static struct error set_object(cl_kernel k, cl_uint index, size_t size, const void *value) {
    const struct isa_param *p = &k->first->params[index];
    struct error error;
    void *object;
    TRY(arg_object(p, p->kind == ISA_PARAM_SAMPLER ? OBJECT_sampler : OBJECT_mem, size, value,
                   &object));
    switch (p->kind) {
    case ISA_PARAM_IMAGE: error = set_image(k, index, object); break;
    case ISA_PARAM_SAMPLER: error = set_sampler(k, index, object); break;
    default: error = set_buffer(k, index, object);
    }
    object_release(object);
    return error;
}

struct error kernel_set_arg(cl_kernel k, cl_uint index, size_t size, const void *value) {
    TRY(kernel_check(k));
    if (index >= k->first->nparams)
        return fail(CL_INVALID_ARG_INDEX, "argument %u, kernel %s has %u", index, k->first->name,
                    k->first->nparams);
    switch (k->first->params[index].kind) {
    case ISA_PARAM_LOCAL: return set_local(k, index, size, value);
    case ISA_PARAM_VALUE: return set_value(k, index, size, value);
    default: return set_object(k, index, size, value);
    }
}

uint64_t kernel_local_bytes(cl_kernel k, const struct isa_kernel *code, uint32_t *offsets) {
    uint64_t bytes = code->local_bytes;
    for (uint32_t i = 0; i < code->nparams; i++) {
        const struct isa_param *p = &code->params[i];
        if (p->kind != ISA_PARAM_LOCAL) continue;
        uint64_t align = p->pointee_align ? p->pointee_align : 1;
        bytes = (bytes + align - 1) / align * align;
        if (offsets) *offsets++ = (uint32_t)bytes;
        bytes += k->args[i].size;
    }
    return bytes;
}

uint64_t kernel_shared_bytes(cl_kernel k, unsigned device, const struct model *m) {
    uint64_t local = kernel_local_bytes(k, k->code[device], NULL);
    if (m->unlimited) return local;
    return k->resources[device].shared_bytes + local - k->code[device]->local_bytes;
}

/* ---- queries ---- */

struct error kernel_info(cl_kernel k, cl_kernel_info name, size_t size, void *value,
                         size_t *size_ret) {
    TRY(kernel_check(k));
    struct info out = {size, value, size_ret, name};
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME: return info_text(out, k->first->name);
    case CL_KERNEL_NUM_ARGS: return info_of(out, cl_uint, k->first->nparams);
    case CL_KERNEL_REFERENCE_COUNT: return info_of(out, cl_uint, object_users(k));
    case CL_KERNEL_CONTEXT: return info_of(out, cl_context, k->program->context);
    case CL_KERNEL_PROGRAM: return info_of(out, cl_program, k->program);
    case CL_KERNEL_ATTRIBUTES:
        if (platform_version() < 120) break;
        return info_text(out, k->first->attributes);
    }
    return info_unknown("kernel", name);
}

static cl_kernel_arg_address_qualifier address_qualifier(const struct isa_param *p) {
    switch (p->kind) {
    case ISA_PARAM_GLOBAL:
    case ISA_PARAM_IMAGE: return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case ISA_PARAM_CONSTANT: return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case ISA_PARAM_LOCAL: return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default: return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

static cl_kernel_arg_access_qualifier access_qualifier(const struct isa_param *p) {
    switch (p->access) {
    case ISA_ACCESS_READ_ONLY: return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    case ISA_ACCESS_WRITE_ONLY: return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    case ISA_ACCESS_READ_WRITE: return CL_KERNEL_ARG_ACCESS_READ_WRITE;
    default: return CL_KERNEL_ARG_ACCESS_NONE;
    }
}

static cl_kernel_arg_type_qualifier type_qualifier(const struct isa_param *p) {
    return (p->qualifiers & ISA_QUAL_CONST ? CL_KERNEL_ARG_TYPE_CONST : 0) |
           (p->qualifiers & ISA_QUAL_RESTRICT ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
           (p->qualifiers & ISA_QUAL_VOLATILE ? CL_KERNEL_ARG_TYPE_VOLATILE : 0);
}

struct error kernel_arg_info(cl_kernel k, cl_uint index, cl_kernel_arg_info name, size_t size,
                             void *value, size_t *size_ret) {
    TRY(kernel_check(k));
    if (index >= k->first->nparams)
        return fail(CL_INVALID_ARG_INDEX, "argument %u, kernel %s has %u", index, k->first->name,
                    k->first->nparams);
    struct info out = {size, value, size_ret, name};
    const struct isa_param *p = &k->first->params[index];
    if (name >= CL_KERNEL_ARG_ADDRESS_QUALIFIER && name <= CL_KERNEL_ARG_NAME &&
        !k->first->arg_info)
        return fail(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                    "kernel %s was built without -cl-kernel-arg-info", k->first->name);
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return info_of(out, cl_kernel_arg_address_qualifier, address_qualifier(p));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return info_of(out, cl_kernel_arg_access_qualifier, access_qualifier(p));
    case CL_KERNEL_ARG_TYPE_NAME: return info_text(out, p->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return info_of(out, cl_kernel_arg_type_qualifier, type_qualifier(p));
    case CL_KERNEL_ARG_NAME: return info_text(out, p->name);
    }
    return info_unknown("kernel argument", name);
}

struct error kernel_group_info(cl_kernel k, cl_device_id device, cl_kernel_work_group_info name,
                               size_t size, void *value, size_t *size_ret) {
    TRY(kernel_check(k));
    if (!device) {
        if (k->program->ndevices != 1)
            return fail(CL_INVALID_DEVICE, "device is NULL and the program has several");
        device = k->program->devices[0];
    }
    int at = kernel_device(k, device);
    if (at < 0) return fail(CL_INVALID_DEVICE, "the kernel was not built for this device");
    struct info out = {size, value, size_ret, name};
    const struct isa_kernel *code = k->code[at];
    const uint32_t *required = code->required_size;
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return info_of(out, size_t, gpu_largest_group(device->model, &k->resources[at]));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return info_bytes(out, (size_t[]){required[0], required[1], required[2]},
                          3 * sizeof(size_t));
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return info_of(out, cl_ulong, kernel_shared_bytes(k, (unsigned)at, device->model));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        if (platform_version() < 110) break;
        return info_of(out, size_t, ISA_WARP);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        if (platform_version() < 110) break;
        return info_of(out, cl_ulong, k->resources[at].local_bytes);
    case CL_KERNEL_GLOBAL_WORK_SIZE:
        if (platform_version() < 120) break;
        return fail(CL_INVALID_VALUE,
                    "CL_KERNEL_GLOBAL_WORK_SIZE: only custom devices and built-in "
                    "kernels have one");
    }
    return info_unknown("kernel's work-group", name);
}
