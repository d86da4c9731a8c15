/* Findings: what checks of kernels (checks.def) found wrong. A check is an observer; what it finds
 * it tells here, from any thread, as often as it happens. One finding is kept for each place
 * (kernel, place in the source, the other party's place, kind), with a count, and of all that
 * happened there the earliest: of the first launch, in it of the first group, in it of the first
 * work-item. So what is told in the end does not depend on which thread ran what. */
#ifndef SIMTCL_FINDING_H
#define SIMTCL_FINDING_H

#include <stdio.h>

#include "device/isa/isa.h"

enum check_kind {
#define CHECK(name, what) CHECK_IS_##name,
#include "checks.def"
    CHECK_KINDS
};

enum check_severity { CHECK_ERROR, CHECK_WARNING, CHECK_NOTE, CHECK_SEVERITIES };

enum check_rule {
#define FINDING(name, check, severity, text) CHECK_##name,
#include "checks.def"
    CHECK_RULES
};

struct check_rule_info {
    const char *name, *text;
    enum check_kind kind;
    enum check_severity severity;
};
extern const struct check_rule_info check_rules[CHECK_RULES];
extern const char *const check_kind_name[CHECK_KINDS];
extern const char *const check_kind_what[CHECK_KINDS];
extern const char *const check_severity_name[CHECK_SEVERITIES];

/* A memory object of the host's. */
struct check_object {
    uint32_t address;            /* in the sandbox; of local memory: in the group's */
    uint64_t bytes;              /* 0: a null pointer */
    uint8_t space;               /* enum isa_space; ISA_NO_SPACE: there is none */
    bool unreadable, unwritable; /* to kernels, by its flags */
    char name[96];               /* "buffer 3, 4096 bytes, created at clCreateBuffer call 7" */
};

struct memory;
struct touched;

/* What the runtime says of a launch; lives as long as that. */
struct check_launch {
    struct memory *memory; /* the context's sandbox */
    uint64_t number;       /* of the process's launches, from 1 */
    const struct isa_module *module;
    uint32_t offset[3];                /* of global ids */
    const struct check_object *params; /* of each parameter; of what is no pointer: no space */
    struct touched *touched; /* what it accesses is marked there; NULL: nobody wants to know */
    uint32_t constants;      /* where the module's constant data lies in the sandbox */
    /* The object of the context that holds the address, or did before it was released; false: none
     * does. Any thread's. */
    bool (*find)(void *user, uint32_t address, struct check_object *object, bool *released);
    /* The text of a line of the module's file (0: the program's source), without its end, at most
     * size - 1 bytes; false: not at hand. */
    bool (*line)(void *user, uint32_t file, uint32_t line, char *text, size_t size);
    void *user;
};

struct check_item {
    uint32_t group[3], local[3], global[3];
};

/* Work-item `lane` of a warp in groups of that size. */
struct check_item check_item_of(const struct check_launch *l, const uint32_t local_size[3],
                                const uint32_t group_id[3], uint32_t warp, uint32_t lane);

/* Who did it, and where. */
struct check_party {
    uint32_t site; /* of the kernel's, + 1; 0: not known, or there is no other party */
    uint32_t line; /* site 0: the line, 0: not known; `file` of the module */
    uint16_t file;
    bool item_known; /* else only the group is */
    struct check_item item;
    char subject[64]; /* "store of 4 bytes"; for the other party "against a load of 4 bytes" */
};

/* All texts may be "". */
struct check_finding {
    enum check_rule rule;
    enum check_severity severity;      /* mostly the rule's: check_rules[] */
    const struct check_launch *launch; /* NULL: of no launch */
    const struct isa_kernel *kernel;   /* the device's; NULL likewise */
    struct check_party party, other;
    uint32_t address, bytes; /* bytes 0: of no memory */
    uint8_t space;
    char object[192]; /* what it is about: "buffer 3, ..., argument `out`" */
    char detail[192]; /* and how: "4 bytes past its end" */
    uint64_t count;   /* so many times; 0 counts as 1 */
    bool again;       /* it may have been told before: struct observe_event.again */
};

/* Told. What is borrowed need not outlive the call. Thread safe; without memory it is left out. */
void check_tell(const struct check_finding *f);

/* Remembers what is wrong only if something else comes: it is told when check_confirm gets the
 * number that this returns; 0: no memory. */
uint64_t check_hold(const struct check_finding *f);
void check_confirm(uint64_t held);

/* Who hears of each finding when it is told, on the thread that tells it; NULL: nobody. Before the
 * first. */
void check_listen(void (*heard)(const struct check_finding *f));
bool check_listened(void); /* is there one? */

/* Suppressions, from a text whose lines are `kinds kernel file:line`, each of which may be * or,
 * from the right on, missing; kinds are rules or checks, with commas; # begins a comment. Besides
 * them a comment `simtcl-check: ignore KINDS` in a line of the source, or the one before, stands
 * for what is found there. False: `why` says which line is wrong. Before the first finding. */
bool check_suppress(const char *text, char why[160]);

bool check_any(enum check_severity at_least); /* something that bad has been told, not suppressed */

/* All of it, in the order of first launches, then of the source: for people; JSON; SARIF 2.1.0. */
void check_write_text(FILE *to);
void check_write_json(FILE *to);
void check_write_sarif(FILE *to);

/* For fork: before it check_lock, behind it check_unlock in both; a child begins anew. */
void check_lock(void);
void check_unlock(void);
void check_forget(void);

#endif
