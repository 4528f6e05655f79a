#include "config/targets.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "config/options.h"

namespace winperf {
namespace {

// What a name of DNS or NetBIOS, an address, or a pattern of names consists of. Letters beyond
// ASCII are left to the system.
bool is_usual(char c) {
  constexpr std::string_view kOthers = ".-_:%*?";
  return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         kOthers.contains(c) || static_cast<unsigned char>(c) >= 0x80;
}

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
  return ascii_lower(name);
}

bool is_target_name(std::string_view name) {
  // One colon separates a port, several are an IPv6 address.
  return !name.empty() && name.size() <= kMaxHostBytes && std::ranges::all_of(name, is_usual) &&
         std::ranges::count(name, ':') != 1;
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
