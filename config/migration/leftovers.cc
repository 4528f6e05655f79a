#include "config/migration/leftovers.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "config/collectors.h"
#include "config/migration/meant.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

// A setting that affects nothing of what is read, and what to do about it.
struct Leftover {
  std::string_view key;
  std::string_view text;
  bool is_loss = true;
  std::string_view default_value = "";  // with which nothing is lost, and nothing is said
};
constexpr Leftover kLeftovers[] = {
    {"scrape.timeout-margin",
     "not needed, because a scrape shows the latest sample without waiting", false},
    {"scrape.max-duration", "not needed, because a scrape shows the latest sample without waiting",
     false},
    {"debug.enabled", "there is no endpoint for profiles", false, "false"},
    {"process.priority",
     "the priority is not changed: set CpuPriorityClass under Image File Execution Options if it "
     "is needed",
     false, "normal"},
    {"process.memory-limit",
     "limits.max_reply_bytes and workers.max_memory limit the memory instead", false},
    {"web.systemd-socket", "Windows has no such sockets", false, "false"},
    {"config.file", "this file was not read: name it with --from-windows-exporter"},
    {"config.file.insecure-skip-verify", "files are read from disks only", false, "false"},
    {"collectors.print", "it has no effect here", false, "false"},
    {"version", "it has no effect here", false, "false"},
    {"help", "it has no effect here", false, "false"},
    {"collector.process.counter-version",
     "the object Process is read: add \"Process V2\" to countersets for the newer one", false, "1"},
    {"collector.process.iis",
     "worker processes keep the name w3wp: the collector iis shows them by their pools", false,
     "false"},
    {"collector.process.cmdline", "the collector process is not enabled", false},
    {"collector.service.use-api", "services are always read without WMI", false},
    {"collector.service.v2", "services have the names of all versions", false},
    {"collectors.exchange.list", "it has no effect here", false},
    {"collector.mssql.class-print", "it has no effect here", false},
    {"collectors.mssql.class-print", "it has no effect here", false},
    {"config", "if this is a file of values for Helm, save the text of its \"config\" as a file"},
};

void lose_unknown(const Setting& setting, Progress& progress) {
  const std::string meant = meant_key(setting.key);
  progress.lose(setting.place + ": this setting is unknown, so it was left out" +
                (meant.empty() ? "" : ": did you mean " + as_json(meant) + '?'));
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
    return progress.note(setting.place + ": lost with the collector " + as_json(parts[1]));
  if (is_option)
    return progress.lose(setting.place +
                         ": this option has no counterpart, so the collector is read without it" +
                         (meant.empty() ? "" : ": did you mean " + as_json(meant) + '?'));
  lose_unknown(setting, progress);
}

}  // namespace

void explain_leftovers(const std::vector<std::string>& enabled, Progress& progress) {
  for (const Setting* const setting : progress.unused()) {
    const auto known = std::ranges::find(kLeftovers, setting->key, &Leftover::key);
    if (known == std::end(kLeftovers)) {
      explain_option(*setting, enabled, progress);
      continue;
    }
    if (!known->default_value.empty() && setting->values.back() == known->default_value) continue;
    const std::string text = setting->place + ": " + std::string(known->text);
    if (known->is_loss) {
      progress.lose(text);
    } else {
      progress.note(text);
    }
  }
}

}  // namespace winperf::migration
