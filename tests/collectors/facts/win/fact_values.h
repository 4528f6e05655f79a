// What tests ask of a row. Thread rule: any thread.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <variant>

#include "collectors/facts/fact_table.h"

namespace winperf {

// Not a number, which equals nothing, if it isn't known or is a text.
inline double number_of(const FactRow& row, std::string_view field) {
  const FactValue* const value = row.find(field);
  const bool is_number = value != nullptr && std::holds_alternative<double>(*value);
  return is_number ? std::get<double>(*value) : std::numeric_limits<double>::quiet_NaN();
}

// The row with this text in the field, or null.
inline const FactRow* row_with(const FactTable& table, std::string_view field,
                               std::string_view text) {
  for (const FactRow& row : table.rows)
    if (row.text_of(field) == text) return &row;
  return nullptr;
}

// No field is an empty text or not a number: such ones are absent.
inline bool says_only_what_is_known(const FactTable& table) {
  for (const FactRow& row : table.rows) {
    if (row.fields().empty()) return false;
    for (const auto& [name, value] : row.fields()) {
      if (name.empty() || row.text_of(name).empty()) return false;
      if (std::holds_alternative<double>(value) && !std::isfinite(std::get<double>(value)))
        return false;
    }
  }
  return true;
}

}  // namespace winperf
