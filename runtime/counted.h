/* What was counted of launches, for an event or a kernel to keep, and the extension
 * cl_simtcl_profile, by which programs read it (include/simtcl/profile.h says the rules). */
#ifndef SIMTCL_COUNTED_H
#define SIMTCL_COUNTED_H

#include "device/device.h"
#include "device/observe/observer.h"
#include "include/simtcl/profile.h"
#include "object.h"

struct counted_launches;

/* Of no launch yet, with room for so many sites; NULL: out of memory. */
struct counted_launches *counted_new(uint32_t nsites);
/* Of one launch, as the counters observer has it, with its sites or without. */
struct counted_launches *counted_of(const struct observe_result *r, bool sites);
struct counted_launches *counted_retain(struct counted_launches *c); /* NULL stays NULL */
void counted_release(struct counted_launches *c);
/* How the launch's groups lie on a multiprocessor. */
void counted_set_launch(struct counted_launches *c, const struct gpu_occupancy *o,
                        uint32_t shared_bytes);
/* All of the kernel. */
const struct gpu_counters *counted_all(const struct counted_launches *c);
/* Adds a launch of the same kernel. Thread safe. */
void counted_add(struct counted_launches *into, const struct counted_launches *launch);

/* Entry points. */
struct error counted_names(cl_platform_id platform, cl_uint entries, const char **names,
                           cl_uint *counters);
struct error counted_counter_info(cl_platform_id platform, const char *counter,
                                  cl_counter_info_simtcl query, size_t size, void *value,
                                  size_t *size_ret);
struct error counted_event(cl_event event, cl_uint site, const char *counter, cl_ulong *value);
struct error counted_launch_info(cl_event event, cl_launch_info_simtcl query, size_t size,
                                 void *value, size_t *size_ret);
struct error counted_kernel(cl_kernel kernel, cl_device_id device, cl_uint site,
                            const char *counter, cl_ulong *value);
struct error counted_kernel_info(cl_kernel kernel, cl_device_id device,
                                 cl_kernel_profile_info_simtcl query, size_t size, void *value,
                                 size_t *size_ret);
struct error counted_site_info(cl_kernel kernel, cl_device_id device, cl_uint site,
                               cl_site_info_simtcl query, size_t size, void *value,
                               size_t *size_ret);

#endif
