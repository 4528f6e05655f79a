/* mingw-w64's wdm.h and the part that it lacks. */
#pragma once

#include <ddk/wdm.h>

#include "pcw.h"
