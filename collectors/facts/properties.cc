#include "collectors/facts/properties.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

const std::pair<std::string, FactValue>* find_property(const FactRow& row, std::string_view name) {
  const auto found = std::ranges::find_if(
      row.fields(), [name](const auto& field) { return equal_names(field.first, name); });
  return found == row.fields().end() ? nullptr : &*found;
}

}  // namespace

const FactValue* property(const FactRow& row, std::string_view name) {
  const auto* const found = find_property(row, name);
  return found == nullptr ? nullptr : &found->second;
}

void copy_property(const FactRow& from, std::string_view name, FactRow& to,
                   std::string_view field) {
  const FactValue* const value = property(from, name);
  if (value == nullptr) return;
  if (const auto* const number = std::get_if<double>(value))
    to.number(field, *number);
  else
    to.text(field, std::get<std::string>(*value));
}

void copy_as_text(const FactRow& from, std::string_view name, FactRow& to, std::string_view field) {
  if (const auto* const found = find_property(from, name))
    to.text(field, from.text_of(found->first));
}

}  // namespace winperf
