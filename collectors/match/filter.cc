#include "collectors/match/filter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

constexpr std::size_t kMaxPatternBytes = 1000;

// A name has a few hundred characters at most, and a sensible pattern needs a few steps for each.
constexpr std::uint32_t kMaxMatchSteps = 100'000;
constexpr std::uint32_t kMaxMatchDepth = 10'000;
constexpr std::uint32_t kMaxMatchHeapKib = 4096;

template <auto kFree>
struct FreedBy {
  void operator()(auto* memory) const { kFree(memory); }
};

using Code = std::unique_ptr<pcre2_code, FreedBy<pcre2_code_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, FreedBy<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, FreedBy<pcre2_match_data_free>>;

// Where the two dialects differ, RE2's meaning holds: $ is the very end, and \C is refused.
constexpr std::uint32_t kCompileOptions =
    PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::string message_of(int code) {
  PCRE2_UCHAR buffer[256];
  if (pcre2_get_error_message(code, buffer, sizeof buffer) < 0) return "unknown error";
  return reinterpret_cast<const char*>(buffer);
}

MatchContext bounded_match_context() {
  MatchContext context(pcre2_match_context_create(nullptr));
  if (!context) return context;
  pcre2_set_match_limit(context.get(), kMaxMatchSteps);
  pcre2_set_depth_limit(context.get(), kMaxMatchDepth);
  pcre2_set_heap_limit(context.get(), kMaxMatchHeapKib);
  return context;
}

// A named group, and the number under which PCRE2 has what it matched.
struct Group {
  std::string name;
  std::uint32_t number = 0;
};

std::vector<Group> named_groups(const pcre2_code* code) {
  std::uint32_t count = 0;
  std::uint32_t entry_size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &entry_size);
  pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
  std::vector<Group> groups;
  // An entry is the number, most significant byte first, and the name with its terminator.
  for (std::uint32_t i = 0; i < count; ++i, table += entry_size)
    groups.push_back({.name = reinterpret_cast<const char*>(table + 2),
                      .number = (std::uint32_t{table[0]} << 8U) | table[1]});
  std::ranges::sort(groups, {}, &Group::number);
  return groups;
}

Match outcome_of(int result) {
  if (result >= 0) return Match::kYes;
  return result == PCRE2_ERROR_NOMATCH ? Match::kNo : Match::kLimitReached;
}

}  // namespace

struct Pattern::Compiled {
  std::string text;
  Code code;
  MatchContext context;
  std::vector<Group> groups;  // by number; a name has several numbers after (?J)

  int run(std::string_view name, pcre2_match_data* data) const {
    if (data == nullptr) return PCRE2_ERROR_NOMEMORY;
    return pcre2_match(code.get(), units(name), name.size(), 0, 0, data, context.get());
  }
};

Pattern::Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

std::expected<Pattern, PatternError> Pattern::compile(std::string_view text) {
  if (text.size() > kMaxPatternBytes) {
    return std::unexpected(PatternError{kMaxPatternBytes, "longer than 1000 bytes"});
  }
  int error = 0;
  PCRE2_SIZE error_offset = 0;
  auto compiled = std::make_shared<Compiled>();
  compiled->text = text;
  compiled->code.reset(
      pcre2_compile(units(text), text.size(), kCompileOptions, &error, &error_offset, nullptr));
  if (!compiled->code) {
    return std::unexpected(
        PatternError{std::min<std::size_t>(error_offset, text.size()), message_of(error)});
  }
  compiled->context = bounded_match_context();
  if (!compiled->context) return std::unexpected(PatternError{0, "out of memory"});
  compiled->groups = named_groups(compiled->code.get());
  return Pattern(std::move(compiled));
}

const std::string& Pattern::text() const { return compiled_->text; }

Match Pattern::match(std::string_view name) const {
  const MatchData data(pcre2_match_data_create(1, nullptr));
  return outcome_of(compiled_->run(name, data.get()));
}

std::vector<std::string> Pattern::groups() const {
  std::vector<std::string> names;
  for (const Group& group : compiled_->groups)
    if (std::ranges::find(names, group.name) == names.end()) names.push_back(group.name);
  return names;
}

Capture Pattern::capture(std::string_view name) const {
  const MatchData data(pcre2_match_data_create_from_pattern(compiled_->code.get(), nullptr));
  Capture capture{.match = outcome_of(compiled_->run(name, data.get()))};
  if (capture.match != Match::kYes) return capture;
  const PCRE2_SIZE* const offsets = pcre2_get_ovector_pointer(data.get());
  for (const Group& group : compiled_->groups) {
    const PCRE2_SIZE begin = offsets[2 * group.number];
    const PCRE2_SIZE end = offsets[2 * group.number + 1];
    // \K and lookbehinds can put the end before the beginning.
    if (begin == PCRE2_UNSET || end <= begin || end > name.size()) continue;
    if (std::ranges::find(capture.groups, group.name, &GroupText::group) != capture.groups.end())
      continue;
    capture.groups.push_back(
        {.group = group.name, .text = std::string(name.substr(begin, end - begin))});
  }
  return capture;
}

FilterResult Filter::check(std::string_view name, std::string_view other_name) const {
  FilterResult result;
  const auto matches_one = [&](const Pattern& pattern, std::string_view one) {
    const Match match = pattern.match(one);
    if (match == Match::kLimitReached) result.limit_reached = true;
    return match == Match::kYes;
  };
  const auto matches = [&](const Pattern& pattern) {
    return matches_one(pattern, name) || (!other_name.empty() && matches_one(pattern, other_name));
  };
  result.accepted = std::ranges::none_of(exclude, matches) &&
                    (include.empty() || std::ranges::any_of(include, matches));
  return result;
}

namespace {

constexpr std::string_view kEverything = "*";
constexpr std::string_view kIgnoreCase = "(?i)";
constexpr std::string_view kSpecial = "\\^$.|?*+()[]{}";

bool is_special(char c) { return kSpecial.find(c) != std::string_view::npos; }
bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

// The expression without anchors, which hold anyway.
std::string_view bare(std::string_view expression) {
  if (expression.starts_with(kIgnoreCase)) expression.remove_prefix(kIgnoreCase.size());
  if (expression.starts_with('^')) expression.remove_prefix(1);
  if (expression.ends_with('$') && !expression.ends_with("\\$")) expression.remove_suffix(1);
  return expression;
}

std::optional<std::string> wildcard_of(std::string_view expression) {
  std::string wildcard;
  expression = bare(expression);
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    const char next = i + 1 < expression.size() ? expression[i + 1] : '\0';
    if (c == '.') {
      // One character may be two units of UTF-16, so "?" would be too narrow.
      wildcard += '*';
      if (next == '*' || next == '+') ++i;
    } else if (c == '\\' && is_punctuation(next)) {
      wildcard += next;
      ++i;
    } else if (is_special(c)) {
      return std::nullopt;
    } else {
      wildcard += c;
    }
  }
  if (wildcard.empty()) return std::nullopt;
  return wildcard;
}

}  // namespace

std::string wildcard_for(const Filter& filter) {
  if (filter.include.size() != 1) return std::string(kEverything);
  return wildcard_of(filter.include.front().text()).value_or(std::string(kEverything));
}

std::optional<std::string> only_name(const Filter& filter) {
  if (filter.include.size() != 1 || !filter.exclude.empty()) return std::nullopt;
  const std::string& text = filter.include.front().text();
  if (text.empty() || text.find_first_of(kSpecial) != std::string::npos) return std::nullopt;
  return text;
}

}  // namespace winperf
