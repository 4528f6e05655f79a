#include "config/migration/sections.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "config/config.h"
#include "config/host_port.h"
#include "config/migration/quoted_path.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

// Why this program refuses a part of a configuration; empty if it doesn't.
std::string wrong_with(const std::string& part) {
  const auto config = parse_config(part, "");
  return config ? "" : config.error().front().message;
}

constexpr std::string_view kUsualAddress = ":9182";

// `value`: HOST:PORT; empty if it isn't that. No host means every interface in both programs.
std::string listen_object(std::string_view value) {
  const auto parts = split_host_port(value);
  if (!parts) return "";
  return "{address: " + as_json(parts->host.empty() ? "::" : parts->host) +
         ", port: " + parts->port + '}';
}

// With the web configuration of every address.
std::string protected_object(std::string object, const std::string& web_file) {
  if (web_file.empty()) return object;
  object.pop_back();
  return object + ", web_config_file: " + as_json(web_file) + '}';
}

std::string listen_key(const std::vector<std::string>& objects) {
  if (objects.size() == 1) return "listen: " + objects.front();
  std::string list;
  for (const std::string& object : objects) list += "\n    " + object + ',';
  return "listen: [" + list + "\n  ]";
}

// Why an address can't be added to these; empty if it can.
std::string why_left_out(const std::vector<std::string>& objects, const std::string& object) {
  if (object.empty() || !wrong_with(listen_key({object})).empty())
    return "this program can't listen on it";
  if (objects.size() == kMaxAddresses)
    return "this program listens on up to " + std::to_string(kMaxAddresses) + " addresses";
  std::vector<std::string> all = objects;
  all.push_back(object);
  return wrong_with(listen_key(all)).empty() ? "" : "it is the same as another one, or overlaps it";
}

// The addresses that this program can use, with a note about each other one.
std::vector<std::string> listen_objects(const Setting& setting, Progress& progress) {
  std::vector<std::string> objects;
  for (const std::string& value : setting.values) {
    const std::string object = listen_object(value);
    const std::string why = why_left_out(objects, object);
    if (why.empty()) {
      objects.push_back(object);
    } else {
      progress.lose(setting.place + ": the address " + as_json(value) + " was left out: " + why);
    }
  }
  if (objects.empty()) {
    progress.note(setting.place +
                  ": no address is left, so the result has every interface and port 9182");
    objects.push_back(listen_object(kUsualAddress));
  }
  return objects;
}

// The file of TLS and passwords, which is the same for both programs; empty if there is none.
std::string web_file(Progress& progress) {
  const Setting* const setting = progress.use("web.config.file");
  if (setting == nullptr || setting->values.back().empty()) return "";
  const std::string& file = setting->values.back();
  const std::string wrong = wrong_with("listen: {web_config_file: " + as_json(file) + '}');
  if (!wrong.empty()) {
    progress.lose(setting->place + ": " + wrong);
    return "";
  }
  progress.note(setting->place +
                ": a relative path starts at the folder of our configuration, and the service's "
                "account must be able to read this file and those that it names: icacls " +
                quoted_path(file) + " /grant \"NT SERVICE\\winperf_exporter:R\"");
  return file;
}

// The words of a format of older versions: "logger:eventlog?name=windows_exporter&json=true".
bool says(const std::string& format, std::string_view what) {
  return format.find(what) != std::string::npos;
}

std::string level_of(std::string value) {
  value = ascii_lower(std::move(value));
  return value == "fatal" || value == "panic" ? "error" : value;
}

// "level: \"debug\"", or nothing if there is nothing to say.
std::string log_key(std::string_view key, const Setting& setting, Progress& progress) {
  static constexpr std::string_view kStreams[] = {"stdout", "stderr", "eventlog"};
  std::string value = setting.values.back();
  if (key == "log.file" && (value == "stderr" || value == "eventlog" || value.empty())) return "";
  if (key == "log.file" && std::ranges::find(kStreams, value) != std::end(kStreams)) {
    progress.note(setting.place +
                  ": messages go to standard error instead, and to the event log if the program "
                  "runs as a service");
    return "";
  }
  if (key == "log.level") value = level_of(std::move(value));
  if (key == "log.format") value = value == "json" || says(value, "json=true") ? "json" : "text";
  std::string line = std::string(key.substr(4)) + ": " + as_json(value);
  const std::string wrong = wrong_with("log: {" + line + '}');
  if (wrong.empty()) return line;
  progress.lose(setting.place + ": " + wrong);
  return "";
}

}  // namespace

// By windows_exporter's names, so that dashboards find them.
std::string metrics_section(Progress& progress) {
  std::string keys = "profiles: [\"windows_exporter\", \"windows_exporter_legacy\"]";
  const auto add = [&](const std::string& key) { keys += ", " + key; };
  // Older versions call it the first.
  for (const std::string_view key : {"telemetry.path", "web.telemetry-path"}) {
    const Setting* const setting = progress.use(key);
    if (setting == nullptr || setting->values.back() == "/metrics") continue;
    const std::string path = "path: " + as_json(setting->values.back());
    if (const std::string wrong = wrong_with("metrics: {" + path + '}'); wrong.empty())
      add(path);
    else
      progress.lose(setting->place + ": metrics are at /metrics instead, because " + wrong);
  }
  const Setting* const none = progress.use("web.disable-exporter-metrics");
  if (none != nullptr && none->values.back() != "false") add("exporter: false");
  return "  metrics: {" + keys + "},\n";
}

std::string listen_section(Progress& progress) {
  const std::string web = web_file(progress);
  // Older versions call it the second.
  const Setting* const setting = progress.use_any({"web.listen-address", "telemetry.addr"});
  if (const Setting* const older = progress.use("telemetry.addr");
      older != nullptr && older != setting)
    progress.note(older->place + ": not used beside " + setting->place);
  std::vector<std::string> objects = setting == nullptr ? std::vector{listen_object(kUsualAddress)}
                                                        : listen_objects(*setting, progress);
  for (std::string& object : objects) object = protected_object(std::move(object), web);
  const bool one = objects.size() == 1;
  return std::string("  # windows_exporter's port") + (one ? "" : "s") +
         ", so Prometheus needs no change; only one of the two programs can use " +
         (one ? "it" : "them") + " at a time.\n  " + listen_key(objects) + ",\n";
}

std::string log_section(Progress& progress) {
  std::string keys;
  for (const std::string_view key : {"log.level", "log.format", "log.file"}) {
    // Versions 0.2x called it logger.
    const Setting* const setting =
        progress.use_any({std::string(key), "logger." + std::string(key.substr(4))});
    if (setting == nullptr) continue;
    const std::string line = log_key(key, *setting, progress);
    if (!line.empty()) keys += (keys.empty() ? "" : ", ") + line;
  }
  return keys.empty() ? "" : "  log: {" + keys + "},\n";
}

std::string limits_section(Progress& progress) {
  const Setting* const setting = progress.use("telemetry.max-requests");
  if (setting == nullptr) return "";
  const std::string& value = setting->values.back();
  if (value == "0") {
    progress.note(setting->place + ": here limits.max_requests stays at its default: " +
                  "requests that wait are always limited");
    return "";
  }
  const bool is_number = value.find_first_not_of("0123456789") == value.npos;
  const std::string line = "limits: {max_requests: " + (is_number ? value : as_json(value)) + '}';
  if (const std::string wrong = wrong_with(line); !wrong.empty()) {
    progress.lose(setting->place + ": " + wrong);
    return "";
  }
  return "  " + line + ",\n";
}

}  // namespace winperf::migration
