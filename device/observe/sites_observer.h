/* The first observer: how often each site ran. */
#ifndef SIMTCL_SITES_OBSERVER_H
#define SIMTCL_SITES_OBSERVER_H

#include "observer.h"

extern const struct observer sites_observer;

#endif
