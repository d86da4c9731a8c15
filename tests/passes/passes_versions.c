/* Versions of a kernel for whole warps stay marked as such when another pass over it makes a
 * version in one: elsewhere than in whole warps no code is emitted for them. */
#include <stdio.h>
#include <string.h>

#include "device/opt/sized/sized.h"

/* An id of 16 bits, which is evenly spaced in one version, and its quotient in another one there.
 */
static const char text[] = "simtcl-ir 2\n.kernel \"quotient\"\n"
                           ".param \"in\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param \"w\" \"int\" value offset 4 size 4 align 4\n"
                           ".param_bytes 8\n.regs 9\n{\n"
                           "ld.param.i32 %i0, [0]\n"
                           "ld.param.i32 %i1, [4]\n"
                           "special %i2, global_id_x\n"
                           "trunc.i16.i32 %h3, %i2\n"
                           "sext.i32.i16 %i4, %h3\n"
                           "add.i32 %i5, %i0, %i4\n"
                           "ld.global.i32 %i6, [%i5]\n"
                           "div_s.i32 %i7, %i4, %i1\n"
                           "add.i32 %i8, %i0, %i7\n"
                           "st.global.i32 [%i8], %i6\n"
                           "}\n";

int main(void) {
    const struct sized_groups groups = {.size = {64, 1, 1}, .lockstep = 1, .versions = true};
    struct isa_error error;
    struct isa_module *m = isa_parse(text, strlen(text), &error);
    if (!m || !isa_verify(m, &error)) {
        fprintf(stderr, "line %u: %s\n", error.line, error.text);
        return 1;
    }
    struct sized s;
    unsigned of[SIZED_VERSION_WHOLE + 1] = {0};
    bool good = sized_make(&s, m, m->kernels[0], &groups, NULL);
    const uint8_t *versions = sized_versions(&s);
    for (uint32_t n = 0; good && versions && n < s.k->ninsts; n++) of[versions[n]]++;
    if (of[SIZED_VERSION] != 1 || of[SIZED_VERSION_WHOLE] != 1)
        fprintf(stderr, "%u versions, and %u for whole warps; 1 and 1 were to be\n",
                of[SIZED_VERSION], of[SIZED_VERSION_WHOLE]);
    good = of[SIZED_VERSION] == 1 && of[SIZED_VERSION_WHOLE] == 1;
    sized_free(&s);
    isa_module_free(m);
    return !good;
}
