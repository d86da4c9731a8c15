/* JSON that is written and read: what comes through, and what is refused. */
#include "device/report/json_reader.h"
#include "device/report/json_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void written(void) {
    char *text = NULL, why[80];
    size_t length = 0, line;
    FILE *to = open_memstream(&text, &length);
    struct json_writer j = {.to = to};
    json_object(&j, NULL);
    json_text(&j, "quoted \"\\",
              "tab\t, line\n, <tag>, \x01, \x7f, \xc3\xa9, \xe9, \xed\xa0\x80, \xf0\x9f\x90\xa3");
    json_bytes(&j, "zero", "a\0b", 3);
    json_text(&j, "none", NULL);
    json_integer(&j, "large", UINT64_C(18446744073709551615));
    json_number(&j, "part", 0.25);
    json_number(&j, "small", 1.5e-9);
    json_number(&j, "nan", NAN);
    json_truth(&j, "yes", true);
    json_array(&j, "list");
    json_integer(&j, NULL, 1);
    json_object(&j, NULL);
    json_end_object(&j);
    json_end_array(&j);
    json_end_object(&j);
    CHECK(!fclose(to) && j.bytes == length && !j.depth);
    CHECK(!strchr(text, '<') && strstr(text, "\"large\":18446744073709551615,"));
    CHECK(strstr(text, "\"part\":0.25,") && strstr(text, "\"small\":1.5e-09,") &&
          strstr(text, "\"nan\":null,"));
    CHECK(strstr(text, "\"list\":[1,{}]}") && strstr(text, "a\\u0000b"));
    /* a text with the character 0 is the only one that is not read */
    CHECK(!json_read(text, length, why, &line) && !strcmp(why, "a text has the character 0"));
    memcpy(strstr(text, "\\u0000"), "\\u0041", 6);
    struct json_tree *t = json_read(text, length, why, &line);
    CHECK(t);
    const struct json_value *v = json_root(t);
    CHECK(v->count == 9 && json_number_of(v, "part", 0) == 0.25 &&
          json_number_of(v, "small", 0) == 1.5e-9);
    CHECK(!strcmp(json_text_of(v, "quoted \"\\", ""),
                  "tab\t, line\n, <tag>, \x01, \x7f, \xc3\xa9, \xc3\xa9, \xc3\xad\xc2\xa0\xc2\x80, "
                  "\xf0\x9f\x90\xa3"));
    CHECK(!strcmp(json_text_of(v, "zero", ""), "aAb"));
    CHECK(json_member(v, "none")->kind == JSON_NULL && json_member(v, "yes")->number == 1);
    CHECK(!json_member(v, "list ") && !json_member(NULL, "list") &&
          json_number_of(v, "none", 7) == 7);
    json_tree_free(t);
    free(text);
}

static void refused(void) {
    static const struct {
        const char *text, *why;
        size_t line;
    } bad[] = {
        {"", "it ends too early", 1},
        {"{", "a member has no name", 1},
        {"[1,\n2", "a comma is missing", 2},
        {"[1 2]", "a comma is missing", 1},
        {"[1,]", "no value", 1},
        {"{\"a\" 1}", "a member has no name", 1},
        {"\"a", "a text has no end", 1},
        {"\"a\\", "a text has no end", 1},
        {"\"\\q\"", "no such escape in a text", 1},
        {"\"\\u12\"", "a \\u is cut off", 1},
        {"\"\\u12xy\"", "a \\u has no hexadecimal digits", 1},
        {"\"a\nb\"", "a text has a character below 32", 2},
        {"nul", "no value", 1},
        {"-", "no value", 1},
        {"1 1", "something follows its end", 1},
        {"\n\n}", "no value", 3},
    };
    char why[80], deep[200];
    size_t line;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        if (json_read(bad[n].text, strlen(bad[n].text), why, &line) ||
            strcmp(why, bad[n].why) != 0 || line != bad[n].line) {
            fprintf(stderr, "%s: line %zu: %s\n", bad[n].text, line, why);
            exit(1);
        }
    }
    memset(deep, '[', sizeof deep);
    CHECK(!json_read(deep, sizeof deep, why, &line) && !strcmp(why, "it is nested too deep"));
    /* a surrogate pair, half of one */
    struct json_tree *t = json_read("[\"\\ud83d\\udc23\", \"\\ud83d!\", -1.5E+2]", 36, why, &line);
    CHECK(t && !strcmp(json_root(t)->first->text, "\xf0\x9f\x90\xa3"));
    CHECK(!strcmp(json_root(t)->first->next->text, "\xef\xbf\xbd!") &&
          json_root(t)->first->next->next->number == -150);
    json_tree_free(t);
}

/* Every beginning of a text is read or refused, and none crashes. */
static void cut(void) {
    static const char text[] = "{\"a\":[1.5e3,true,null,{\"b\":\"\\u00e9\\n\"}],\"c\":-0.25}";
    char why[80];
    size_t line;
    for (size_t n = 0; n < sizeof text; n++) {
        char *copy = malloc(n + 1); /* exactly as long, for sanitizers */
        CHECK(copy);
        memcpy(copy, text, n);
        struct json_tree *t = json_read(copy, n, why, &line);
        CHECK(!t == (n != sizeof text - 1));
        json_tree_free(t);
        free(copy);
    }
}

int main(void) {
    written();
    refused();
    cut();
    puts("read");
    return 0;
}
