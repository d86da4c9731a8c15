/* The registers of a kernel of many blocks, more than the compiler's memory would hold sets of all
 * its registers for. */
#include <stdio.h>
#include <stdlib.h>

#include "../device/test.h"

#include "device/gpu/registers.h"

enum { VALUES = 17000, BRANCHES = 140000, LIVE = 40 };

/* Each value is written in one branch and read some branches later. */
static struct isa_module *many_blocks(void) {
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    fprintf(f, "simtcl-ir 2\n.kernel \"k\"\n");
    fprintf(f, ".param \"o\" \"int*\" global offset 0 size 4 align 4 pointee 4\n.param_bytes 4\n");
    fprintf(f, ".regs %d\n", VALUES + 2);
    for (int i = 0; i < BRANCHES; i++) fprintf(f, ".site %d branch 0 1 1 \"\"\n", i + 1);
    fprintf(f, ".site %d store global 4x1 0 1 1 \"\"\n", BRANCHES + 1);
    fprintf(f, "{\nld.param.i32 %%i0, [0]\nlt_s.i32 %%p1, 3, %%i0\n");
    for (int i = 0; i < BRANCHES; i++)
        fprintf(f, "if.predicated %%p1 @%d\nadd.i32 %%i%d, %%i%d, %%i0\nendif\n", i + 1,
                2 + i % VALUES, 2 + (i + VALUES - LIVE) % VALUES);
    fprintf(f, "st.global.i32 [%%i0], %%i2 @%d\n}\n", BRANCHES + 1);
    fclose(f);
    struct isa_error error = {0};
    struct isa_module *m = isa_parse(text, length, &error);
    if (!m) fprintf(stderr, "%s\n", error.text);
    free(text);
    return m;
}

int main(void) {
    struct gpu_resources r;
    struct isa_module *m = many_blocks();
    CHECK(m);
    CHECK(gpu_resources_find(m->kernels[0], &r));
    fprintf(stderr, "%u registers\n", r.registers);
    CHECK(r.registers >= LIVE);
    isa_module_free(m);
    return 0;
}
