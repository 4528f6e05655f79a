#include "collectors/facts/refusals.h"

#include <system_error>

#include "collectors/base/system_text.h"

namespace winperf {
namespace {

std::string text_of(std::uint32_t os_code) {
  return system_text({static_cast<int>(os_code), std::system_category()});
}

}  // namespace

std::string refusal_text(std::string_view what, std::uint32_t os_code) {
  return std::string(what) + ": " + text_of(os_code);
}

void Refusals::add(std::uint32_t os_code) {
  if (count_ == 0) first_ = os_code;
  ++count_;
}

void Refusals::report(FactTable& table) const {
  if (count_ == 0) return;
  table.problems.push_back(std::to_string(count_) + ' ' + std::string(what_) +
                           " can't be read, the first because of: " + text_of(first_));
}

}  // namespace winperf
