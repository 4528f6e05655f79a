#include "service/run/overrides.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "config/document.h"
#include "config/hosts.h"
#include "config/options.h"

namespace winperf {
namespace {

constexpr char kAnyAddress[] = "::";

// With the keys of another address.
void copy_settings(const Settings& from, const std::string& prefix, const std::string& new_prefix,
                   bool is_web, Settings& to) {
  for (const Setting& setting : from) {
    if (!setting.key.starts_with(prefix)) continue;
    const std::string rest = setting.key.substr(prefix.size());
    if (rest == "address" || rest == "port" || rest.starts_with("web") != is_web) continue;
    to.push_back(setting);
    to.back().key = new_prefix + rest;
  }
}

// The addresses are those of the command line; parse_listen() takes the rest from the file.
void override_listen(Settings& settings, const std::vector<ListenConfig>& configured,
                     const std::vector<ListenConfig>& listen) {
  const auto prefix_of = [](std::size_t i) { return "listen[" + std::to_string(i) + "]."; };
  const Settings of_file = settings;
  remove_settings(settings, "listen");
  for (std::size_t i = 0; i < listen.size(); ++i) {
    const ListenConfig& where = listen[i];
    const auto same = std::ranges::find(configured, where.address, &ListenConfig::address);
    const auto protecting = std::ranges::find_if(configured, [&](const ListenConfig& one) {
      return one.web_file == where.web_file && one.web == where.web;
    });
    override_setting(settings, prefix_of(i) + "address", as_json(where.address), "--listen");
    override_setting(settings, prefix_of(i) + "port", std::to_string(where.port), "--listen");
    const auto copy = [&](auto from, bool is_web) {
      if (from != configured.end())
        copy_settings(of_file, prefix_of(static_cast<std::size_t>(from - configured.begin())),
                      prefix_of(i), is_web, settings);
    };
    copy(same, false);
    copy(protecting, true);
  }
}

// All but the addresses.
void note_overrides(Settings& settings, const Overrides& overrides) {
  if (!overrides.telemetry_path.empty())
    override_setting(settings, "metrics.path", as_json(overrides.telemetry_path),
                     "--web.telemetry-path");
  if (overrides.no_exporter_metrics)
    override_setting(settings, "metrics.exporter", "false", "--web.disable-exporter-metrics");
  if (overrides.max_requests)
    override_setting(
        settings, "limits.max_requests",
        std::to_string(*overrides.max_requests == 0 ? kMostRequests : *overrides.max_requests),
        "--web.max-requests");
}

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
    where.cors = same->cors;
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
  note_overrides(loaded.settings, overrides);
  if (!overrides.listen.empty()) {
    std::vector<ListenConfig> listen;
    for (const std::string& text : overrides.listen) {
      auto where = parse_listen(text, config.listen);
      if (!where) return std::unexpected(where.error());
      listen.push_back(*std::move(where));
    }
    override_listen(loaded.settings, config.listen, listen);
    config.listen = std::move(listen);
  }
  if (!overrides.web_config_file.empty()) {
    for (std::size_t i = 0; i < config.listen.size(); ++i) {
      config.listen[i].web_file = overrides.web_config_file;
      remove_settings(loaded.settings, "listen[" + std::to_string(i) + "].web");
      override_setting(loaded.settings, "listen[" + std::to_string(i) + "].web_config_file",
                       as_json(overrides.web_config_file), "--web.config.file");
    }
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
