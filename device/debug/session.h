/* The session: what it stops at, what it looks at, whom it talks with. Private to device/debug. */
#ifndef SIMTCL_DEBUG_SESSION_H
#define SIMTCL_DEBUG_SESSION_H

#include "lanevalue.h"

struct breakpoint {
    uint32_t number;
    char kernel[128]; /* "": any */
    uint32_t line;    /* 0: where the kernel begins */
    bool item_known;
    uint32_t item[3]; /* global ids */
    char condition[256];
    uint64_t hits;
    struct breakpoint *next;
};

enum session_way { WAY_ON, WAY_STEP, WAY_NEXT, WAY_STEPI, WAY_FINISH, WAY_GROUP };

struct debug_session {
    bool on, every_fault, every_finding;
    struct breakpoint *breakpoints;
    uint32_t last_number;
    enum session_way way;   /* how it goes on: until where */
    uint32_t times;         /* so often, less this one */
    struct session_origin { /* from where it steps */
        uint32_t warp, line, call, depth, index;
        uint16_t file;
        bool anywhere; /* the warp is gone: any statement will do */
    } origin;
    uint32_t group[3]; /* WAY_GROUP */
    /* what is looked at while it prompts */
    struct debug_launch *d;
    uint32_t warp, lanes; /* lanes: chosen ones */
    bool lanes_chosen;    /* else the first active one is shown */
    uint32_t frame;       /* of the backtrace */
    uint32_t listed;      /* the last line that list showed; 0: none */
    bool over;            /* the group has ended in a fault: nothing of it can go on */
};
extern struct debug_session session;

/* Where the selected frame is, in its first chosen lane; false: the warp has not begun. */
bool session_view(struct lanevalue_view *view);
/* The frames' calls, from the innermost on; returns how many. frame n's place is in view. */
uint32_t session_frames(uint32_t *call);
void session_frame(uint32_t n, struct lanevalue_view *view);

/* breakpoint.c: "kernel:line[:item]", "line", "kernel"; NULL: `why`. The kernel is `here` where
 * the text names none. */
struct breakpoint *breakpoint_new(const char *text, const char *condition, const char *here,
                                  char why[200]);
bool breakpoint_delete(uint32_t number); /* 0: all; false: there is none */
struct breakpoint *breakpoint_find(uint32_t number);
/* The breakpoint that the warp has come to, and its lanes that it holds for; NULL: none. */
struct breakpoint *breakpoint_hit(const struct debug_launch *d, uint32_t warp, uint32_t *lanes);
void breakpoint_write(const struct breakpoint *b, char *text, size_t size);

/* commands.c: executes a line. True: the launch goes on. */
bool commands_run(const char *line);
/* information.c */
void information_run(const char *what);
void information_where(const char *why, uint32_t lanes); /* what is said where it stops */
void information_list(uint16_t file, uint32_t line, uint32_t around);
void information_disassembly(bool all);
void information_frame(uint32_t n);

/* dialog.c: from where commands come and where answers go. */
void dialog_configure(const char *path); /* a file's; "": the terminal's */
/* The next command: a line without its end, valid until the next; NULL: there is none any more. */
const char *dialog_read(const char *prompt);
void dialog_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool dialog_repeats(void); /* an empty line means the last command once more */

#endif
