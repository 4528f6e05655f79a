// Text for ever, for what holds a pointer to static text (Error::where) and is known only at run
// time. Thread rule: any thread.
#pragma once

#include <string_view>

namespace winperf {

// One copy of `text` for the life of the process; `otherwise` if it isn't printable ASCII, or if
// there are too many different texts already, since others decide about them.
[[nodiscard]] const char* kept_text(std::string_view text, const char* otherwise);

}  // namespace winperf
