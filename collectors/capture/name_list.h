// The names of a capture of recorded samples, as the table that a registry has of them.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf::capture {

class NameList {
 public:
  // The index under which the table has the text: this one or, if that is 0 or has another text,
  // another one. A provider that was installed again may have used an index for both.
  std::uint32_t add(std::uint32_t index, std::string_view text);
  // An index that has no text.
  std::uint32_t reserve();
  // REG_MULTI_SZ in UTF-16LE. `beginning`: its first strings.
  std::vector<std::byte> table(const std::vector<std::string_view>& beginning) const;

 private:
  std::map<std::uint32_t, std::string> texts_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> moved_;
  std::uint32_t next_ = 1'000'000;  // larger than those that Windows gives
};

}  // namespace winperf::capture
