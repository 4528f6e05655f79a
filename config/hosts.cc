#include "config/hosts.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/machine_name.h"
#include "config/options.h"
#include "config/quantity.h"

namespace winperf {
namespace {

// Text with a colon, or of digits and dots alone, can't be a host name: then it must be an IPv4 or
// IPv6 address.
bool is_address_or_name(std::string_view text) {
  if (text.find(':') != std::string_view::npos) {
    const std::string_view digits = text.substr(0, text.find('%'));
    return std::ranges::count(digits, ':') >= 2 &&
           digits.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  if (text.find_first_not_of("0123456789.") != std::string_view::npos) return true;
  const auto is_byte = [](const auto part) {
    return parse_integer(std::string_view(part)).value_or(256) <= 255;
  };
  return std::ranges::count(text, '.') == 3 &&
         std::ranges::all_of(std::views::split(text, '.'), is_byte);
}

// A wildcard matches within one label of a name, so that it can't match another domain.
bool is_inside_a_part(char c) { return c != '.' && c != ':'; }

}  // namespace

bool is_host(std::string_view text) {
  // Names that aren't ASCII are written as xn--... in DNS.
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
  return !text.empty() && std::cmp_less_equal(text.size(), kMaxHostBytes) && is_ascii &&
         text.find_first_of("/[]*\"'@?#,;\\") == std::string_view::npos && is_address_or_name(text);
}

std::optional<HostPort> split_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || !parse_integer(text.substr(colon + 1))) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  // Only an IPv6 address has colons, and only that is in brackets.
  if (is_bracketed != host.contains(':') || host.find_first_of("[]") != host.npos)
    return std::nullopt;
  return HostPort{.host = std::string(host), .port = std::string(text.substr(colon + 1))};
}

bool is_host_pattern(std::string_view host) {
  return host.find_first_of("*?") != std::string_view::npos;
}

bool matches_host(std::string_view pattern, std::string_view name) {
  // The last * that was passed, and where its match ends so far; only that * is backtracked to.
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
  // Settings that don't concern the target, such as the log, keep their defaults.
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
