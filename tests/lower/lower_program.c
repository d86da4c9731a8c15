/* The generator behind program.h. Expressions are wrapped in casts to a wanted type, so that every
 * operation happens in a type chosen here and signed overflow can be kept away. */
#include "lower_program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VARS = 64, MAX_DEPTH = 5, MAX_TEXT = 1 << 20, LONG_TEXT = 12000 };
enum type { INT, UINT, SHORT, USHORT, CHAR, UCHAR, LONG, ULONG, TYPES };
static const char *const type_name[TYPES] = {"int",  "uint",  "short", "ushort",
                                             "char", "uchar", "long",  "ulong"};

struct program_variable {
    unsigned number;
    enum type type;
    bool counter; /* of a loop: read only */
};

struct program {
    uint64_t random;
    char *text;
    size_t length, capacity;
    struct program_variable vars[MAX_VARS];
    unsigned nvars, next, labels, functions, depth, loops, switches;
    bool in_function, overflow;
};

static unsigned pick(struct program *p, unsigned n) {
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(p->random >> 33) % n;
}

static bool chance(struct program *p, unsigned percent) { return pick(p, 100) < percent; }

__attribute__((format(printf, 2, 3))) static void put(struct program *p, const char *format, ...) {
    char piece[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (p->length + (size_t)n + 1 > p->capacity) {
        size_t capacity = p->capacity * 2 + 4096;
        char *grown = capacity <= MAX_TEXT ? realloc(p->text, capacity) : NULL;
        if (!grown) {
            p->overflow = true;
            return;
        }
        p->text = grown;
        p->capacity = capacity;
    }
    memcpy(p->text + p->length, piece, (size_t)n + 1);
    p->length += (size_t)n;
}

static void expression(struct program *p, unsigned depth, enum type t);

static void index_of(struct program *p, unsigned depth, unsigned mask) {
    put(p, "((");
    expression(p, depth, UINT);
    put(p, ") & %uu)", mask);
}

/* An address that advances with a loop: counters stay below 8, ids below 96. */
static bool stepped(struct program *p, enum type t) {
    for (unsigned v = p->nvars; v-- > 0;) {
        if (!p->vars[v].counter) continue;
        put(p, "(%s)in[id + x%u * %u + %u]", type_name[t], p->vars[v].number, pick(p, 40),
            pick(p, 30));
        return true;
    }
    return false;
}

static void leaf(struct program *p, unsigned depth, enum type t) {
    unsigned c = pick(p, 100);
    if (c % 4 == 0 && stepped(p, t)) return;
    if (c < 55 && p->nvars) {
        put(p, "(%s)x%u", type_name[t], p->vars[pick(p, p->nvars)].number);
    } else if (c < 72) {
        put(p, "(%s)%u", type_name[t], pick(p, 41));
    } else if (c < 80) {
        put(p, "(%s)v4.%c", type_name[t], "xyzw"[pick(p, 4)]);
    } else if (c < 92 && depth < 4) {
        put(p, "(%s)in[", type_name[t]);
        index_of(p, depth + 2, 511);
        put(p, "]");
    } else {
        put(p, "(%s)id", type_name[t]);
    }
}

/* (a op b), in the unsigned type of the same width where a signed one could overflow. */
static void binary(struct program *p, unsigned depth, enum type t, const char *op, bool wraps) {
    const char *as = wraps && t == INT ? "(uint)" : wraps && t == LONG ? "(ulong)" : "";
    put(p, "(%s(", as);
    expression(p, depth + 1, t);
    put(p, ") %s %s(", op, as);
    expression(p, depth + 1, t);
    put(p, "))");
}

static void expression(struct program *p, unsigned depth, enum type t) {
    static const char *const wrapping[] = {"+", "-", "*"}, *const bits[] = {"&", "|", "^"};
    static const char *const order[] = {"<", ">", "<=", ">=", "==", "!="};
    if (depth > 3 || chance(p, 25)) {
        leaf(p, depth, t);
        return;
    }
    put(p, "(%s)", type_name[t]);
    unsigned c = pick(p, 12);
    switch (c) {
    case 0:
    case 1: binary(p, depth, t, wrapping[pick(p, 3)], true); break;
    case 2: binary(p, depth, t, bits[pick(p, 3)], false); break;
    case 3:
        put(p, "(");
        expression(p, depth + 1, t);
        put(p, " %s ", chance(p, 50) ? "<<" : ">>");
        index_of(p, depth + 1, 7);
        put(p, ")");
        break;
    case 4: /* the divisor is never 0 */
        put(p, "(");
        expression(p, depth + 1, t);
        put(p, " %s ", chance(p, 50) ? "/" : "%");
        if (chance(p, 50))
            put(p, "%u)", 1u << pick(p, 5) | pick(p, 2));
        else {
            put(p, "((");
            expression(p, depth + 1, t);
            put(p, " & 31) | 1))");
        }
        break;
    case 5: binary(p, depth, (enum type)pick(p, TYPES), order[pick(p, 6)], false); break;
    case 6: binary(p, depth, t, chance(p, 50) ? "&&" : "||", false); break;
    case 7:
        put(p, "(");
        expression(p, depth + 1, UINT);
        put(p, " ? ");
        expression(p, depth + 1, t);
        put(p, " : ");
        expression(p, depth + 1, t);
        put(p, ")");
        break;
    case 8:
        put(p, "(%s", chance(p, 50) ? "~" : "!");
        expression(p, depth + 1, t);
        put(p, ")");
        break;
    case 9:
        put(p, "(%s)", type_name[t = (enum type)pick(p, TYPES)]);
        expression(p, depth + 1, t);
        break;
    case 10:
        if (!p->functions) {
            leaf(p, depth, t);
            break;
        }
        put(p, "f%u(", pick(p, p->functions));
        expression(p, depth + 1, INT);
        put(p, ", ");
        expression(p, depth + 1, INT);
        put(p, ", in, id)");
        break;
    default: leaf(p, depth, t);
    }
}

static const struct program_variable *assignable(struct program *p) {
    for (;;) {
        const struct program_variable *v = &p->vars[pick(p, p->nvars)];
        if (!v->counter) return v;
    }
}

static void assignment(struct program *p) {
    static const char *const pairs[] = {"xy", "zw", "xw", "yx", "wz"};
    const struct program_variable *v = assignable(p);
    switch (pick(p, 12)) {
    case 0:
        put(p, "v4.%s = v4.%s ^ (int2)(", pairs[pick(p, 5)], pairs[pick(p, 5)]);
        expression(p, 2, INT);
        put(p, ", ");
        expression(p, 2, INT);
        put(p, ");\n");
        break;
    case 1:
        put(p, "v4 = (v4 %s (int4)(", chance(p, 50) ? "<" : "==");
        expression(p, 2, INT);
        put(p, ")) ^ v4;\n");
        break;
    case 2:
    case 3:
        put(p, "a8[");
        index_of(p, 2, 7);
        put(p, "] %s ", chance(p, 50) ? "=" : "^=");
        expression(p, 1, INT);
        put(p, ";\n");
        break;
    case 4:
        put(p, "st.a[");
        index_of(p, 2, 3);
        put(p, "] = ");
        expression(p, 1, SHORT);
        put(p, "; st.b ^= st.a[%u];\n", pick(p, 4));
        break;
    case 5:
        put(p, "{ int *q = &a8[");
        index_of(p, 2, 7);
        put(p, "]; *q = (int)((uint)*q + (");
        expression(p, 1, UINT);
        put(p, ")); x%u ^= (%s)*q; }\n", v->number, type_name[v->type]);
        break;
    case 6: put(p, "x%u%s;\n", v->number, chance(p, 50) ? "++" : "--"); break;
    case 7:
    case 8:
        put(p, "x%u %c= ", v->number, "|&^"[pick(p, 3)]);
        expression(p, 0, (enum type)pick(p, TYPES));
        put(p, ";\n");
        break;
    default:
        put(p, "x%u = ", v->number);
        expression(p, 0, v->type);
        put(p, ";\n");
    }
}

static void statement(struct program *p);

static void block(struct program *p, unsigned statements) {
    unsigned nvars = p->nvars;
    put(p, "{\n");
    if (chance(p, 40) && p->nvars < MAX_VARS - 2) {
        enum type t = (enum type)pick(p, TYPES);
        put(p, "%s x%u = ", type_name[t], p->next);
        expression(p, 1, t);
        put(p, ";\n");
        p->vars[p->nvars++] = (struct program_variable){p->next++, t, false};
    }
    while (statements--) statement(p);
    put(p, "}\n");
    p->nvars = nvars;
}

static void bound(struct program *p) {
    if (chance(p, 60))
        put(p, "%u", 2 + pick(p, 4));
    else {
        put(p, "(int)");
        index_of(p, 2, 3);
    }
}

static void loop(struct program *p) {
    unsigned c = p->next++, switches = p->switches, kind = pick(p, 4);
    p->switches = 0;
    p->loops++;
    p->vars[p->nvars++] = (struct program_variable){c, INT, true};
    if (kind < 2) {
        put(p, "for (int x%u = 0; x%u < ", c, c);
        bound(p);
        put(p, "; x%u++) ", c);
        block(p, 1 + pick(p, 3));
    } else {
        put(p, "{ int x%u = 0; %s", c, kind == 2 ? "while (x" : "do ");
        if (kind == 2) {
            put(p, "%u++ < ", c);
            bound(p);
            put(p, ") ");
        }
        block(p, 1 + pick(p, 3));
        if (kind == 3) {
            put(p, "while (++x%u < ", c);
            bound(p);
            put(p, ");\n");
        }
        put(p, "}\n");
    }
    p->nvars--;
    p->loops--;
    p->switches = switches;
}

static void choice(struct program *p) {
    unsigned seen = 0, n = 1 + pick(p, 6);
    bool defaulted = false;
    put(p, "switch (");
    index_of(p, 0, 7);
    put(p, ") {\n");
    p->switches++;
    while (n--) {
        unsigned c = pick(p, 8);
        if (!defaulted && chance(p, 15)) {
            put(p, "default:\n");
            defaulted = true;
        } else if (seen >> c & 1) {
            continue;
        } else {
            put(p, "case %u:\n", c);
            seen |= 1u << c;
        }
        if (chance(p, 80)) block(p, 1 + pick(p, 2));
        if (chance(p, 65)) put(p, "break;\n");
    }
    put(p, ";\n}\n");
    p->switches--;
}

static void condition(struct program *p, const char *then) {
    put(p, "if (");
    expression(p, 1, UINT);
    put(p, ") %s", then);
}

/* Forward, backward, and into a nested statement; backward ones end after few iterations. */
static void jump(struct program *p) {
    unsigned label = p->labels++, kind = pick(p, 3);
    char go[32];
    snprintf(go, sizeof go, "goto L%u;\n", label);
    if (kind == 0) {
        condition(p, go);
        assignment(p);
        assignment(p);
        put(p, "L%u:;\n", label);
    } else if (kind == 1) {
        put(p, "L%u:;\n", label);
        assignment(p);
        put(p, "if (iterations++ < 20) ");
        condition(p, go);
    } else {
        condition(p, go);
        condition(p, "{\n");
        assignment(p);
        put(p, "L%u:;\n", label);
        assignment(p);
        put(p, "if (iterations++ < 20) ");
        condition(p, go);
        put(p, "}\n");
    }
}

static void statement(struct program *p) {
    unsigned c = pick(p, 100);
    p->depth++;
    if (p->depth > MAX_DEPTH || p->length > LONG_TEXT || p->nvars > MAX_VARS - 4 || c < 40) {
        assignment(p);
    } else if (c < 58) {
        condition(p, "");
        block(p, 1 + pick(p, 3));
        if (chance(p, 50)) {
            put(p, "else ");
            block(p, 1 + pick(p, 3));
        }
    } else if (c < 74) {
        loop(p);
    } else if (c < 84) {
        choice(p);
    } else if (c < 90 && p->loops) {
        condition(p, p->switches || chance(p, 50) ? "break;\n" : "continue;\n");
    } else if (c < 93 && p->in_function) {
        condition(p, "return x0;\n");
    } else if (c < 97) {
        jump(p);
    } else {
        assignment(p);
    }
    p->depth--;
}

static void locals(struct program *p) {
    put(p, "int4 v4 = (int4)(id, 1, 2, 3);\nint a8[8] = {1, 2, 3, 4, 5};\n"
           "state st = {{1, 2, 3, 4}, 5};\nint iterations = 0;\n");
}

static void function(struct program *p) {
    p->in_function = true;
    p->nvars = 0;
    p->next = 0;
    put(p, "int f%u(int x0, int x1, __global const uint *in, uint id) {\n", p->functions);
    locals(p);
    for (; p->next < 2; p->next++)
        p->vars[p->nvars++] = (struct program_variable){p->next, INT, false};
    for (unsigned n = 2 + pick(p, 4); n; n--) statement(p);
    put(p, "return x0 ^ x1 ^ a8[3] ^ v4.x ^ st.b ^ st.a[2];\n}\n");
    p->functions++;
    p->in_function = false;
}

char *lower_program_random(unsigned seed) {
    struct program p = {.random = seed * 0x9e3779b97f4a7c15u + 1};
    put(&p, "typedef struct { short a[4]; int b; } state;\n");
    for (unsigned n = pick(&p, 3); n; n--) function(&p);
    put(&p, "__kernel void k(__global uint *out, __global const uint *in) {\n"
            "uint id = get_global_id(0);\n");
    locals(&p);
    p.nvars = 0;
    p.next = 0;
    for (unsigned t = 0; t < TYPES; t++, p.next++) {
        put(&p, "%s x%u = (%s)in[id + %u];\n", type_name[t], p.next, type_name[t], t);
        p.vars[p.nvars++] = (struct program_variable){p.next, (enum type)t, false};
    }
    for (unsigned n = 4 + pick(&p, 6); n; n--) statement(&p);
    put(&p, "uint h = 0;\nfor (int i = 0; i < 8; i++) h = h * 31 + a8[i];\n");
    put(&p, "out[id * 4] = x0 ^ x1 * 3u ^ x2 * 5u ^ x3 * 7u ^ x4 * 9u ^ x5 * 11u;\n"
            "out[id * 4 + 1] = h + st.b + st.a[0] * 7 + st.a[3];\n"
            "out[id * 4 + 2] = v4.x ^ v4.y * 3u ^ v4.z * 5u ^ v4.w * 7u;\n"
            "out[id * 4 + 3] = (uint)(x6 >> 32) ^ (uint)x6 ^ (uint)(x7 >> 29);\n}\n");
    if (!p.overflow) return p.text;
    free(p.text);
    return NULL;
}
