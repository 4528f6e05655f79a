#include "collectors/base/kept_text.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

#include "collectors/base/ascii.h"

namespace winperf {

const char* kept_text(std::string_view text, const char* otherwise) {
  constexpr std::size_t kMaxKept = 256;
  static std::mutex mutex;
  static std::set<std::string, std::less<>> all;
  if (!std::ranges::all_of(text, is_printable_ascii)) return otherwise;
  const std::lock_guard lock(mutex);
  auto found = all.find(text);
  if (found == all.end()) {
    if (all.size() >= kMaxKept) return otherwise;
    found = all.emplace(text).first;
  }
  return found->c_str();
}

}  // namespace winperf
