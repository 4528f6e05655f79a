// Which names are wanted: lists of regular expressions to include and to exclude.
//
// A pattern must match the whole name, and does so case-sensitively unless it says (?i). The
// dialect is PCRE2's, which takes the RE2 patterns that people bring along. A name is accepted if
// any include pattern matches (or there is none) and no exclude pattern does. Matching is bounded:
// a pattern that needs too many steps on a name does not match it, which is counted.
// Thread rule: any thread. Copies share the compiled patterns and the count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

struct PatternError {
  std::size_t offset = 0;  // bytes from the start of the pattern
  std::string message;
  bool operator==(const PatternError&) const = default;
};

class Pattern {
 public:
  static std::expected<Pattern, PatternError> compile(std::string_view text);

  const std::string& text() const;
  bool matches(std::string_view name) const;
  // How often a match was given up because it took too many steps.
  std::uint64_t abandoned_matches() const;

  friend bool operator==(const Pattern& a, const Pattern& b) { return a.text() == b.text(); }

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled);
  std::shared_ptr<const Compiled> compiled_;
};

struct Filter {
  std::vector<Pattern> include;  // empty: all
  std::vector<Pattern> exclude;

  bool accepts(std::string_view name) const;
  bool accepts_all() const { return include.empty() && exclude.empty(); }
  std::uint64_t abandoned_matches() const;
  bool operator==(const Filter&) const = default;
};

}  // namespace winperf
