/* What the files of isa/ share and nobody else needs. */
#ifndef SIMTCL_ISA_PRIVATE_H
#define SIMTCL_ISA_PRIVATE_H

#include "vars.h"

/* Makes room for `need` elements in *array, doubling; false: no memory, or more than 2^31. */
bool isa_grow(void **array, uint32_t *capacity, uint64_t need, size_t element);
/* Appends a copy of bytes (any but NUL) to a list of strings; the caller has not shared it before.
 */
bool isa_push_string(char ***list, uint32_t *count, const char *bytes, size_t length);

/* Verify by parts, so that the parser can name the line. *inst: the culprit, ~0u when it is none.
 */
bool isa_verify_data(const struct isa_module *m, struct isa_error *error);
bool isa_verify_kernel(const struct isa_module *m, struct isa_kernel *k, struct isa_error *error,
                       uint32_t *inst);
/* The calls and the sites of a kernel whose instructions are good. *inst: the culprit or ~0u;
 * `reason` says what is wrong. */
bool isa_sites_check(const struct isa_module *m, const struct isa_kernel *k, uint32_t *inst,
                     const char **reason);
void isa_sites_free(struct isa_kernel *k);
bool isa_variables_copy(struct isa_kernel *to, const struct isa_kernel *from);
void isa_variables_free(struct isa_kernel *k);
/* What is wrong with the variables; NULL: nothing. */
const char *isa_variables_check(const struct isa_module *m, const struct isa_kernel *k);
/* The same of types, variables and the notes of them. */
bool isa_vars_check(const struct isa_module *m, const struct isa_kernel *k, uint32_t *inst,
                    const char **reason);
void isa_vars_free(struct isa_kernel *k);
bool isa_verify_names(const struct isa_module *m, struct isa_error *error);

/* ---- words and numbers of the text form ---- */
#define ISA_TEXT_HEADER "simtcl-ir"
enum { ISA_TEXT_VERSION = 2 }; /* version 1 has no sites; it is still read */
extern const char *const isa_rounding_name[ISA_ROUNDING_COUNT];
extern const char *const isa_dim_name[ISA_DIM_COUNT];
extern const char *const isa_image_info_name[ISA_IMAGE_INFO_COUNT];
extern const char *const isa_param_kind_name[ISA_PARAM_KIND_COUNT];
enum { ISA_FENCE_BITS = 4, ISA_QUAL_BITS = 3, ISA_ACCESS_COUNT = 4 };
extern const char *const isa_fence_name[ISA_FENCE_BITS];
enum { ISA_COUNT_BITS = 3 };
extern const char *const isa_count_name[ISA_COUNT_BITS]; /* of enum isa_count */
extern const char *const isa_qual_name[ISA_QUAL_BITS];
extern const char *const isa_access_name[ISA_ACCESS_COUNT]; /* NULL for none */

#endif
