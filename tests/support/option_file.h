// A configuration as JSON, and an option of the table in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winperf::testing {

// `path`: such as "listen.port"; "countersets[].path" is that of the file's first counterset.
inline nlohmann::json with_option(nlohmann::json file, std::string_view path,
                                  const nlohmann::json& value) {
  nlohmann::json* section = &file;
  if (constexpr std::string_view kEntry = "countersets[]."; path.starts_with(kEntry)) {
    section = &file["countersets"][0];
    if (path == "countersets[].except" || path == "countersets[].costly")
      (*section)["name"] = "*";  // only a pattern has it
    // It says what another option does.
    if (path == "countersets[].instances.by") (*section)["instances"]["max"] = 1;
    path.remove_prefix(kEntry.size());
    // The label is that of metrics.
    constexpr std::string_view kMetric = "metrics[].";
    if (path.starts_with(kMetric) || path == "instance_label")
      (*section)["metrics"] = {{{"counter", "a"}, {"name", "m"}}};
    if (path.starts_with(kMetric)) {
      section = &(*section)["metrics"][0];
      path.remove_prefix(kMetric.size());
    }
  }
  // The file reads about services alone, or about text files.
  if (constexpr std::string_view kEntry = "facts[]."; path.starts_with(kEntry)) {
    const bool is_of_files = path == "facts[].folders";
    file["facts"] = {{{"name", is_of_files ? "textfile" : "services"}}};
    section = &file["facts"][0];
    path.remove_prefix(kEntry.size());
  }
  if (constexpr std::string_view kEntry = "targets[]."; path.starts_with(kEntry)) {
    file["targets"] = {{{"host", "srv-1"}}};
    // Values last longer than the interval.
    if (path == "targets[].stale_after") file["targets"][0]["interval"] = "1s";
    section = &file["targets"][0];
    path.remove_prefix(kEntry.size());
  }
  // Only a target can be recorded.
  if (path == "recorder.targets") file["targets"] = {{{"host", "srv-1"}}};
  if (constexpr std::string_view kEntry = "recorder.captures.counters[].";
      path.starts_with(kEntry)) {
    nlohmann::json& counters = file["recorder"]["captures"]["counters"];
    counters = {{{"path", "\\a\\b"}}};
    if (path.ends_with("path")) counters[0]["above"] = 1;
    section = &counters[0];
    path.remove_prefix(kEntry.size());
  }
  // What is protected, or signed, is there as well.
  if (constexpr std::string_view kTls = "listen.web.tls_server_config.";
      path.starts_with(kTls) && value != nlohmann::json("")) {
    nlohmann::json& tls = file["listen"]["web"]["tls_server_config"];
    const std::string_view key = path.substr(kTls.size());
    if (!key.starts_with("cert")) tls["cert_file"] = "server.crt";
    if (!key.starts_with("key")) tls["key_file"] = "server.key";
    if (key == "client_ca" || key == "client_ca_file")
      tls["client_auth_type"] = "RequireAndVerifyClientCert";
  }
  for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
    section = &(*section)[std::string(path.substr(0, dot))];
    path.remove_prefix(dot + 1);
  }
  (*section)[std::string(path)] = value;
  return file;
}

}  // namespace winperf::testing
