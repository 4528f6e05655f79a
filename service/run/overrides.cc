#include "service/run/overrides.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "config/hosts.h"
#include "config/options.h"

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
  // Choosing another address must not remove TLS or passwords.
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

std::expected<LoadedConfig, std::string> with_overrides(LoadedConfig loaded,
                                                        const Overrides& overrides,
                                                        const ReadFile& read) {
  Config& config = loaded.config;
  if (!overrides.listen.empty()) {
    std::vector<ListenConfig> listen;
    for (const std::string& text : overrides.listen) {
      auto where = parse_listen(text, config.listen);
      if (!where) return std::unexpected(where.error());
      listen.push_back(*std::move(where));
    }
    config.listen = std::move(listen);
  }
  if (!overrides.web_config_file.empty()) {
    for (ListenConfig& where : config.listen) where.web_file = overrides.web_config_file;
  }
  if (!overrides.telemetry_path.empty()) {
    if (const auto problem = metrics_path_problem(overrides.telemetry_path))
      return std::unexpected("--web.telemetry-path " + *problem);
    config.metrics.path = overrides.telemetry_path;
  }
  if (overrides.no_exporter_metrics) config.metrics.exporter = false;
  if (overrides.max_requests)
    config.limits.max_requests =
        *overrides.max_requests == 0 ? kMostRequests : *overrides.max_requests;
  auto used = read_web_files(std::move(loaded), read);
  if (!used) return std::unexpected(describe(used.error()));
  return *std::move(used);
}

std::vector<std::string> web_files(const Config& config) {
  std::vector<std::string> files;
  for (const ListenConfig& where : config.listen) {
    const TlsConfig& tls = where.web.tls;
    for (const std::string& file :
         {where.web_file, tls.certificate.file, tls.key.file, tls.client_ca.file})
      if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
  }
  return files;
}

}  // namespace winperf
