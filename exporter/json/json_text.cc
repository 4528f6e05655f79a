#include "exporter/json/json_text.h"

#include <chrono>
#include <cmath>

#include "collectors/base/hex.h"
#include "collectors/base/utf8.h"
#include "exporter/text/exposition.h"

namespace winperf::json {
namespace {

void append_padded(std::string& out, std::uint64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

void append_control(std::string& out, unsigned char c) {
  out += "\\u00";
  out += hex_digit(c >> 4U);
  out += hex_digit(c);
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
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

void append_number(std::string& out, std::uint64_t value) { winperf::append_number(out, value); }

void append_number(std::string& out, double value) {
  if (std::isfinite(value)) {
    winperf::append_number(out, value);
  } else {
    out += "null";
  }
}

void append_time(std::string& out, Ticks100ns time) {
  constexpr std::int64_t kDay = 864'000'000'000;
  if (time.ticks < 0) {
    out += "null";
    return;
  }
  const std::int64_t since_1970 = time.ticks / kDay - kUnixEpoch100ns / kDay;
  const std::chrono::sys_days day{std::chrono::days{static_cast<int>(since_1970)}};
  const std::chrono::year_month_day date{day};
  const int year = static_cast<int>(date.year());
  if (year > 9999) {
    out += "null";
    return;
  }
  const auto ticks = static_cast<std::uint64_t>(time.ticks % kDay);
  const std::uint64_t seconds = ticks / 10'000'000;
  out += '"';
  append_padded(out, static_cast<std::uint64_t>(year), 4);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  append_padded(out, seconds / 3600, 2);
  out += ':';
  append_padded(out, seconds / 60 % 60, 2);
  out += ':';
  append_padded(out, seconds % 60, 2);
  out += '.';
  append_padded(out, ticks % 10'000'000, 7);
  out += "Z\"";
}

}  // namespace winperf::json
