#include "config/migration/migrate.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "config/config.h"
#include "config/host_port.h"
#include "config/migration/entries.h"
#include "config/migration/selection.h"
#include "config/migration/settings.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

// Settings that don't affect what is sampled, and what to do about each.
struct Unmatched {
  std::string_view key;
  std::string_view note;
};
constexpr Unmatched kUnmatched[] = {
    {"web.config.file",
     "TLS and passwords have no counterpart yet: put a reverse proxy in front, or listen on "
     "127.0.0.1"},
    {"web.disable-exporter-metrics", "the exporter's own metrics can't be turned off"},
    {"telemetry.path", "metrics are at /metrics: change metrics_path in Prometheus' configuration"},
    {"scrape.timeout-margin",
     "a scrape shows the latest sample without waiting, so it needs no timeout; "
     "limits.query_timeout limits a query"},
    {"debug.enabled", "this program has no profiling endpoint"},
    {"process.priority", "this program doesn't change its priority: set it from outside if needed"},
    {"process.memory-limit",
     "limits.max_reply_bytes limits one reply; the process as a whole has no limit"},
    {"config.file", "this file was not read: name it with --from-windows-exporter"},
};

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
      progress.note(setting.place + ": the address " + as_json(value) + " was left out: " + why);
    }
  }
  if (objects.empty()) {
    progress.note(setting.place +
                  ": no address is left, so the result has every interface and port 9182");
    objects.push_back(listen_object(kUsualAddress));
  }
  return objects;
}

std::string listen_section(Progress& progress) {
  const Setting* setting = progress.use("web.listen-address");
  // Older versions call it that.
  if (const Setting* const old = progress.use("telemetry.addr"); setting == nullptr) setting = old;
  const std::vector<std::string> objects = setting == nullptr
                                               ? std::vector{listen_object(kUsualAddress)}
                                               : listen_objects(*setting, progress);
  const bool one = objects.size() == 1;
  return std::string("  // windows_exporter's port") + (one ? "" : "s") +
         ", so Prometheus needs no change; only one of the two programs can use " +
         (one ? "it" : "them") + " at a time.\n  " + listen_key(objects) + ",\n";
}

std::expected<std::string, std::string> log_section(Progress& progress) {
  static constexpr std::string_view kStreams[] = {"stdout", "stderr", "eventlog"};
  std::string keys;
  for (const std::string_view key : {"log.level", "log.format", "log.file"}) {
    const Setting* const setting = progress.use(key);
    if (setting == nullptr) continue;
    std::string value = setting->values.back();
    if (key == "log.file" && std::ranges::find(kStreams, value) != std::end(kStreams)) {
      if (value != "stderr")
        progress.note(setting->place +
                      ": messages go to standard error, or to the event log if the program runs "
                      "as a service");
      continue;
    }
    if (key == "log.level") value = ascii_lower(value);
    if (key == "log.format") value = value == "json" ? "json" : "text";
    const std::string line = std::string(key.substr(4)) + ": " + as_json(value);
    if (const std::string wrong = wrong_with("log: {" + line + '}'); !wrong.empty())
      return std::unexpected(setting->place + ": " + wrong);
    keys += (keys.empty() ? "" : ", ") + line;
  }
  return keys.empty() ? "" : "  log: {" + keys + "},\n";
}

// Why a setting was not used, and what to do about that.
std::string why_unused(const Setting& setting, const Enabled& enabled) {
  const auto known = std::ranges::find(kUnmatched, setting.key, &Unmatched::key);
  if (known != std::end(kUnmatched)) return std::string(known->note);
  const std::vector<std::string> parts = split(setting.key, '.');
  const bool of_collector =
      parts.size() > 2 && parts[0] == "collector" && find_collector(parts[1]) != nullptr;
  if (!of_collector) return "this setting is unknown";
  if (std::ranges::find(enabled.names, parts[1]) == enabled.names.end())
    return "the collector " + parts[1] + " is not enabled";
  return "this option has no counterpart; the collector's objects are sampled without it";
}

void note_unused(const Enabled& enabled, Progress& progress) {
  for (const Setting* const setting : progress.unused()) {
    if (setting->key == "telemetry.path" && setting->values.back() == "/metrics") continue;
    progress.lose(setting->place + ": " + why_unused(*setting, enabled));
  }
}

// The error if there is nothing to sample: what is known so far, then this.
std::string nothing_to_sample(const Progress& progress) {
  std::string lines;
  for (const std::string& one : progress.notes()) lines += one + '\n';
  return lines +
         "none of the enabled collectors reads performance counters that this program knows, so "
         "there is nothing to sample: enable one that does, such as cpu";
}

std::string file_text(const std::string& counts, const std::string& sections,
                      const std::vector<Entry>& entries, const std::vector<std::string>& notes) {
  std::string text =
      "// Made from windows_exporter's configuration by \"winperf_exporter config migrate\". "
      "Metric names differ.\n// Collectors migrated: " +
      counts + ".\n{\n" + sections + "  countersets: [\n";
  for (const Entry& entry : entries) text += "    " + text_of(entry) + '\n';
  text += "  ],\n}\n";
  if (!notes.empty()) text += "// What has no counterpart, and other notes:\n";
  for (const std::string& one : notes) text += "// - " + one + '\n';
  return text;
}

}  // namespace

std::expected<Migrated, std::string> migrate(const Settings& settings) {
  Progress progress(settings);
  const std::string listen = listen_section(progress);
  const auto log = log_section(progress);
  if (!log) return std::unexpected(log.error());
  const Enabled enabled = enabled_collectors(progress);
  const auto selected = select(enabled, progress);
  if (!selected) return std::unexpected(selected.error());
  note_unused(enabled, progress);
  if (selected->entries.empty()) return std::unexpected(nothing_to_sample(progress));

  std::string counts =
      std::to_string(selected->collectors) + " of " + std::to_string(enabled.names.size());
  if (progress.lost() != 0)
    counts += "; settings without a counterpart: " + std::to_string(progress.lost());
  std::string text = file_text(counts, listen + *log, selected->entries, progress.notes());
  if (const auto config = parse_config(text, "the result"); !config)
    return std::unexpected(describe(config.error().front()));
  const bool complete = selected->collectors == enabled.names.size() && progress.lost() == 0;
  return Migrated{.text = std::move(text),
                  .notes = progress.notes(),
                  .summary = "collectors migrated: " + counts,
                  .complete = complete};
}

}  // namespace winperf::migration
