#include "exporter/profiles/compile/instance_template.h"

#include <algorithm>
#include <array>
#include <vector>

#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

constexpr std::string_view kNoPart =
    "a part of a name is {}, {label}, {label:words}, {label:rdp}, {label:first} or {label:number}, "
    "with text between two of them";
constexpr std::array<std::string_view, 2> kEarlyForms{"first", "number"};
constexpr std::array<std::string_view, 2> kOtherForms{"words", "rdp"};

struct Part {
  std::string_view label;
  std::string_view form;
  bool has_form = false;
  bool is_early() const { return std::ranges::find(kEarlyForms, form) != kEarlyForms.end(); }
};

Part part_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1), true};
}

bool is_part(const Part& part) {
  if (!part.has_form) return part.label.empty() || is_word(part.label);
  return is_word(part.label) &&
         (part.is_early() || std::ranges::find(kOtherForms, part.form) != kOtherForms.end());
}

}  // namespace

std::string wrong_in_template(std::string_view text) {
  if (text.contains("}{")) return std::string(kNoPart);
  bool has_late_part = false;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    if (close == text.npos || text.substr(0, open).contains('}')) return std::string(kNoPart);
    const Part part = part_of(text.substr(open + 1, close - open - 1));
    if (!is_part(part)) return std::string(kNoPart);
    if (part.is_early() && has_late_part)
      return "parts with :first or :number come before all others";
    has_late_part = has_late_part || !part.is_early();
    text.remove_prefix(close + 1);
  }
  return text.contains('}') ? std::string(kNoPart) : std::string();
}

}  // namespace winperf::tables
