#include "motion.h"

#include "context.h"
#include "mapview.h"
#include "scheduler.h"

static const struct {
    cl_command_type type;
    const char *name;
    enum motion_direction direction;
} commands[] = {
#define COMMAND(type, name, direction) {type, name, MOTION_##direction},
#include "motion.def"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands };

enum motion_direction motion_direction(cl_command_type type) {
    for (unsigned n = 0; n < COMMANDS; n++)
        if (commands[n].type == type) return commands[n].direction;
    return MOTION_NOTHING;
}

const char *motion_name(cl_command_type type) {
    for (unsigned n = 0; n < COMMANDS; n++)
        if (commands[n].type == type) return commands[n].name;
    return "command";
}

bool motion_locked(cl_event e) {
    const struct command_moves *m = &e->command->moves;
    enum motion_direction direction = motion_direction(e->type);
    if (direction == MOTION_NOTHING || direction == MOTION_ON_DEVICE) return false;
    const void *host = direction == MOTION_TO_HOST ? m->to : m->from;
    return m->locked ||
           (host && (memory_contains(e->context->memory, host) || mapview_holds(host)));
}
