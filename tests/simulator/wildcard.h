// Windows' matching of instance names: `*` is any characters, `?` is one, case does not count.
#pragma once

#include <string_view>

namespace winperf::simulator {

// In time proportional to the product of both lengths at most.
bool matches_wildcard(std::u16string_view pattern, std::u16string_view text);

}  // namespace winperf::simulator
