#include "usage.h"

#include <stdio.h>

#include "device/gpu/registers.h"

void usage_report(struct diag *d, const struct isa_module *m, unsigned capability) {
    for (uint32_t i = 0; i < m->nkernels; i++) {
        const struct isa_kernel *k = m->kernels[i];
        struct gpu_resources r;
        if (!gpu_resources_find(k, &r)) continue;
        char local[64] = "", constants[32] = "", immediates[32] = "";
        if (r.local_bytes)
            snprintf(local, sizeof local, ", %u+%u bytes lmem", r.local_bytes - r.spill_bytes,
                     r.spill_bytes);
        if (m->data_bytes)
            snprintf(constants, sizeof constants, ", %u bytes cmem[0]", m->data_bytes);
        if (r.constant_bytes)
            snprintf(immediates, sizeof immediates, ", %u bytes cmem[1]", r.constant_bytes);
        diag_text(d, "ptxas info    : Compiling entry function '%s' for 'sm_%u'", k->name,
                  capability);
        diag_text(d, "ptxas info    : Used %u registers%s, %u+%u bytes smem%s%s", r.registers,
                  local, r.shared_bytes - GPU_SHARED_SYSTEM_BYTES, GPU_SHARED_SYSTEM_BYTES,
                  constants, immediates);
    }
}
