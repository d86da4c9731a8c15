#include "duration.h"

#include "clock.h"
#include "device/device.h"
#include "device/observe/time_observer.h"
#include "devices.h"
#include "motion.h"
#include "queue.h"
#include "scheduler.h"

static uint64_t nanoseconds(double seconds) {
    return seconds > 0 ? (uint64_t)(seconds * 1e9 + 0.5) : 0;
}

static bool is_launch(cl_event e) {
    return e->type == CL_COMMAND_NDRANGE_KERNEL || e->type == CL_COMMAND_TASK;
}

static double launch_seconds(const struct model *m) {
    return gpu_time_parameter(m, GPU_TIMING_launch_us) * 1e-6;
}

static bool on_device(cl_event e) { return motion_direction(e->type) == MOTION_ON_DEVICE; }

unsigned duration_engines(cl_event e) {
    if (is_launch(e)) return CLOCK_KERNELS;
    if (!e->command->moves.bytes) return 0;
    bool beside = e->queue->device->model->overlap && !on_device(e) && motion_locked(e);
    return beside ? CLOCK_COPIES : CLOCK_COPIES | CLOCK_KERNELS;
}

uint64_t duration_latency(cl_event e) {
    bool works = is_launch(e) || (e->command->moves.bytes && on_device(e));
    return works ? nanoseconds(launch_seconds(e->queue->device->model)) : 0;
}

uint64_t duration_of(cl_event e) {
    const struct model *m = e->queue->device->model;
    size_t bytes = e->command->moves.bytes;
    bool fill = e->type == CL_COMMAND_FILL_BUFFER || e->type == CL_COMMAND_FILL_IMAGE;
    if (!bytes) return 0;
    if (on_device(e))
        return nanoseconds(gpu_time_copy(m, fill ? 0 : bytes, bytes) - launch_seconds(m));
    bool to_device = motion_direction(e->type) == MOTION_TO_DEVICE;
    return nanoseconds(gpu_time_transfer(m, bytes, to_device, motion_locked(e)));
}

uint64_t duration_of_launch(const struct observe_result *launch, uint32_t units) {
    struct model part = *launch->model; /* a sub-device has all of the memory */
    struct gpu_timing timing;
    struct gpu_prediction p;
    time_of_launch(launch, &timing);
    part.multiprocessors = units;
    gpu_time_predict(&part, &timing, 0, &p);
    return nanoseconds(p.seconds - p.launch_seconds);
}
