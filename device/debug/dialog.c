/* Whom the session talks with: a terminal, whose lines libedit edits where it is installed, or a
 * file of commands, whose answers go to stderr. The driver is in every host's process, so libedit
 * is not linked: it is loaded when there is something to ask. The host's own streams stay as they
 * are. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "session.h"

enum { LINE = 1024 };

static struct {
    bool opened;
    char path[4096];
    FILE *from, *to; /* NULL: there is nobody to ask */
    bool terminal;
    const char *prompt;
    struct termios as_it_was;
    char line[LINE];
} dialog;

void dialog_configure(const char *path) { snprintf(dialog.path, sizeof dialog.path, "%s", path); }

/* ---- libedit (histedit.h): the little of it that is used ---- */

typedef struct editline EditLine;
typedef struct history History;
typedef struct {
    int num;
    const char *str;
} HistEvent;
enum { EL_PROMPT = 0, EL_EDITOR = 2, EL_BIND = 4, EL_SETTY = 8, EL_HIST = 10 };
enum { H_SETSIZE = 1, H_ENTER = 10 };

static struct {
    EditLine *(*init)(const char *, FILE *, FILE *, FILE *);
    int (*set)(EditLine *, int, ...);
    const char *(*gets)(EditLine *, int *);
    History *(*history_init)(void);
    int (*history)(History *, HistEvent *, int, ...);
    EditLine *editor;
    History *lines;
} edit;

static char *prompt_of(EditLine *editor) {
    (void)editor;
    return (char *)(uintptr_t)dialog.prompt;
}

static void *symbol(void *library, const char *name, bool *good) {
    void *found = dlsym(library, name);
    *good &= found != NULL;
    return found;
}

/* Ctrl-C takes the line back and ends nothing: the host does not die of it. */
static void open_editor(void) {
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool good = true;
    *(void **)&edit.init = symbol(library, "el_init", &good);
    *(void **)&edit.set = symbol(library, "el_set", &good);
    *(void **)&edit.gets = symbol(library, "el_gets", &good);
    *(void **)&edit.history_init = symbol(library, "history_init", &good);
    *(void **)&edit.history = symbol(library, "history", &good);
    if (!good) return;
    HistEvent event;
    edit.lines = edit.history_init();
    edit.editor = edit.init("simtcl", dialog.from, dialog.to, dialog.to);
    if (!edit.editor) return;
    edit.set(edit.editor, EL_PROMPT, prompt_of);
    edit.set(edit.editor, EL_EDITOR, "emacs");
    edit.set(edit.editor, EL_SETTY, "-d", "-isig", NULL);
    edit.set(edit.editor, EL_BIND, "^C", "em-kill-line", NULL);
    if (!edit.lines) return;
    edit.history(edit.lines, &event, H_SETSIZE, 500);
    edit.set(edit.editor, EL_HIST, edit.history, edit.lines);
}

/* ---- lines ---- */

static void open_dialog(void) {
    dialog.opened = true;
    if (*dialog.path) {
        dialog.from = fopen(dialog.path, "re");
        dialog.to = stderr;
        if (!dialog.from)
            fprintf(stderr, "simtcl: SIMTCL_BREAK_COMMANDS: %.500s: %s\n", dialog.path,
                    strerror(errno));
        return;
    }
    dialog.to = stderr;
    if (!isatty(STDIN_FILENO)) return; /* stdin is the host's */
    dialog.from = fopen("/dev/tty", "re");
    FILE *to = dialog.from ? fopen("/dev/tty", "we") : NULL;
    if (!to) {
        if (dialog.from) fclose(dialog.from);
        dialog.from = NULL;
        return;
    }
    dialog.to = to;
    dialog.terminal = true;
    open_editor();
}

static void cut_end(char *line) { line[strcspn(line, "\r\n")] = '\0'; }

static const char *read_edited(void) {
    int n = 0;
    const char *line = edit.gets(edit.editor, &n);
    HistEvent event;
    if (!line || n <= 0) return NULL;
    if (edit.lines && n > 1) edit.history(edit.lines, &event, H_ENTER, line);
    snprintf(dialog.line, LINE, "%s", line);
    cut_end(dialog.line);
    return dialog.line;
}

/* Without libedit: the terminal's own editing, Ctrl-C taken as a line that is empty. */
static const char *read_plain(void) {
    struct termios quiet;
    bool set = tcgetattr(fileno(dialog.from), &dialog.as_it_was) == 0;
    quiet = dialog.as_it_was;
    quiet.c_lflag &= ~(tcflag_t)ISIG;
    if (set) tcsetattr(fileno(dialog.from), TCSANOW, &quiet);
    fprintf(dialog.to, "%s", dialog.prompt);
    fflush(dialog.to);
    const char *line = fgets(dialog.line, LINE, dialog.from);
    if (set) tcsetattr(fileno(dialog.from), TCSANOW, &dialog.as_it_was);
    cut_end(dialog.line);
    if (line && memchr(dialog.line, 3, strlen(dialog.line))) dialog.line[0] = '\0';
    return line;
}

const char *dialog_read(const char *prompt) {
    if (!dialog.opened) open_dialog();
    dialog.prompt = prompt;
    if (!dialog.from) return NULL;
    if (dialog.terminal) return edit.editor ? read_edited() : read_plain();
    do { /* what is said of a file's command follows it */
        if (!fgets(dialog.line, LINE, dialog.from)) return NULL;
        cut_end(dialog.line);
    } while (!dialog.line[strspn(dialog.line, " \t")] || *dialog.line == '#');
    dialog_say("%s%s\n", prompt, dialog.line);
    return dialog.line;
}

void dialog_say(const char *format, ...) {
    va_list arguments;
    if (!dialog.opened) open_dialog();
    va_start(arguments, format);
    vfprintf(dialog.to, format, arguments);
    va_end(arguments);
    fflush(dialog.to);
}

bool dialog_repeats(void) { return dialog.terminal; }
