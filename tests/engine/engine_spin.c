/* Which kernels may wait for another work-item in a loop. */
#include "device/analysis/spin.h"

#include <string.h>

#include "run.h"

#define HEAD                                                                                       \
    "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"                                              \
    ".param \"out\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"                           \
    ".param_bytes 4\n.local_bytes 64\n.private_bytes 32\n{\nld.param.i32 %i0, [0]\n"

static const struct sample {
    const char *name, *body;
    bool may;
} samples[] = {
    {"a lock",
     "loop\natom_xchg.global.i32 %i1, [%i0], 1\neq.i32 %p2, %i1, 0\nbreakif %p2, 0\nendloop\n",
     true},
    {"a flag",
     "loop\nld.global.volatile.i32 %i1, [%i0]\nne.i32 %p2, %i1, 0\nbreakif %p2, 0\nendloop\n",
     true},
    {"a flag that is read once",
     "ld.global.volatile.i32 %i1, [%i0]\nloop\nsub.i32 %i1, %i1, 1\nle_s.i32 %p2, %i1, 0\n"
     "breakif %p2, 0\nendloop\n",
     false},
    {"a choice",
     "mov.i32 %i3, 0\nloop\nne.i32 %p4, %i3, 0\nbreakif %p4, 0\natom_add.global.i32 %i1, [%i0], 1\n"
     "eq.i32 %p2, %i1, 7\nselect.i32 %i3, %p2, 1, %i3\nendloop\n",
     true},
    {"by way of a branch",
     "mov.i32 %i3, 0\nloop\nne.i32 %p4, %i3, 0\nbreakif %p4, 0\natom_add.global.i32 %i1, [%i0], 1\n"
     "eq.i32 %p2, %i1, 7\nif %p2\nmov.i32 %i3, 1\nendif\nendloop\n",
     true},
    {"by way of memory",
     "loop\nld.private.i32 %i3, [16]\nne.i32 %p4, %i3, 0\nbreakif %p4, 0\n"
     "atom_add.global.i32 %i1, [%i0], 1\nst.private.i32 [16], %i1\nendloop\n",
     true},
    {"a place from a counter",
     "mov.i32 %i3, 9\nloop\nle_s.i32 %p4, %i3, 0\nbreakif %p4, 0\nsub.i32 %i3, %i3, 1\n"
     "atom_add.global.i32 %i1, [%i0], 4\nadd.i32 %i2, %i0, %i1\nst.global.i32 [%i2], "
     "%i3\nendloop\n",
     false},
    {"sums in volatile memory",
     "mov.i32 %i3, 8\nlocaladdr %i5, 0\nloop\nle_s.i32 %p4, %i3, 0\nbreakif %p4, 0\n"
     "ld.local.volatile.i32 %i1, [%i5]\nadd.i32 %i1, %i1, 1\nst.local.volatile.i32 [%i5], %i1\n"
     "shr_s.i32 %i3, %i3, 1\nendloop\n",
     false},
};

/* All kernels of a file that are named so, and no other one. */
static void check_file(const char *name) {
    static char text[1 << 20];
    FILE *f = fopen(name, "r");
    CHECK(f, "%s", name);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    struct isa_module *m = run_parse(text);
    for (uint32_t n = 0; n < m->nkernels; n++) {
        const struct isa_kernel *k = m->kernels[n];
        CHECK(spin_may(k) == !strncmp(k->name, "waits_", 6), "%s", k->name);
    }
    isa_module_free(m);
}

int main(int argc, char **argv) {
    for (int n = 1; n < argc; n++) check_file(argv[n]);
    for (size_t n = 0; n < sizeof samples / sizeof *samples; n++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s}\n", HEAD, samples[n].body);
        struct isa_module *m = run_parse(text);
        CHECK(spin_may(m->kernels[0]) == samples[n].may, "%s", samples[n].name);
        isa_module_free(m);
    }
    return 0;
}
