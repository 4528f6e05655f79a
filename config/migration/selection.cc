#include "config/migration/selection.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "config/migration/custom_objects.h"
#include "config/migration/filters.h"
#include "config/migration/meant.h"
#include "config/migration/quoted_path.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

using Parts = std::optional<std::vector<std::string>>;

// The collectors whose objects the settings name; older versions called it the second.
bool is_custom(std::string_view name) { return name == "performancecounter" || name == "perfdata"; }

// An unknown collector, of a newer version or misspelt, doesn't affect the others.
void lose_unknown(const std::string& name, const std::string& place, Progress& progress) {
  const std::string_view meant = nearest_collector(name);
  progress.lose(place + ": the collector " + as_json(name) + " is unknown, so it was left out" +
                (meant.empty() ? "" : ": did you mean " + as_json(meant) + '?'));
}

bool is_wanted(const Parts& parts, std::string_view part) {
  return !parts || std::ranges::find(*parts, part) != parts->end();
}

void lose_missing(const Collector& collector, const Parts& parts, const std::string& place,
                  Progress& progress) {
  for (const MissingPart& missing : collector.missing) {
    const bool is_on = parts ? is_wanted(parts, missing.part) : missing.is_on_without_asking;
    if (is_on)
      progress.lose(place + ": " + std::string(collector.name) + ": " + std::string(missing.what));
  }
}

constexpr std::string_view kDefaultServer = "SQLServer:";

bool is_of_sql_server(const Collector& collector) {
  return !collector.objects.empty() && collector.objects.front().name.starts_with(kDefaultServer);
}

// Those of a named instance, too.
void add_objects(const Collector& collector, const Parts& parts, Selected& selected,
                 Progress& progress) {
  if (is_of_sql_server(collector) && !parts) {
    selected.sets.emplace_back(collector.name);
    return;
  }
  for (const ReadObject& object : collector.objects) {
    if (!is_wanted(parts, object.part)) continue;
    Filters filters =
        filters_of(collector, object.include, object.exclude, object.prefix, progress);
    add_entry(selected.entries,
              {.names = alternatives_of(object),
               .include = std::move(filters.include),
               .exclude = std::move(filters.exclude),
               .comment = std::string(collector.name)},
              progress);
    if (object.name.starts_with(kDefaultServer))
      add_entry(selected.entries,
                {.names = {"MSSQL$*:" + std::string(object.name.substr(kDefaultServer.size()))},
                 .comment = std::string(collector.name) + ", named instances"},
                progress);
  }
}

// Command lines hold secrets, so they are taken over only if the settings ask for them.
bool are_commands_wanted(const std::string& place, Progress& progress) {
  const Setting* const setting = progress.use("collector.process.cmdline");
  if (setting != nullptr && setting->values.back() == "true") {
    progress.note(setting->place +
                  ": whoever reads the metrics reads the command lines of all processes, and "
                  "passwords in them: remove \"processes\" from facts if that is not wanted");
    return true;
  }
  progress.note((setting == nullptr ? place + ": process" : setting->place) +
                ": windows_process_info comes from counters, without owners and command lines, "
                "which hold secrets: add \"processes\" to facts if you need them");
  return false;
}

// Where windows_exporter looks for text files.
std::vector<std::string> folders_of(const std::string& place, const std::string& program_folder,
                                    Progress& progress) {
  const Setting* const setting =
      progress.use_any({"collector.textfile.directories", "collector.textfile.directory",
                        "collector.textfile.text-files-directory"});
  std::vector<std::string> folders;
  if (setting != nullptr) folders = split(setting->values.back(), ',');
  if (folders.empty()) {
    const std::string folder = program_folder + "\\textfile_inputs";
    progress.note(place + ": textfile: its files are read from windows_exporter's own folder, " +
                  folder + ": move them before you remove windows_exporter");
    return {folder};
  }
  std::erase_if(folders, [&](const std::string& folder) {
    const bool is_too_long = folder.size() > kMaxNameBytes;
    if (is_too_long)
      progress.lose(setting->place + ": a folder's name of " + std::to_string(folder.size()) +
                    " bytes was left out: this program takes up to " +
                    std::to_string(kMaxNameBytes));
    return is_too_long;
  });
  for (; std::cmp_greater(folders.size(), kMaxFactFolders); folders.pop_back())
    progress.lose(setting->place + ": the folder " + folders.back() +
                  " was left out: this program reads up to " + std::to_string(kMaxFactFolders));
  for (const std::string& folder : folders)
    progress.note(setting->place +
                  ": the service's account must be able to read the folder: " + "icacls " +
                  quoted_path(folder) + " /grant \"NT SERVICE\\winperf_exporter:(OI)(CI)R\"");
  return folders;
}

void add_topics(const Collector& collector, const Parts& parts, const std::string& place,
                const std::string& program_folder, Selected& selected, Progress& progress) {
  for (const ReadTopic& read : collector.topics) {
    if (!is_wanted(parts, read.part)) continue;
    if (!read.note.empty())
      progress.note(place + ": " + std::string(collector.name) + ": " + std::string(read.note));
    if (read.topic == FactTopic::kProcesses && !are_commands_wanted(place, progress)) continue;
    Filters filters = filters_of(collector, read.include, read.exclude, "", progress);
    FactEntry entry{.topic = read.topic,
                    .include = std::move(filters.include),
                    .exclude = std::move(filters.exclude),
                    .comment = std::string(collector.name)};
    if (read.topic == FactTopic::kTextfile) {
      entry.folders = folders_of(place, program_folder, progress);
      if (entry.folders.empty()) continue;
    }
    add_fact(selected.facts, std::move(entry));
  }
}

// Settings that only older versions had.
bool is_of_older_version(const Settings& settings) {
  return std::ranges::any_of(settings, [](const Setting& setting) {
    return setting.key.starts_with("telemetry.addr") || setting.key == "telemetry.max-requests" ||
           setting.key.ends_with("-whitelist") || setting.key.ends_with("-blacklist") ||
           setting.key.ends_with(".whitelist") || setting.key.ends_with(".blacklist") ||
           setting.key.ends_with("-where") || setting.key.ends_with(".classes-enabled") ||
           setting.key == "collector.textfile.directory";
  });
}

}  // namespace

Enabled enabled_collectors(Progress& progress) {
  Enabled enabled{.names = {}, .place = "collectors.enabled"};
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(enabled.names, name) == enabled.names.end())
      enabled.names.emplace_back(name);
  };
  std::vector<std::string> listed{"[defaults]"};
  if (const Setting* const setting = progress.use("collectors.enabled")) {
    enabled.place = setting->place;
    listed = split(setting->values.back(), ',');
  }
  for (const std::string& name : listed) {
    if (!means_defaults(name)) {
      add(name);
      continue;
    }
    if (name != "[defaults]")
      progress.note(enabled.place + ": " + as_json(name) +
                    " is no collector: [defaults] was taken, which was probably meant");
    for (const std::string_view one : default_collectors()) add(one);
    if (is_of_older_version(progress.settings())) {
      add("cs");
      add("textfile");
    }
  }
  if (const Setting* const disabled = progress.use("collectors.disabled"))
    for (const std::string& name : split(disabled->values.back(), ','))
      std::erase(enabled.names, name);
  return enabled;
}

Selected select(const Enabled& enabled, const std::string& program_folder, Progress& progress) {
  Selected selected;
  for (const std::string& name : enabled.names) {
    const Collector* const collector = find_collector(name);
    if (collector == nullptr) {
      lose_unknown(name, enabled.place, progress);
      continue;
    }
    if (!is_missing(*collector)) ++selected.collectors;
    const Parts parts = parts_of(*collector, progress);
    if (parts && parts->empty())
      progress.note(enabled.place + ": " + name + ": no part of it is enabled, so nothing is read");
    add_objects(*collector, parts, selected, progress);
    add_topics(*collector, parts, enabled.place, program_folder, selected, progress);
    lose_missing(*collector, parts, enabled.place, progress);
  }
  // They may be about what the others read already.
  if (std::ranges::any_of(enabled.names, is_custom))
    for (Entry& entry : custom_objects(progress))
      add_entry(selected.entries, std::move(entry), progress);
  return selected;
}

}  // namespace winperf::migration
