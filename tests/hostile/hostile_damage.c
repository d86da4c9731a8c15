#include "hostile_damage.h"

#include <ctype.h>

#include "device/isa/isa.h"
#include "hostile.h"

enum { EXTRA = 1 << 16, MAX_DAMAGES = 4 };

static char *text;
static size_t length, room;

/* Puts n bytes of `with` in the place of `size` bytes at `at`. */
static void replace(size_t at, size_t size, const char *with, size_t n) {
    if (length - size + n >= room) return;
    memmove(text + at + n, text + at + size, length - at - size);
    memcpy(text + at, with, n);
    length += n - size;
    text[length] = 0;
}

/* Any place, mostly one in an instruction. */
static size_t place(const char *s, size_t n) {
    size_t at = 0;
    for (unsigned tries = 1 + hostile_chance(40); tries; tries--) {
        at = hostile_chance((unsigned)n);
        size_t begin = at;
        while (begin && s[begin - 1] != '\n') begin--;
        while (begin < n && s[begin] == ' ') begin++;
        if (begin && s[begin - 1] == ' ' && isalpha((unsigned char)s[begin])) break;
    }
    return at;
}

/* Any line with its end; *size gets its length. */
static size_t line_of(const char *s, size_t n, size_t *size) {
    size_t at = place(s, n), end = at;
    while (at && s[at - 1] != '\n') at--;
    while (end < n && s[end] != '\n') end++;
    *size = end - at + (end < n);
    return at;
}

/* Any run of bytes of a class, at or behind a random place; 0: none there. */
static size_t run_of(int (*is)(int), const char *s, size_t n, size_t *at) {
    size_t end;
    *at = place(s, n);
    while (*at < n && !is((unsigned char)s[*at])) ++*at;
    while (*at && is((unsigned char)s[*at - 1])) --*at;
    for (end = *at; end < n && is((unsigned char)s[end]);) end++;
    return end - *at;
}

static int is_word(int c) { return isalnum(c) || c == '_' || c == '.' || c == '%'; }

static void flip(void) { text[hostile_chance((unsigned)length)] ^= (char)(1 << hostile_chance(8)); }

static void number(void) {
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "4",
                                          "7",
                                          "16",
                                          "64",
                                          "255",
                                          "256",
                                          "4096",
                                          "65535",
                                          "65536",
                                          "-1",
                                          "-4",
                                          "2147483647",
                                          "1000",
                                          "16384",
                                          "16380",
                                          "-4096",
                                          "268435456",
                                          "2147483648",
                                          "4294967295",
                                          "4294967296",
                                          "-2147483648",
                                          "99999999999999999999",
                                          "18446744073709551615"};
    size_t at, size = 0;
    char near[32];
    for (unsigned tries = 0; tries < 8; tries++) { /* mostly no register's */
        size = run_of(isdigit, text, length, &at);
        if (!at || strchr(" [+-", text[at - 1])) break;
    }
    const char *with = HOSTILE_ANY(numbers);
    if (hostile_chance(2)) {
        snprintf(near, sizeof near, "%llu",
                 strtoull(text + at, NULL, 10) + hostile_chance(9) - 4ull);
        with = near;
    }
    if (size) replace(at, size, with, strlen(with));
}

/* A word that stands elsewhere in the place of one that begins alike, when one is near. */
static void word(const char *other, size_t n) {
    size_t at, from = 0, taken = 0, size = run_of(is_word, text, length, &at);
    if (!size) return;
    for (unsigned tries = 0; tries < 200; tries++) {
        taken = run_of(is_word, other, n, &from);
        if (taken && other[from] == text[at] &&
            (text[at] != '%' || other[from + 1] == text[at + 1]))
            break;
        taken = 0;
    }
    char copy[256];
    if (!taken || taken > sizeof copy) return;
    memcpy(copy, other + from, taken);
    replace(at, size, copy, taken);
}

/* The suffix of a type or space in an instruction becomes another. */
static void suffix(void) {
    static const char *const suffixes[] = {".i8",      ".i16",      ".i32",    ".i64",
                                           ".f32",     ".f64",      ".global", ".local",
                                           ".private", ".constant", ".param"};
    const char *from = HOSTILE_ANY(suffixes), *to = HOSTILE_ANY(suffixes);
    const char *at = strstr(text + hostile_chance((unsigned)length), from);
    if (at) replace((size_t)(at - text), strlen(from), to, strlen(to));
}

static void line(const char *other, size_t n) {
    size_t size, taken, at = line_of(text, length, &size), from;
    char *copy;
    switch (hostile_chance(5)) {
    case 0: replace(at, size, "", 0); return;
    case 1: /* doubled */
        if ((copy = strndup(text + at, size))) replace(at, 0, copy, size);
        break;
    case 2: /* moved */
        if (!(copy = strndup(text + at, size))) return;
        replace(at, size, "", 0);
        if (length) replace(line_of(text, length, &taken), 0, copy, size);
        break;
    case 3: /* swapped with the next one */
        if (!(copy = strndup(text + at, size))) return;
        from = at + size;
        for (taken = 0; from + taken < length && text[from + taken] != '\n';) taken++;
        if (from + taken < length) {
            replace(at, size, "", 0);
            replace(at + taken + 1, 0, copy, size);
        }
        break;
    default: /* one from elsewhere */
        from = line_of(other, n, &taken);
        if ((copy = strndup(other + from, taken)))
            replace(at, hostile_chance(2) ? size : 0, copy, taken);
    }
    free(copy);
}

static void sum(void) {
    static const char word[] = "\n.checksum ";
    char *at = NULL, digits[32];
    for (char *next = text; (next = strstr(next, word)); next++) at = next + 1;
    if (at) {
        length = (size_t)(at - text);
        text[length] = 0;
    }
    snprintf(digits, sizeof digits, ".checksum %016llx\n",
             (unsigned long long)isa_checksum(text, length));
    replace(length, 0, digits, strlen(digits));
}

char *hostile_damage(const char *whole, const char *other, size_t *size) {
    size_t n = strlen(other);
    length = strlen(whole);
    room = length + EXTRA;
    text = malloc(room);
    if (!text) exit(2);
    memcpy(text, whole, length + 1);
    for (unsigned damages = 1 + hostile_chance(MAX_DAMAGES); damages && length; damages--)
        switch (hostile_chance(16)) {
        case 0: flip(); break;
        case 1:
            if (hostile_chance(8) == 0) text[length = hostile_chance((unsigned)length)] = 0;
            break;
        case 2:
        case 3: line(other, n); break;
        case 4: line(whole, strlen(whole)); break;
        case 5: suffix(); break;
        case 6: word(other, n); break;
        case 7:
        case 8:
        case 9:
        case 10: word(whole, strlen(whole)); break;
        default: number();
        }
    if (hostile_chance(16)) sum();
    *size = length;
    return text;
}
