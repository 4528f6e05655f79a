#include "service/selftest/names_in_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kShortest = 3;
// Names of accounts and domains that every Windows has.
constexpr std::array<std::string_view, 12> kHarmless{
    "administrator", "default", "defaultaccount", "guest", "local service", "network service",
    "public",        "system",  "workgroup",      "root",  "users",         "localhost"};

bool is_name_part(char c) { return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const bool joins_before = begin > 0 && is_name_part(text[begin - 1]) && is_name_part(text[begin]);
  const bool joins_after =
      end < text.size() && is_name_part(text[end]) && is_name_part(text[end - 1]);
  return !joins_before && !joins_after;
}

}  // namespace

NamesInText::NamesInText(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::string& name : names_) name = ascii_lower(name);
  std::erase_if(names_, [](const std::string& name) {
    return name.size() < kShortest || std::ranges::find(kHarmless, name) != kHarmless.end();
  });
  std::ranges::sort(names_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::string NamesInText::replaced(std::string_view text) const {
  const std::string lower = ascii_lower(text);
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  const auto name_at = [&](std::size_t place) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (lower.compare(place, names_[i].size(), names_[i]) == 0 &&
          stands_alone(text, place, place + names_[i].size()))
        return i;
    return std::nullopt;
  };
  while (at < text.size()) {
    if (const auto found = name_at(at)) {
      out += "name-" + std::to_string(*found + 1);
      at += names_[*found].size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace winperf::selftest
