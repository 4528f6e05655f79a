// Which names are wanted: lists of regular expressions to include and to exclude.
//
// A pattern must match the whole name, and is case-sensitive unless it says (?i). The dialect is
// PCRE2's, which accepts existing RE2 patterns. A filter accepts a name if any include pattern
// matches (or there is none) and no exclude pattern does. Matching is bounded: a pattern that needs
// too many steps for a name doesn't match it, which the result reports. Thread rule: values; any
// thread may use a const one. Copies share the compiled patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

struct PatternError {
  std::size_t offset = 0;  // bytes from the start of the pattern
  std::string message;
  bool operator==(const PatternError&) const = default;
};

enum class Match : std::uint8_t {
  kYes,
  kNo,
  kLimitReached,  // undecided: too many steps, or the name isn't valid UTF-8
};

// The text that a named group of a pattern has matched.
struct GroupText {
  std::string group;
  std::string text;
  bool operator==(const GroupText&) const = default;
};

struct Capture {
  Match match = Match::kNo;
  std::vector<GroupText> groups{};  // in the pattern's order, without those that matched no text
};

class Pattern {
 public:
  [[nodiscard]] static std::expected<Pattern, PatternError> compile(std::string_view text);

  const std::string& text() const;
  [[nodiscard]] Match match(std::string_view name) const;
  // The names of its named groups, in the pattern's order, each once.
  std::vector<std::string> groups() const;
  [[nodiscard]] Capture capture(std::string_view name) const;

  friend bool operator==(const Pattern& a, const Pattern& b) { return a.text() == b.text(); }

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled);
  std::shared_ptr<const Compiled> compiled_;
};

struct FilterResult {
  bool accepted = false;
  bool limit_reached = false;  // for at least one pattern, which then counts as not matched
  bool operator==(const FilterResult&) const = default;
};

struct Filter {
  std::vector<Pattern> include;  // empty: all
  std::vector<Pattern> exclude;

  // With two names, any of them may be included, and none must be excluded.
  [[nodiscard]] FilterResult check(std::string_view name, std::string_view other_name = {}) const;
  bool accepts_all() const { return include.empty() && exclude.empty(); }
  bool operator==(const Filter&) const = default;
};

// Which part of a filter a provider can apply itself, so that it delivers less. The answers are
// never narrower than the filter, which still decides.

// A case-insensitive pattern of `*` and `?` that matches every name the filter accepts; "*" if its
// expressions can't be expressed so.
std::string wildcard_for(const Filter& filter);

// The only name that the filter accepts, if its pattern is one name without special characters.
std::optional<std::string> only_name(const Filter& filter);

}  // namespace winperf
