/* JSON that is written: a library that reads JSON reads it, and what was given comes through. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/report/json_writer.h"

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const cJSON *in(const cJSON *v, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(v, key);
}

static void written(void) {
    char *text = NULL;
    size_t length = 0;
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
    memcpy(strstr(text, "\\u0000"), "\\u0041", 6); /* the reader's texts end at a 0 */
    cJSON *v = cJSON_ParseWithOpts(text, NULL, true);
    CHECK(v && cJSON_GetArraySize(v) == 9 && in(v, "part")->valuedouble == 0.25 &&
          in(v, "small")->valuedouble == 1.5e-9);
    CHECK(!strcmp(in(v, "quoted \"\\")->valuestring,
                  "tab\t, line\n, <tag>, \x01, \x7f, \xc3\xa9, \xc3\xa9, \xc3\xad\xc2\xa0\xc2\x80, "
                  "\xf0\x9f\x90\xa3"));
    CHECK(!strcmp(in(v, "zero")->valuestring, "aAb"));
    CHECK(cJSON_IsNull(in(v, "none")) && cJSON_IsTrue(in(v, "yes")) && !in(v, "list "));
    cJSON_Delete(v);
    free(text);
}

int main(void) {
    written();
    puts("written");
    return 0;
}
