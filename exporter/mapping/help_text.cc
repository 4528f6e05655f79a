#include "exporter/mapping/help_text.h"

#include <cstddef>
#include <string_view>

namespace winperf {
namespace {

constexpr std::size_t kMaximumHelpBytes = 400;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// On one line, single spaces, cut between characters.
std::string one_line(std::string_view text) {
  std::string line;
  bool space = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) {
      space = !line.empty();
      continue;
    }
    if (line.size() >= kMaximumHelpBytes && !is_continuation(c)) return line + "...";
    if (space) line += ' ';
    space = false;
    line += c;
  }
  return line;
}

// Where it is kept: a title index, or the GUID of a V2 counterset, and the counter in there. A log
// has only names.
std::string place_of(const CountersetSchema& schema, const CounterSchema& counter) {
  if (schema.path == CounterPath::kLog) return std::string(name_of(schema.path));
  return (schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index))) + '/' +
         std::to_string(value_of(counter.index));
}

std::string with_origin(std::string text, std::string_view what, const CountersetSchema& schema,
                        const CounterSchema& counter, CounterType type) {
  if (!text.empty()) text += ' ';
  text += '[';
  text += what;
  text += one_line(schema.name) + '\\' + one_line(counter.name) + ", " + to_string(type) + ", " +
          place_of(schema, counter) + ']';
  return text;
}

}  // namespace

std::string help_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return with_origin(one_line(counter.help), "", schema, counter, counter.type);
}

std::string base_help_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return with_origin("What the metric of the same name without _base is divided by.", "base of ",
                     schema, counter, counter.base_type);
}

std::string displayed_help_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return with_origin(
      "The number that perfmon displays between the last two samples. " + one_line(counter.help),
      "", schema, counter, counter.type);
}

}  // namespace winperf
