#include "config.h"

#include <string.h>

static const char blanks[] = " \t\r";

/* Without blanks at both ends. */
static char *trim(char *text) {
    text += strspn(text, blanks);
    size_t n = strlen(text);
    while (n && strchr(blanks, text[n - 1])) n--;
    text[n] = '\0';
    return text;
}

/* The name in [name]; NULL: the line has none. */
static const char *section_of(char *line) {
    size_t n = strlen(line);
    if (line[0] != '[' || line[n - 1] != ']') return NULL;
    line[n - 1] = '\0';
    return trim(line + 1);
}

void config_read(char *text, const char *program,
                 void (*tell)(void *user, const struct config_setting *s), void *user) {
    struct config_setting s = {.line = 0};
    bool others = false; /* in a section of other programs */
    for (char *next = text; next;) {
        char *line = strsep(&next, "\n");
        s.line++;
        line = trim(line);
        if (!*line || *line == '#') continue;
        const char *section = section_of(line);
        if (section) {
            s.mine = !strcmp(section, program);
            others = !s.mine;
            continue;
        }
        char *equals = strchr(line, '=');
        s.name = line;
        s.value = NULL;
        if (equals) {
            *equals = '\0';
            s.name = trim(line);
            s.value = trim(equals + 1);
        }
        if (!others) tell(user, &s);
    }
}
