/* The answer of every clGet*Info: how much room the caller has, where the value goes, and the rules
 * about both (a value that does not fit is CL_INVALID_VALUE; NULL asks for the size alone). */
#ifndef SIMTCL_INFO_H
#define SIMTCL_INFO_H

#include <string.h>

#include "fail.h"

struct info {
    size_t room;      /* param_value_size */
    void *value;      /* param_value, may be NULL */
    size_t *size_ret; /* param_value_size_ret, may be NULL */
    cl_uint query;    /* param_name */
};

struct error info_bytes(struct info out, const void *bytes, size_t size);
struct error info_text(struct info out, const char *text); /* NULL counts as "" */
/* CL_INVALID_VALUE for a query that the object, or the version reported, does not know. Without a
 * reason, so that no log tells of it, when no version up to 1.2 has it: so programs find out what
 * else there is. */
struct error info_unknown(const char *what, cl_uint query);

/* info_of(out, cl_uint, 3): a value of that type. */
#define info_of(out, type, ...) info_bytes(out, &(type){__VA_ARGS__}, sizeof(type))

#endif
