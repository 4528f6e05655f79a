// The pieces of a JSON text. They are written directly, because a page may have 10^5 values, and a
// tree of them would take many times the memory of the text. Source: RFC 8259. The output is always
// valid UTF-8. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "collectors/model/clock.h"
#include "exporter/text/page_format.h"

namespace winperf::json {

// Quoted and escaped.
void append_string(std::string& out, std::string_view text);
// The shortest text that reads back as the same number; null for NaN and infinities, which JSON
// lacks.
void append_number(std::string& out, double value);
// "2007-08-14T15:41:38.6148066Z" in quotes; null outside the years 1601 to 9999.
void append_time(std::string& out, Ticks100ns time);

// A flag, a number, a time, a text, what describe() says, or null for one of them that is missing.
template <class Value>
void append_value(std::string& out, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_same_v<Value, double>) {
    append_number(out, value);
  } else if constexpr (std::is_integral_v<Value>) {
    winperf::append_number(out, std::uint64_t{value});
  } else if constexpr (std::is_same_v<Value, Ticks100ns>) {
    append_time(out, value);
  } else if constexpr (requires { value.has_value(); }) {
    value ? append_value(out, *value) : void(out += "null");
  } else if constexpr (requires { describe(value); }) {
    append_string(out, describe(value));
  } else {
    append_string(out, value);
  }
}

// `name`: as it is written, with what stands around it: ",\"count\":".
template <class Value>
void append_field(std::string& out, std::string_view name, const Value& value) {
  out += name;
  append_value(out, value);
}

// With commas between them.
void append_list(std::string& out, const auto& items, const auto& append) {
  bool is_first = true;
  for (const auto& item : items) {
    if (!std::exchange(is_first, false)) out += ',';
    append(out, item);
  }
}

}  // namespace winperf::json
