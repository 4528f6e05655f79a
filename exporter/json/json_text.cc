#include "exporter/json/json_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "collectors/base/hex.h"
#include "collectors/base/utf8.h"

namespace winperf::json {
namespace {

void append_control(std::string& out, unsigned char c) {
  out += "\\u00";
  out += hex_digit(c >> 4U);
  out += hex_digit(c);
}

// Most texts have no other characters, so that they are copied in one piece.
constexpr bool is_written_as_it_is(char c) {
  return c != '"' && c != '\\' && c >= 0x20 && static_cast<unsigned char>(c) < 0x80;
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  while (true) {
    const auto plain = static_cast<std::size_t>(
        std::ranges::find_if_not(text, is_written_as_it_is) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Utf8Step step = next_character(text);
    const char c = text.front();
    if (!step.valid) {
      out += kReplacementCharacter;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      append_control(out, static_cast<unsigned char>(c));
    } else {
      out += text.substr(0, step.bytes);
    }
    text.remove_prefix(step.bytes);
  }
  out += '"';
}

void append_number(std::string& out, double value) {
  if (std::isfinite(value)) {
    winperf::append_number(out, value);
  } else {
    out += "null";
  }
}

void append_time(std::string& out, Ticks100ns time) {
  constexpr std::int64_t kSecond = 10'000'000;
  constexpr std::int64_t kDay = 86'400 * kSecond;
  const std::chrono::sys_days day{
      std::chrono::days{static_cast<int>(time.ticks / kDay - kUnixEpoch100ns / kDay)}};
  const std::chrono::year_month_day date{day};
  const int year = static_cast<int>(date.year());
  if (time.ticks < 0 || year > 9999) {
    out += "null";
    return;
  }
  const std::int64_t ticks = time.ticks % kDay;
  const auto seconds = static_cast<int>(ticks / kSecond);
  std::array<char, 64> text;
  const int length = std::snprintf(
      text.data(), text.size(), "\"%04d-%02u-%02uT%02d:%02d:%02d.%07dZ\"", year,
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), seconds / 3600,
      seconds / 60 % 60, seconds % 60, static_cast<int>(ticks % kSecond));
  out.append(text.data(), static_cast<std::size_t>(length));
}

}  // namespace winperf::json
