#include "config/targets.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/machine_name.h"

namespace winperf {
namespace {

// What a pattern may stand for: a part of a name, so that nobody else's domain is meant.
bool is_inside_a_part(char c) { return c != '.' && c != ':'; }

}  // namespace

bool is_host_pattern(std::string_view host) {
  return host.find_first_of("*?") != std::string_view::npos;
}

bool matches_host(std::string_view pattern, std::string_view name) {
  // The last * that was passed, and where its text ends so far: nothing before it is tried again.
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  while (n < name.size()) {
    const bool is_same = p < pattern.size() && pattern[p] != '*' &&
                         ((pattern[p] == '?' && is_inside_a_part(name[n])) ||
                          ascii_lower(pattern[p]) == ascii_lower(name[n]));
    if (is_same) {
      ++p;
      ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (star != std::string_view::npos && is_inside_a_part(name[resume])) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string host_key(std::string_view name) {
  if (name.starts_with("\\\\")) name.remove_prefix(2);
  if (name.ends_with('.')) name.remove_suffix(1);
  return ascii_lower(name);
}

std::optional<std::string> why_no_target_name(std::string_view name) {
  if (name.starts_with('\\')) return "it has a backslash before it";
  std::string without_patterns(name);
  std::ranges::replace_if(without_patterns, [](char c) { return c == '*' || c == '?'; }, 'a');
  auto checked = machine_name(without_patterns);
  return checked ? std::nullopt : std::optional(std::move(checked.error()));
}

Config config_of(const Config& config, const TargetConfig& target) {
  // What the machine has nothing to do with, such as the log, stays as it is without a file.
  Config own;
  own.metrics = config.metrics;
  own.limits = config.limits;
  own.workers = config.workers;
  own.interval = target.interval;
  own.stale_after = target.stale_after;
  own.path = target.path;
  own.language = target.language;
  own.collect = target.collect;
  own.countersets = target.countersets;
  return own;
}

}  // namespace winperf
