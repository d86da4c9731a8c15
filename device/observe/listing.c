#include "listing.h"

const char *listing_file(const struct observe_result *r, uint16_t file) {
    return file ? r->files[file] : "<program source>";
}

void listing_quoted(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}
