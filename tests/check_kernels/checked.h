/* What the host programs here share: the first platform's first device with a context, a queue and
 * a program. What fails ends the process with status 1. */
#ifndef SIMTCL_CHECKED_H
#define SIMTCL_CHECKED_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

extern cl_device_id checked_device;
extern cl_context checked_context;
extern cl_command_queue checked_queue;
extern cl_program checked_program;

void checked_need(cl_int code, const char *what);
void checked_open(const char *source);
void checked_close(void);
cl_mem checked_buffer(cl_mem_flags flags, size_t bytes, void *from);
/* A 2D image of RGBA floats. */
cl_mem checked_image(size_t width, size_t height);
cl_command_queue checked_more(cl_command_queue_properties properties); /* another queue */
/* A launch of so many work-items on one memory object. */
void checked_launch(cl_command_queue queue, const char *kernel, cl_mem on, size_t items,
                    cl_uint nwaits, const cl_event *waits, cl_event *event);
/* A program whose argument says what it does, with three queues: the one above, another, and one
 * out of order. */
int checked_main(int argc, char **argv, const char *source, cl_command_queue *queues[3],
                 void (*wrong)(void), void (*right)(void));

#endif
