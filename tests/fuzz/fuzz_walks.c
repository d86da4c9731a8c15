/* Random loops through memory, run by the interpreter and as native code on each level: all must
 * leave the same bits.
 *
 *   fuzz_walks [--count N] [--seed S] [--levels 0|1|2|3] [--print]
 *
 * Some go through an array with the stride of the range, so that all lanes make nearly the same
 * iterations; in others each lane has a part of its own, as long as the table says, and goes from
 * there to places anywhere; others are no loops, or ones that take what is evenly spaced apart by
 * division. What lanes have found is theirs at the end, and so is where they
 * stopped. */
#include <stdarg.h>
#include <string.h>

#include "contest.h"

enum { WORDS = 1024, ROW = 64, ITEMS = CONTEST_ITEMS, BATCH = 16, BEHIND = 512 };
enum { TABLE_BYTES = 4 * WORDS + BEHIND, OWN = ITEMS * ROW, RESULTS = OWN + 4 * WORDS };
enum { TEXT = 1 << 17 };

static uint64_t state;
static uint32_t any(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

static char text[TEXT];
static size_t length;

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text + length, TEXT - length, format, args);
    va_end(args);
    CHECK(n >= 0 && (size_t)n + 1 < TEXT - length, "a text of %zu bytes", length);
    length += (size_t)n;
    text[length++] = '\n';
}

/* Registers: %i0 table, %i1 results, %i2 thread, %i3 items of a group, %i4 item, %i5 its place,
 * %i6 and %i7 what it has found; each other one is written in one place, counters in two. */
enum { FIRST = 20 };
static unsigned used;

static void begin(unsigned number) {
    used = FIRST;
    say(".kernel \"k%u\"", number);
    for (unsigned p = 0; p < 3; p++)
        say(".param \"p%u\" \"char*\" global offset %u size 4 align 4 pointee 1", p, 4 * p);
    say(".param_bytes 12\n{\nld.param.i32 %%i0, [0]\nld.param.i32 %%i1, [4]");
    say("special %%i2, thread_id\nspecial %%i10, local_size_x\nspecial %%i11, local_size_y");
    say("mul.i32 %%i12, %%i10, %%i11\nspecial %%i13, local_size_z\nmul.i32 %%i3, %%i12, %%i13");
    say("special %%i14, group_id_x\nmul.i32 %%i15, %%i14, %%i3\nadd.i32 %%i4, %%i15, %%i2");
    say("mul.i32 %%i16, %%i4, %u\nadd.i32 %%i5, %%i16, %%i1", ROW);
    say("mov.i32 %%i6, %%i4\nmov.i32 %%i7, %u", any(100));
}

/* %i6 or %i7 and what was read. */
static void combine(unsigned r) {
    static const char *const ops[] = {"add", "xor", "sub", "max_u"};
    unsigned to = 6 + any(2);
    if (!any(6)) say("mul.i32 %%i%u, %%i%u, 33", to, to);
    say("%s.i32 %%i%u, %%i%u, %%i%u", ops[any(4)], to, to, r);
}

/* The address of element `at` behind that in register `base`. */
static unsigned address(unsigned at, unsigned base) {
    unsigned r = used;
    used += 2;
    say("shl.i32 %%i%u, %%i%u, 2\nadd.i32 %%i%u, %%i%u, %%i%u", r, at, r + 1, base, r);
    return r + 1;
}

/* A word of the table at element `at`, or somewhere behind it. */
static unsigned load(unsigned at) {
    unsigned from = address(at, 0), r = used++;
    say("ld.global.i32 %%i%u, [%%i%u+%u]", r, from, 4 * any(BEHIND / 4));
    return r;
}

/* The lanes leave whose counter has come to the limit. */
static void leave(unsigned counter, unsigned limit, const char *order, bool rises) {
    unsigned p = used++;
    say("%s.i32 %%p%u, %%i%u, %%i%u", order, p, rises ? limit : counter, rises ? counter : limit);
    say("breakif %%p%u, 0", p);
}

static unsigned product(unsigned below, unsigned other) {
    unsigned factor = any(below);
    return factor * any(other);
}

/* Returns the counter. put: in each iteration the item stores to a place that is its own. */
static unsigned stride(bool put) {
    unsigned counter = used++, limit = used++, more = used++;
    say("add.i32 %%i%u, %%i4, %u", counter, product(3, 40));
    say("and.i32 %%i%u, %%i2, %u", more, product(2, ITEMS));
    say("add.i32 %%i%u, %%i%u, %u", limit, more, any(5) ? any(WORDS - ITEMS) : any(ITEMS));
    say("loop");
    leave(counter, limit, any(3) ? "le_s" : "le_u", true);
    for (unsigned n = 1 + any(3); n; n--) combine(load(counter));
    if (!any(4)) {
        unsigned r = used++;
        say("ld.global.i32 %%i%u, [%%i0+%u]", r, 4 * any(WORDS));
        combine(r);
    }
    if (put) say("st.global.i32 [%%i%u+%u], %%i%u", address(counter, 1), OWN, 6 + any(2));
    if (!any(8)) {
        unsigned p = used++, r = used++;
        say("and.i32 %%i%u, %%i6, 63\neq.i32 %%p%u, %%i%u, %u", r, p, r, any(64));
        say("breakif %%p%u, 0", p);
    }
    if (put || any(2))
        say("add.i32 %%i%u, %%i%u, %u", counter, counter, put ? (unsigned)ITEMS : 1 + any(100));
    else
        say("add.i32 %%i%u, %%i%u, %%i3", counter, counter);
    say("endloop");
    return counter;
}

static unsigned part(void) {
    static const unsigned most[] = {7, 31, 63, 255};
    unsigned counter = used++, limit = used++, length = used++, from = used++, p = used++;
    bool rises = any(3), some = !any(3);
    if (some) say("lt_u.i32 %%p%u, %%i2, %u\nif %%p%u", p, any(ITEMS), p);
    unsigned word = load(4);
    say("mul.i32 %%i%u, %%i%u, 77\nand.i32 %%i%u, %%i%u, 511", length, word, from, word);
    say("and.i32 %%i%u, %%i%u, %u", length, length, most[any(4)]);
    say("mov.i32 %%i%u, %%i%u", rises ? counter : limit, from);
    say("add.i32 %%i%u, %%i%u, %%i%u", rises ? limit : counter, from, length);
    say("loop");
    leave(counter, limit, any(5) ? any(3) ? "le_s" : "le_u" : "lt_s", rises);
    word = load(counter);
    for (unsigned n = 1 + any(2); n; n--) combine(load(word));
    say("add.i32 %%i%u, %%i%u, %d", counter, counter, rises ? 1 + (int)any(5) / 4 : -1);
    say("endloop");
    if (some) say("endif");
    return counter;
}

/* A number that is one for the group, by which ids are divided: it is known, or not. */
static void divisor(char *name, size_t size) {
    static const uint32_t known[] = {0, 1, 7, 64, 96, 100, 128, 1000, -3u, -100u};
    if (any(2)) {
        snprintf(name, size, "%d", (int)known[any(10)]);
        return;
    }
    unsigned r = used;
    used += 3;
    say("and.i32 %%i%u, %%i14, %u", r, any(8));
    say("mul.i32 %%i%u, %%i%u, %d", r + 1, r, (int)any(60) - 10);
    say("add.i32 %%i%u, %%i%u, %d", r + 2, r + 1, (int)any(160) - 8);
    snprintf(name, size, "%%i%u", r + 2);
}

/* What is evenly spaced, taken apart by quotient and remainder; `counter`: it steps as that does.
 */
static void rows(unsigned counter, unsigned depth) {
    unsigned from = used++, moved = used++, quotient = used++, rest = used++, p = used++,
             place = used;
    bool some = !any(4);
    char by[16];
    used += 3;
    say("mul.i32 %%i%u, %%i%u, %u", from, counter, any(3) ? 1 : 1 + any(5));
    say("add.i32 %%i%u, %%i%u, %d", moved, from, any(2) ? 0 : (int)any(600) - 100);
    divisor(by, sizeof by);
    say("div_%c.i32 %%i%u, %%i%u, %s", any(2) ? 's' : 'u', quotient, moved, by);
    if (any(4))
        say("rem_%c.i32 %%i%u, %%i%u, %s", any(2) ? 's' : 'u', rest, moved, by);
    else /* by hand */
        say("mul.i32 %%i%u, %%i%u, %s\nsub.i32 %%i%u, %%i%u, %%i%u", place, quotient, by, rest,
            moved, place);
    if (some) say("lt_s.i32 %%p%u, %%i%u, %u\nif %%p%u", p, rest, any(90), p);
    say("mul.i32 %%i%u, %%i%u, %u", place, quotient, product(3, 70));
    say("add.i32 %%i%u, %%i%u, %%i%u", place + 1, place, rest);
    say("and.i32 %%i%u, %%i%u, %u", place + 2, place + 1, any(3) ? 1023 : 511);
    combine(load(place + 2));
    if (!any(3)) combine(quotient);
    if (depth) rows(any(2) ? rest : quotient, depth - 1);
    if (some && any(2)) say("else\nadd.i32 %%i7, %%i7, %%i%u", rest);
    if (some) say("endif");
}

/* Once, or for each number that lies as far apart as a group's items are. */
static unsigned taken_apart(void) {
    unsigned counter = used++, limit = used++;
    bool loops = any(2);
    say("add.i32 %%i%u, %%i4, %u", counter, product(2, 200));
    unsigned more = any(800);
    say("add.i32 %%i%u, %%i%u, %u", limit, any(4) ? 3 : counter, more);
    if (loops) say("loop");
    if (loops) leave(counter, limit, any(3) ? "le_s" : "le_u", true);
    rows(counter, any(3));
    say("add.i32 %%i%u, %%i%u, %%i3", counter, counter);
    if (loops) say("endloop");
    return counter;
}

static struct isa_module *make_module(uint64_t seed) {
    state = seed * 0x9e3779b97f4a7c15u + 1;
    length = 0;
    say("simtcl-ir 1\n.file \"walks.cl\"");
    for (unsigned n = 0; n < BATCH; n++) {
        unsigned loops = 1 + any(2);
        begin(n);
        for (unsigned l = 0; l < loops; l++) {
            unsigned way = any(4), counter = way == 0   ? taken_apart()
                                             : way == 1 ? part()
                                                        : stride(!l && any(3));
            if (!any(4)) say("st.global.i32 [%%i5+%u], %%i%u", 8 + 4 * l, counter);
        }
        say("st.global.i32 [%%i5], %%i6\nst.global.i32 [%%i5+4], %%i7\n}");
    }
    text[length] = 0;
    struct isa_module *module = run_parse(text);
    run_verify(module);
    return module;
}

/* Words are numbers of words. */
static void fill(char *table, uint32_t bytes, uint64_t seed) {
    contest_noise(table, bytes, seed);
    for (uint32_t at = 0; at < bytes; at += 4) {
        uint32_t word;
        memcpy(&word, table + at, 4);
        word %= WORDS;
        memcpy(table + at, &word, 4);
    }
}

/* levels: how many of them each module runs on; which is the seed's choice. */
static int compare(uint64_t seed, bool print, unsigned levels) {
    static const struct contest_rules rules = {
        .fill = fill, .table_bytes = TABLE_BYTES, .result_bytes = RESULTS, .large = true};
    struct isa_module *module = make_module(seed);
    struct contestant list[CONTEST_MOST] = {
        {module, TIER_INTERPRETER, NATIVE_BASELINE, "the interpreter, baseline"}};
    unsigned n = contest_levels(list, 1, module, seed, levels);
    if (print) puts(text);
    int failures = contest(list, n, seed, &rules);
    isa_module_free(module);
    return failures;
}

int main(int argc, char **argv) { return contest_main(argc, argv, BATCH, compare); }
