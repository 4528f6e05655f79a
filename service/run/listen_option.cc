#include "service/run/listen_option.h"

#include <algorithm>
#include <charconv>

#include "config/host_port.h"

namespace winperf {
namespace {

constexpr char kAnyAddress[] = "::";

}  // namespace

std::expected<ListenConfig, std::string> parse_listen(std::string_view text,
                                                      const std::vector<ListenConfig>& configured) {
  const auto parts = split_host_port(text);
  ListenConfig where{.address = parts && !parts->host.empty() ? parts->host : kAnyAddress};
  const std::string port = parts ? parts->port : "";
  const auto [stopped, error] = std::from_chars(port.data(), port.data() + port.size(), where.port);
  if (error != std::errc() || stopped != port.data() + port.size() || !is_host(where.address))
    return std::unexpected(
        "--listen must be ADDRESS:PORT, such as 127.0.0.1:10182 or [::1]:10182, not \"" +
        std::string(text) + '"');
  const auto same = std::ranges::find(configured, where.address, &ListenConfig::address);
  if (same != configured.end()) {
    where.serve = same->serve;
    where.hosts = same->hosts;
  }
  // Nobody should lose TLS or a password by choosing another address.
  if (!configured.empty()) {
    const ListenConfig& protecting =
        same != configured.end()
            ? *same
            : *std::ranges::max_element(configured, {}, [](const ListenConfig& one) {
                return (one.web.has_tls() ? 1 : 0) + (one.web.users.empty() ? 0 : 1);
              });
    where.web_file = protecting.web_file;
    where.web = protecting.web;
  }
  return where;
}

}  // namespace winperf
