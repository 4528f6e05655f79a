#include "service/selftest/names_in_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/capture/scrubber.h"
#include "collectors/wire/text.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kShortest = 3;
// Names of accounts, domains and processes that every Windows has, and the program's own.
constexpr std::array<std::string_view, 40> kHarmless{"administrator",
                                                     "default",
                                                     "defaultaccount",
                                                     "guest",
                                                     "local service",
                                                     "network service",
                                                     "public",
                                                     "system",
                                                     "workgroup",
                                                     "root",
                                                     "users",
                                                     "localhost",
                                                     "registry",
                                                     "idle",
                                                     "secure system",
                                                     "memory compression",
                                                     "services",
                                                     "smss",
                                                     "csrss",
                                                     "wininit",
                                                     "winlogon",
                                                     "lsass",
                                                     "svchost",
                                                     "fontdrvhost",
                                                     "dwm",
                                                     "spoolsv",
                                                     "explorer",
                                                     "conhost",
                                                     "dllhost",
                                                     "taskhostw",
                                                     "sihost",
                                                     "ctfmon",
                                                     "wmiprvse",
                                                     "msmpeng",
                                                     "cmd",
                                                     "powershell",
                                                     "perflib",
                                                     "pdh",
                                                     "counters",
                                                     "winperf_exporter"};

bool is_name_part(char c) { return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const bool joins_before = begin > 0 && is_name_part(text[begin - 1]) && is_name_part(text[begin]);
  const bool joins_after =
      end < text.size() && is_name_part(text[end]) && is_name_part(text[end - 1]);
  return !joins_before && !joins_after;
}

// With as many bytes as the text: a line in which a letter's two cases differ in their bytes has
// only its ASCII letters folded.
std::string folded_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    const std::string_view part = line.empty() ? text : line;
    std::string folded = to_utf8(capture::folded(to_utf16(part)));
    out += folded.size() == part.size() ? std::move(folded) : ascii_lower(part);
    text.remove_prefix(part.size());
  }
  return out;
}

// Names that begin alike are found by it.
std::uint32_t beginning_at(std::string_view lower, std::size_t place) {
  std::uint32_t key = 0;
  for (std::size_t i = 0; i < kShortest; ++i)
    key = key << 8U | static_cast<unsigned char>(lower[place + i]);
  return key;
}

// Machines' and domains' accounts; Entra ID's.
constexpr std::array<std::string_view, 2> kPersonalSids{"S-1-5-21-", "S-1-12-1-"};

// The next one from there; npos: there is none.
std::size_t find_sid(std::string_view text, std::size_t from) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view begin : kPersonalSids)
    first = std::min(first, text.find(begin, from));
  return first;
}

// Where the account's name begins in "by NAME (SID)", if `out` ends before the SID.
std::optional<std::size_t> name_before_sid(std::string_view out) {
  constexpr std::string_view kBy = " by ";
  constexpr std::size_t kLongestAccount = 300;  // a domain's name and an account's
  if (!out.ends_with(" (")) return std::nullopt;
  const std::size_t by = out.rfind(kBy);
  if (by == std::string_view::npos || out.size() - by > kLongestAccount) return std::nullopt;
  const bool is_plain = out.find_first_of("\"\n", by) == std::string_view::npos;
  return is_plain ? std::optional(by + kBy.size()) : std::nullopt;
}

}  // namespace

std::string without_accounts(std::string_view text) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = find_sid(text, 0); at < text.size(); at = find_sid(text, done)) {
    out += text.substr(done, at - done);
    done = std::min(text.find_first_not_of("0123456789-", at + 1), text.size());
    const auto name = name_before_sid(out);
    if (name && done < text.size() && text[done] == ')') {
      out.resize(*name);
      ++done;
    }
    out += "an account";
  }
  return out += text.substr(done);
}

NamesInText::NamesInText(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::string& name : names_) name = folded_text(name);
  std::erase_if(names_, [](const std::string& name) {
    return name.size() < kShortest || std::ranges::find(kHarmless, name) != kHarmless.end();
  });
  std::ranges::sort(names_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  for (std::size_t i = 0; i < names_.size(); ++i)
    by_beginning_[beginning_at(names_[i], 0)].push_back(i);
}

std::string NamesInText::replaced(std::string_view original) const {
  const std::string text = without_accounts(original);
  const std::string lower = folded_text(text);
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  const auto name_at = [&](std::size_t place) -> std::optional<std::size_t> {
    if (lower.size() - place < kShortest) return std::nullopt;
    const auto candidates = by_beginning_.find(beginning_at(lower, place));
    if (candidates == by_beginning_.end()) return std::nullopt;
    for (const std::size_t i : candidates->second)
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
