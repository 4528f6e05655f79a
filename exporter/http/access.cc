#include "exporter/http/access.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

// As the configuration calls it.
std::string_view name_of(Area area) {
  switch (area) {
    case Area::kHealth:
      return "health";
    case Area::kMetrics:
      return "metrics";
    case Area::kApi:
      return "api";
    case Area::kPage:
      return "page";
  }
  std::unreachable();
}

// "localhost" of "localhost:10182", "::1" of "[::1]:10182", without the dot at the end of a name.
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
  std::string_view host = authority.substr(0, authority.find(':'));
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

// An address can't be given to somebody else, as a name can. Browsers write IPv4 addresses as four
// numbers, whatever was typed, and no name ends with a number.
bool is_address(std::string_view authority) {
  if (authority.starts_with('[')) return true;
  const std::string_view host = host_of(authority);
  return !host.empty() &&
         std::ranges::all_of(host, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

bool is_ours(std::string_view authority, const AccessRules& rules) {
  // Only what isn't a browser sends no host.
  if (authority.empty() || is_address(authority)) return true;
  const std::string_view host = host_of(authority);
  return equal_names(host, "localhost") || std::ranges::any_of(rules.hosts, [&](const auto& name) {
           return equal_names(host, host_of(name));
         });
}

std::string_view without_default_port(std::string_view authority) {
  if (authority.ends_with(":80")) authority.remove_suffix(3);
  return authority;
}

bool is_same_origin(std::string_view origin, std::string_view host) {
  const std::size_t scheme_end = origin.find("://");
  return scheme_end != std::string_view::npos &&
         equal_names(without_default_port(origin.substr(scheme_end + 3)),
                     without_default_port(host));
}

// Following a link to this server is not reading it: the other site doesn't see the answer.
bool is_from_other_site(const Visitor& visitor) {
  if (visitor.origin) return !is_same_origin(*visitor.origin, visitor.host);
  const bool is_elsewhere = visitor.fetch_site == "cross-site" || visitor.fetch_site == "same-site";
  return is_elsewhere && visitor.fetch_mode != "navigate";
}

bool is_served(Area area, const AccessRules& rules, const Visitor& visitor) {
  if (rules.serve) return std::ranges::find(*rules.serve, area) != rules.serve->end();
  return area == Area::kMetrics || (visitor.is_local && !visitor.is_forwarded);
}

// With the value of the key that opens it as well.
std::string not_served(Area area, std::string_view path, const AccessRules& rules,
                       const Visitor& visitor) {
  const std::string name(name_of(area));
  const std::string what(path);
  if (rules.serve)
    return what + " is not served at this address; to serve it, add " + name + " to listen.serve";
  const std::string why = visitor.is_local ? ", and a proxy sent this request" : "";
  return what + " is only for this machine" + why +
         "; to serve it to everyone who reaches this address, set listen.serve to [metrics, " +
         name + "]";
}

}  // namespace

std::optional<std::string> why_refused(Area area, std::string_view path, const AccessRules& rules,
                                       const Visitor& visitor) {
  if (area == Area::kHealth) return std::nullopt;
  if (!is_served(area, rules, visitor)) return not_served(area, path, rules, visitor);
  if (area == Area::kMetrics) return std::nullopt;
  if (!is_ours(visitor.host, rules))
    return "this machine is not known as " + std::string(host_of(visitor.host)) +
           "; if that is one of its names, add it to listen.hosts";
  if (is_from_other_site(visitor)) return "pages of other sites can't use " + std::string(path);
  return std::nullopt;
}

}  // namespace winperf
