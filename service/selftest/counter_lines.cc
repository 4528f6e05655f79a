#include "service/selftest/counter_lines.h"

#include <charconv>
#include <string>
#include <vector>

namespace winperf::selftest {
namespace {

// The fields of a line of which each is in quotation marks; none if it isn't such a line.
std::vector<std::string_view> quoted_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (line.starts_with('"')) {
    const std::size_t end = line.find('"', 1);
    if (end == std::string_view::npos) return {};
    fields.push_back(line.substr(1, end - 1));
    line.remove_prefix(end + 1);
    if (line.empty()) return fields;
    if (!line.starts_with(',')) return {};
    line.remove_prefix(1);
  }
  return {};
}

bool is_reading(std::string_view field) {
  double number = -1;
  const char* const end = field.data() + field.size();
  const auto read = std::from_chars(field.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && number >= 0;
}

}  // namespace

CounterLines counter_lines(std::string_view output) {
  CounterLines lines;
  while (!output.empty()) {
    std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(line.size() + (line.size() < output.size() ? 1 : 0));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto fields = quoted_fields(line);
    if (fields.size() < 2) continue;
    if (fields.front().starts_with("(PDH-CSV")) {
      lines = {.counters = fields.size() - 1};
    } else if (fields.size() == lines.counters + 1) {
      ++lines.readings;
      lines.values = 0;
      for (const std::string_view field : fields) lines.values += is_reading(field) ? 1 : 0;
    }
  }
  return lines;
}

}  // namespace winperf::selftest
