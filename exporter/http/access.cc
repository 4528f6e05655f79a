#include "exporter/http/access.h"

#include <algorithm>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

// As the configuration calls it.
std::string_view name_of(Area area) {
  constexpr std::string_view kNames[] = {"health", "metrics", "api", "page"};
  return kNames[static_cast<std::size_t>(area)];
}

std::string_view without_dot(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  return name;
}

// "localhost" of "localhost.:10182", "[::1]" of "[::1]:10182"; empty if more than a port follows.
std::string_view host_of(std::string_view authority) {
  const std::size_t bracket = authority.find(']');
  const std::size_t end = bracket == std::string_view::npos ? authority.find(':') : bracket + 1;
  const std::string_view port = authority.substr(std::min(end, authority.size()));
  if (!port.empty() &&
      (port.front() != ':' || port.find_first_not_of("0123456789", 1) != std::string_view::npos))
    return {};
  return without_dot(authority.substr(0, end));
}

// Another site can't take over an address, as it can a name. Browsers always write IPv4 addresses
// as four numbers, and no name ends with a number.
bool is_address(std::string_view host) {
  const bool is_ipv6 = host.starts_with('[') && host.ends_with(']');
  if (is_ipv6) host = host.substr(1, host.size() - 2);
  const std::string_view known = is_ipv6 ? "0123456789abcdefABCDEF:." : "0123456789.";
  return !host.empty() && host.find_first_not_of(known) == std::string_view::npos;
}

bool is_ours(std::string_view authority, const AccessRules& rules) {
  // Browsers always send a host.
  if (authority.empty()) return true;
  const std::string_view host = host_of(authority);
  return is_address(host) || equal_names(host, "localhost") ||
         std::ranges::any_of(rules.hosts, [&](const auto& name) {
           return !host.empty() && equal_names(host, without_dot(name));
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
  if (!visitor.fetch_site) return false;
  const std::string& site = *visitor.fetch_site;
  if (equal_names(site, "same-origin") || equal_names(site, "none")) return false;
  return !visitor.only_reads || visitor.fetch_mode != "navigate";
}

bool is_served(Area area, const AccessRules& rules, const Visitor& visitor) {
  if (rules.serve) return std::ranges::find(*rules.serve, area) != rules.serve->end();
  return area == Area::kMetrics || (visitor.is_local && !visitor.is_forwarded);
}

// Includes the value of the key that would open it.
std::string not_served(Area area, std::string_view path, const AccessRules& rules,
                       const Visitor& visitor) {
  const std::string name(name_of(area));
  const std::string what(path);
  if (rules.serve)
    return what + " is not served at this address; to serve it, add " + name + " to listen.serve";
  const std::string why = visitor.is_local ? ", and this request came through a proxy" : "";
  return what + " is served to this machine only" + why +
         "; to serve it to every client, list all areas that this address should serve in "
         "listen.serve, such as [metrics, " +
         name + "]";
}

}  // namespace

bool is_listed_origin(const AccessRules& rules, const Visitor& visitor) {
  return visitor.origin && std::ranges::find(rules.origins, *visitor.origin) != rules.origins.end();
}

std::optional<std::string> why_refused(Area area, std::string_view path, const AccessRules& rules,
                                       const Visitor& visitor) {
  if (area == Area::kHealth) return std::nullopt;
  if (!is_served(area, rules, visitor)) return not_served(area, path, rules, visitor);
  if (area == Area::kMetrics) return std::nullopt;
  if (!is_ours(visitor.host, rules)) {
    const std::string host(host_of(visitor.host));
    return "unknown host name \"" + (host.empty() ? visitor.host : host) +
           "\"; if this machine has that name, add it to listen.hosts";
  }
  if (area == Area::kApi && visitor.only_reads && is_listed_origin(rules, visitor))
    return std::nullopt;
  if (is_from_other_site(visitor)) return "pages of other sites cannot use " + std::string(path);
  return std::nullopt;
}

}  // namespace winperf
