/* What commands move between host and device, as logs and the timeline tell of it. */
#ifndef SIMTCL_MOTION_H
#define SIMTCL_MOTION_H

#include "event.h"

enum motion_direction { MOTION_NOTHING, MOTION_TO_DEVICE, MOTION_TO_HOST, MOTION_ON_DEVICE };

/* Which way a command of that type copies. */
enum motion_direction motion_direction(cl_command_type type);
/* "kernel", "write", ...: motion.def. */
const char *motion_name(cl_command_type type);
/* Of an event that has its command: is the host's side of its copy page-locked, as far as the
 * driver knows: memory that it has given out for mappings? */
bool motion_locked(cl_event event);

#endif
