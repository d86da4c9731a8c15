// options: -Iinclude
before
#include "one.h"
#include <one.h>
#include "deep/two.h"
#define HEADER <deep/two.h>
#include HEADER
#define QUOTED "given.h"
#include QUOTED
#include "guarded.h"
#include "guarded.h"
#import "one.h"
#import "imported.h"
#import "imported.h"
__FILE__ __LINE__ __INCLUDE_LEVEL__
