// Whether the objects of a reply can be told apart. Thread rule: any thread.
#pragma once

#include "collectors/sources/source.h"

namespace winperf {

// False if a block can't be parsed, or an object's lengths hide those behind it. What an object
// contains is its own affair.
[[nodiscard]] bool is_sound(const Reply& reply);

}  // namespace winperf
