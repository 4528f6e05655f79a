#include "exporter/profiles/counter_help.h"

#include <algorithm>
#include <string>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

std::string_view sentence_at(const std::string& key) {
  const auto rows = counter_helps();
  const auto found = std::ranges::lower_bound(rows, key, {}, &CounterHelp::key);
  return found != rows.end() && found->key == key ? found->sentence : std::string_view{};
}

}  // namespace

std::string_view counter_help(std::string_view object, std::string_view counter) {
  return sentence_at(ascii_lower(object) + '\\' + ascii_lower(counter));
}

std::string_view parts_help(std::string_view object, std::string_view words) {
  return sentence_at(ascii_lower(object) + "\\\\" + ascii_lower(words));
}

}  // namespace winperf
