#include "config/migration/migrate.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/collectors.h"
#include "config/config.h"
#include "config/document.h"
#include "config/hosts.h"
#include "config/migration/command_words.h"
#include "config/migration/selection.h"

namespace winperf::migration {
namespace {

// Why this program refuses a part of a configuration; empty if it doesn't.
std::string wrong_with(const std::string& part) {
  const auto config = parse_config(part, "");
  return config ? "" : config.error().front().message;
}

// False if this program refuses the converted setting: then the setting is lost.
bool takes(const std::string& part, const Setting& setting, Progress& progress) {
  const std::string wrong = wrong_with(part);
  if (!wrong.empty()) progress.lose(setting.place + ": " + wrong);
  return wrong.empty();
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
    return "this program cannot listen on it";
  if (objects.size() == kMaxAddresses)
    return "this program listens on up to " + std::to_string(kMaxAddresses) + " addresses";
  std::vector<std::string> all = objects;
  all.push_back(object);
  return wrong_with(listen_key(all)).empty() ? "" : "it is the same as another one, or overlaps it";
}

// The addresses that this program can use; the others are reported as lost.
std::vector<std::string> listen_objects(const Setting& setting, Progress& progress) {
  std::vector<std::string> objects;
  for (const std::string& value : setting.values) {
    const std::string object = listen_object(value);
    const std::string why = why_left_out(objects, object);
    if (why.empty())
      objects.push_back(object);
    else
      progress.lose(setting.place + ": the address " + as_json(value) + " was left out: " + why);
  }
  if (objects.empty()) {
    progress.note(setting.place +
                  ": no address is left, so the result listens on every interface at port 9182");
    objects.push_back(listen_object(kUsualAddress));
  }
  return objects;
}

// The file of TLS and passwords, which is the same for both programs; empty if there is none.
std::string web_file(Progress& progress) {
  const Setting* const setting = progress.use("web.config.file");
  if (setting == nullptr || setting->values.back().empty()) return "";
  const std::string& file = setting->values.back();
  if (!takes("listen: {web_config_file: " + as_json(file) + '}', *setting, progress)) return "";
  progress.note(setting->place +
                ": relative paths start at the folder of the new configuration, and the service "
                "account must be able to read this file and the files that it names: icacls " +
                quoted_path(file) + " /grant \"NT SERVICE\\winperf_exporter:R\"");
  return file;
}

// "level: \"debug\"", or nothing for the default.
std::string log_key(std::string_view key, const Setting& setting, Progress& progress) {
  std::string value = setting.values.back();
  if (key == "log.file" && (value == "stderr" || value == "eventlog" || value.empty())) return "";
  if (key == "log.file" && value == "stdout") {
    progress.note(setting.place +
                  ": messages are written to standard error instead, and to the event log if the "
                  "program runs as a service");
    return "";
  }
  if (key == "log.level") value = ascii_lower(value);
  if (key == "log.level" && (value == "fatal" || value == "panic")) value = "error";
  // Older versions: "logger:eventlog?name=windows_exporter&json=true".
  if (key == "log.format") value = value == "json" || value.contains("json=true") ? "json" : "text";
  std::string line = std::string(key.substr(4)) + ": " + as_json(value);
  return takes("log: {" + line + '}', setting, progress) ? line : "";
}

// The parts of the result that don't select what to sample: addresses, paths and the log. Each
// consists of whole lines that this program accepts.

// With windows_exporter's names, so that dashboards keep working.
std::string metrics_section(Progress& progress) {
  std::string keys =
      "profiles: [\"windows_exporter\", \"windows_exporter_legacy\"], detail: \"full\"";
  const auto add = [&](const std::string& key) { keys += ", " + key; };
  // Older versions use the first name.
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
  // Older versions use the second name.
  const Setting* const setting = progress.use_any({"web.listen-address", "telemetry.addr"});
  if (const Setting* const older = progress.use("telemetry.addr");
      older != nullptr && older != setting)
    progress.note(older->place + ": ignored in favour of " + setting->place);
  std::vector<std::string> objects = setting == nullptr ? std::vector{listen_object(kUsualAddress)}
                                                        : listen_objects(*setting, progress);
  for (std::string& object : objects) object = protected_object(std::move(object), web);
  const bool one = objects.size() == 1;
  return std::string("  # windows_exporter's port") + (one ? "" : "s") +
         ", so Prometheus needs no change; only one of the two programs can use " +
         (one ? "it" : "them") + " at a time.\n  " + listen_key(objects) + ",\n";
}

// Empty if no setting concerns it.
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

// From an old option that limited concurrent scrapes.
std::string limits_section(Progress& progress) {
  const Setting* const setting = progress.use("telemetry.max-requests");
  if (setting == nullptr) return "";
  const std::string& value = setting->values.back();
  if (value == "0") {
    progress.note(setting->place + ": limits.max_requests keeps its default, because " +
                  "pending requests are always limited");
    return "";
  }
  const bool is_number = value.find_first_not_of("0123456789") == value.npos;
  const std::string line = "limits: {max_requests: " + (is_number ? value : as_json(value)) + '}';
  return takes(line, *setting, progress) ? "  " + line + ",\n" : "";
}

// A setting that doesn't affect what is read, and its remedy.
struct Leftover {
  std::string_view key;
  std::string_view text;
  bool is_loss = true;
  std::string_view default_value = "";  // with which nothing is lost or reported
};
constexpr Leftover kLeftovers[] = {
    {"scrape.timeout-margin",
     "not needed, because a scrape shows the latest sample without waiting", false},
    {"scrape.max-duration", "not needed, because a scrape shows the latest sample without waiting",
     false},
    {"debug.enabled", "there is no profiling endpoint", false, "false"},
    {"process.priority",
     "the priority is not changed: if needed, set CpuPriorityClass under Image File Execution "
     "Options",
     false, "normal"},
    {"process.memory-limit",
     "limits.max_reply_bytes and workers.max_memory limit the memory instead", false},
    {"web.systemd-socket", "Windows has no systemd sockets", false, "false"},
    {"config.file", "this file was not read; name it with --from-windows-exporter"},
    {"config.file.insecure-skip-verify", "only local files are read", false, "false"},
    {"collectors.print", "it has no effect here", false, "false"},
    {"version", "it has no effect here", false, "false"},
    {"help", "it has no effect here", false, "false"},
    {"collector.process.counter-version",
     "the object Process is read; add \"Process V2\" to countersets for the newer one", false, "1"},
    {"collector.process.iis",
     "worker processes keep the name w3wp: the collector iis shows them by application pool", false,
     "false"},
    {"collector.process.cmdline", "the collector process is not enabled", false},
    {"collector.service.use-api", "services are always read without WMI", false},
    {"collector.service.v2", "metrics of services have the names of all versions", false},
    {"collectors.exchange.list", "it has no effect here", false},
    {"collector.mssql.class-print", "it has no effect here", false},
    {"collectors.mssql.class-print", "it has no effect here", false},
    {"config", "if this is a file of values for Helm, save the text of its \"config\" as a file"},
};

void lose_unknown(const Setting& setting, Progress& progress) {
  progress.lose(setting.place + ": this setting is unknown, so it was left out" +
                hint_at(meant_key(setting.key)));
}

void explain_option(const Setting& setting, const std::vector<std::string>& enabled,
                    Progress& progress) {
  const std::vector<std::string> parts = split(setting.key, '.');
  const bool is_option = parts.size() > 2 && (parts[0] == "collector" || parts[0] == "collectors");
  const Collector* const collector = is_option ? find_collector(parts[1]) : nullptr;
  const bool is_enabled = is_option && std::ranges::find(enabled, parts[1]) != enabled.end();
  const std::string meant = is_option ? meant_key(setting.key) : "";
  const bool is_misplaced = is_option && (collector == nullptr || parts[0] == "collectors");
  if (is_misplaced && !meant.empty() && meant != setting.key)
    return lose_unknown(setting, progress);
  if (is_option && !is_enabled)
    return progress.note(setting.place + ": not needed, because the collector " +
                         as_json(parts[1]) + " is not enabled");
  if (is_option && (collector == nullptr || is_missing(*collector)))
    return progress.note(setting.place + ": has no effect without the collector " +
                         as_json(parts[1]));
  if (is_option)
    return progress.lose(setting.place + ": this option has no counterpart and was ignored" +
                         hint_at(meant));
  lose_unknown(setting, progress);
}

// Reports every setting that was not used as a note or a loss. `enabled`: the names of the
// collectors.
void explain_leftovers(const std::vector<std::string>& enabled, Progress& progress) {
  for (const Setting* const setting : progress.unused()) {
    const auto known = std::ranges::find(kLeftovers, setting->key, &Leftover::key);
    if (known == std::end(kLeftovers)) {
      explain_option(*setting, enabled, progress);
      continue;
    }
    if (!known->default_value.empty() && setting->values.back() == known->default_value) continue;
    const std::string text = setting->place + ": " + std::string(known->text);
    known->is_loss ? progress.lose(text) : progress.note(text);
  }
}

std::string collect_key(const std::vector<std::string>& sets) {
  return sets.empty() ? "" : "  collect: [" + joined(sets, ", ", as_json) + "],\n";
}

std::string facts_key(const std::vector<FactEntry>& facts) {
  if (facts.empty()) return "  facts: [],\n";
  std::string lines;
  for (const FactEntry& fact : facts) lines += "    " + text_of(fact) + '\n';
  return "  facts: [\n" + lines + "  ],\n";
}

std::string countersets_key(const Selected& selected) {
  if (selected.entries.empty() && !selected.sets.empty()) return "";
  if (selected.entries.empty() && !selected.facts.empty()) return "  countersets: [],\n";
  if (selected.entries.empty())
    return "  countersets: [\"System\"],  # because a configuration must sample something\n";
  std::string lines;
  for (const Entry& entry : selected.entries) lines += "    " + text_of(entry) + '\n';
  return "  countersets: [\n" + lines + "  ],\n";
}

// What this program refuses, such as two metrics of one name and different types, is lost.
void drop_what_is_refused(Selected& selected, Progress& progress) {
  Selected kept;
  const auto is_good = [&] { return wrong_with('{' + countersets_key(kept) + '}').empty(); };
  for (Entry& entry : selected.entries) {
    Entry bare = entry;
    bare.metrics.clear();
    if (!entry.metrics.empty()) bare.instance_label.clear();
    kept.entries.push_back(bare);
    if (!is_good()) {
      kept.entries.pop_back();
      progress.lose(entry.comment + ": " + as_json(entry.names.front()) +
                    " was left out, because it is not a valid counterset name here");
      continue;
    }
    for (const NamedMetric& metric : entry.metrics) {
      const Entry before = kept.entries.back();
      kept.entries.back().instance_label = entry.instance_label;
      kept.entries.back().metrics.push_back(metric);
      if (is_good()) continue;
      kept.entries.back() = before;
      progress.lose(entry.comment + ": the metric " + as_json(metric.name) + " of the counter " +
                    as_json(metric.counter) +
                    " was left out, because another one has the same name with the same labels or "
                    "another type");
    }
  }
  selected.entries = std::move(kept.entries);
}

std::string notes_of(const Progress& progress, bool is_loss, const std::string& title) {
  std::string lines;
  for (const Message& message : progress.messages())
    if (message.is_loss == is_loss) lines += "# - " + message.text + '\n';
  return lines.empty() ? "" : "# " + title + "\n" + lines;
}

std::string summary_of(const Selected& selected, std::size_t enabled, std::size_t lost) {
  return std::to_string(selected.collectors) + " of " + counted(enabled, "collector") +
         " taken over, " +
         (lost == 0 ? "nothing lost" : std::to_string(lost) + (lost == 1 ? " loss" : " losses"));
}

// The last value of a flag counts, as it does for windows_exporter's own settings.
void note_repetitions(Progress& progress) {
  for (const Setting& setting : progress.settings())
    if (setting.values.size() > 1 && !is_list(setting))
      progress.note(setting.place + ": it is given " + std::to_string(setting.values.size()) +
                    " times; the last value, " + as_json(setting.values.back()) + ", counts");
}

}  // namespace

std::expected<Migrated, std::string> migrate(const Settings& settings,
                                             const std::string& program_folder) {
  Progress progress(settings);
  note_repetitions(progress);
  std::string sections = listen_section(progress);
  sections += metrics_section(progress);
  sections += log_section(progress);
  sections += limits_section(progress);
  const Enabled enabled = enabled_collectors(progress);
  Selected selected = select(enabled, program_folder, progress);
  if (!selected.entries.empty() && !wrong_with('{' + countersets_key(selected) + '}').empty())
    drop_what_is_refused(selected, progress);
  explain_leftovers(enabled.names, progress);

  const std::string summary = summary_of(selected, enabled.names.size(), progress.lost());
  std::string text =
      "# Made from windows_exporter's configuration by \"winperf_exporter config migrate\".\n# " +
      summary + ".\n{\n" + sections + collect_key(selected.sets) + facts_key(selected.facts) +
      countersets_key(selected) + "}\n" + notes_of(progress, true, "Lost:") +
      notes_of(progress, false, "Good to know:");
  if (const auto config = parse_config(text, "the result"); !config)
    return std::unexpected(describe(config.error().front()));
  return Migrated{.text = std::move(text),
                  .messages = progress.messages(),
                  .summary = summary,
                  .complete = progress.lost() == 0};
}

}  // namespace winperf::migration
