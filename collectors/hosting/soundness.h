// Whether the objects of a reply can be told apart, and which they are. Thread rule: any thread.
#pragma once

#include <string_view>

#include "collectors/sources/source.h"

namespace winperf {

// False if a block can't be parsed, or an object's lengths hide those behind it. What an object
// contains is its own affair.
[[nodiscard]] bool is_sound(const Reply& reply);

// Whether a sound reply has the values of each object that a value name lists; false of a value
// name that lists none, such as "Global".
[[nodiscard]] bool has_all_of(const Reply& reply, std::string_view value_name);

}  // namespace winperf
