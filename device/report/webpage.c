#include "webpage.h"

#include <string.h>

/* The files of page/, in the order in which they stand here; made by page.cmake. */
extern const char page_html[], page_css[], page_js[];

/* What takes the place of a mark in page.html, in the order of the marks; NULL: the data, whose
 * JSON has no "<". */
static const struct {
    const char *mark, *text;
} parts[] = {{"@CSS@", page_css}, {"@DATA@", NULL}, {"@JS@", page_js}};

void webpage_write(const struct report_data *d, FILE *to) {
    const char *at = page_html;
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        const char *mark = strstr(at, parts[n].mark);
        if (!mark) break;
        fwrite(at, 1, (size_t)(mark - at), to);
        if (parts[n].text)
            fputs(parts[n].text, to);
        else
            data_write(d, to);
        at = mark + strlen(parts[n].mark);
    }
    fputs(at, to);
}
