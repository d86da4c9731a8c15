/* C expressions over the variables of one lane: what `print` shows and what conditions of
 * breakpoints are. Private to device/debug. */
#ifndef SIMTCL_CEXPRESSION_H
#define SIMTCL_CEXPRESSION_H

#include "lanevalue.h"

/* Evaluates the text for the lane that `at` names: variables, numbers, [] . -> & * and C's
 * operators without assignments and casts; get_global_id(n) and its like; lane, warp where no
 * variable is called so. Nothing is changed. False: `why`. */
bool cexpression_value(const struct lanevalue_view *at, const char *text, struct lanevalue *v,
                       char why[160]);

#endif
