/* Samplers. */
#ifndef SIMTCL_RUNTIME_SAMPLER_H
#define SIMTCL_RUNTIME_SAMPLER_H

#include "object.h"

struct _cl_sampler {
    struct object object;
    cl_context context; /* held */
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    uint32_t value; /* what a kernel gets: ISA_SAMPLER_* */
};

void sampler_free(void *object);

/* Entry points (specification 5.5). */
struct error sampler_create(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                            cl_filter_mode filter, cl_sampler *result);
struct error sampler_create_with(cl_context context, const cl_sampler_properties *properties,
                                 cl_sampler *result);
struct error sampler_retain(cl_sampler sampler);
struct error sampler_release(cl_sampler sampler);
struct error sampler_info(cl_sampler sampler, cl_sampler_info name, size_t size, void *value,
                          size_t *size_ret);

#endif
