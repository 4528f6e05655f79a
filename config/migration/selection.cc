#include "config/migration/selection.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/match/filter.h"
#include "collectors/model/sample.h"
#include "config/document.h"
#include "config/migration/command_words.h"
#include "config/migration/entries.h"
#include "config/options.h"
#include "config/patterns.h"
#include "config/values.h"

namespace winperf::migration {
namespace {

constexpr std::string_view kCollector = "performancecounter";

const std::string& scalar_text(const Node* node) {
  static const std::string none;
  return node != nullptr && node->kind == NodeKind::kScalar ? node->text : none;
}

// A pattern that matches what the name matches in a counter's path: regardless of case, with * for
// any text.
std::string path_pattern(std::string_view name) { return "(?i)" + pattern_of_name(name); }

// An instance by its name in a counter's path, "parent/name".
InstanceSchema instance_of(const std::string& text) {
  const std::size_t slash = text.rfind('/');
  InstanceSchema instance;
  instance.name = slash == std::string::npos ? text : text.substr(slash + 1);
  if (slash != std::string::npos) instance.parent = text.substr(0, slash);
  return instance;
}

class Reader {
 public:
  Reader(const Setting& setting, Progress& progress) : setting_(setting), progress_(progress) {}

  std::vector<Entry> read(const Node& list) {
    std::vector<Entry> entries;
    for (const Node& node : list.children)
      if (auto entry = read_object(node)) entries.push_back(*std::move(entry));
    return entries;
  }

 private:
  void lose(const Node& node, const std::string& what) {
    const std::size_t offset = node.key.empty() ? node.offset : node.key_offset;
    progress_.lose(place_in(setting_, offset) + ": " + what);
  }

  void lose_unknown_keys(const Node& map, std::initializer_list<std::string_view> known) {
    for (const Node& child : map.children)
      if (std::ranges::find(known, child.key) == known.end())
        lose(child, as_json(child.key) + " is unknown and was left out");
  }

  std::optional<Entry> read_object(const Node& node) {
    const std::string& object = scalar_text(child_of(node, "object"));
    if (node.kind != NodeKind::kMap || object.empty()) {
      lose(node, "an entry has no \"object\" and was left out; write the counterset's name there");
      return std::nullopt;
    }
    lose_unknown_keys(node, {"name", "object", "type", "instances", "instance_label", "counters"});
    Entry entry{.names = {object}, .comment = std::string(kCollector)};
    read_instances(node, entry);
    const std::string& type = scalar_text(child_of(node, "type"));
    if (!type.empty() && type != "raw" && type != "formatted")
      lose(*child_of(node, "type"), as_json(type) + " is neither raw nor formatted: raw was used");
    if (const Node* const counters = child_of(node, "counters"))
      for (const Node& counter : counters->children) read_counter(counter, type, entry);
    return entry;
  }

  void read_instances(const Node& node, Entry& entry) {
    std::vector<std::string>& include = entry.instances.include;
    bool names_total = false;
    if (const Node* const instances = child_of(node, "instances"))
      for (const Node& instance : instances->children) {
        if (instance.text.empty()) continue;
        include.push_back(path_pattern(instance.text));
        names_total |= is_total(instance_of(instance.text));
      }
    // Everything except totals.
    const auto is_all = [](const std::string& pattern) { return pattern == path_pattern("*"); };
    if (std::ranges::any_of(include, is_all)) {
      include.clear();
      if (names_total) include.push_back(".*");
    }
    const Node* const label = child_of(node, "instance_label");
    if (label == nullptr || label->text.empty()) return;
    if (const auto problem = label_name_problem(label->text))
      lose(*label, "\"instance\" was used, because " + *problem);
    else if (label->text != "instance")
      entry.instance_label = label->text;
  }

  void read_counter(const Node& node, const std::string& type, Entry& entry) {
    // Older versions had the counters' names as keys.
    const std::string& name = node.key.empty() ? scalar_text(child_of(node, "name")) : node.key;
    if (name.empty()) return lose(node, "a counter has no \"name\", so it was left out; add one");
    if (node.kind == NodeKind::kMap) lose_unknown_keys(node, {"name", "metric", "type", "labels"});
    NamedMetric metric{.counter = name,
                       .name = scalar_text(child_of(node, "metric")),
                       .labels = {},
                       .type = scalar_text(child_of(node, "type")),
                       .is_cooked = type == "formatted"};
    if (metric.name.empty()) metric.name = default_metric_name(entry.names.front(), name);
    if (const auto problem = metric_name_problem(metric.name))
      return lose(node, "this counter was left out, because " + *problem);
    if (!metric.type.empty() && metric.type != "counter" && metric.type != "gauge") {
      lose(*child_of(node, "type"), as_json(metric.type) + " is neither counter nor gauge");
      metric.type.clear();
    }
    if (metric.is_cooked && metric.type == "counter") {
      progress_.note(place_in(setting_, child_of(node, "type")->key_offset) +
                     ": a formatted value rises and falls, so it is a gauge");
      metric.type.clear();
    }
    if (const Node* const labels = child_of(node, "labels")) read_labels(*labels, entry, metric);
    entry.counters.push_back(path_pattern(name));
    entry.metrics.push_back(std::move(metric));
  }

  void read_labels(const Node& labels, const Entry& entry, NamedMetric& metric) {
    const std::string instance = entry.instance_label.empty() ? "instance" : entry.instance_label;
    for (const Node& label : labels.children) {
      const auto problem = label_name_problem(label.key);
      if (problem || label.key == instance) {
        lose(label, "this label was left out, because " +
                        problem.value_or(as_json(label.key) + " names the instance"));
      } else {
        metric.labels.push_back(as_json(label.key) + ": " + as_json(label.text));
      }
    }
  }

  const Setting& setting_;
  Progress& progress_;
};

}  // namespace

std::string default_metric_name(std::string_view object, std::string_view counter) {
  std::string name;
  for (const char c : ascii_lower(std::string(object) + '_' + std::string(counter)))
    if (c == '%')
      name += "percent";
    else if (c != '(' && c != ')')
      name += is_letter_or_digit(c) ? c : '_';
  const std::size_t begin = std::min(name.find_first_not_of('_'), name.size());
  name = name.substr(begin, name.find_last_not_of('_') + 1 - begin);
  return "windows_performancecounter_" + name;
}

std::vector<Entry> custom_objects(Progress& progress) {
  const Setting* const setting =
      progress.use_any({"collector.performancecounter.objects", "collector.perfdata.objects"});
  if (setting == nullptr) return {};
  Reader reader(*setting, progress);
  if (setting->list) return reader.read(*setting->list);
  const std::string& text = setting->values.back();
  const auto document = read_plain_yaml(text);
  if (document && document->root.kind == NodeKind::kNull) return {};
  if (document && document->root.kind == NodeKind::kSequence) return reader.read(document->root);
  const std::size_t offset = document ? 0 : document.error().offset;
  progress.lose(place_in(*setting, offset) +
                ": none of its objects were converted, because this must be a list of objects with "
                "the keys name, object and counters" +
                (document ? "" : ": " + document.error().message));
  return {};
}

namespace {

using Parts = std::optional<std::vector<std::string>>;

// Whether a name means the default collectors: "[defaults]" or a common mistake for it.
bool means_defaults(std::string_view name) {
  static constexpr std::string_view kWords[] = {"defaults", "default"};
  const bool is_in_brackets = name.starts_with('[') && name.ends_with(']') && name.size() > 2;
  const std::string_view word = is_in_brackets ? name.substr(1, name.size() - 2) : name;
  return std::ranges::any_of(kWords,
                             [word](std::string_view one) { return equal_names(word, one); });
}

// An unknown collector, of a newer version or misspelt, doesn't affect the others.
void lose_unknown_collector(const std::string& name, const std::string& place, Progress& progress) {
  progress.lose(place + ": the collector " + as_json(name) + " is unknown, so it was left out" +
                hint_at(nearest_collector(name)));
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

// Also those of named instances.
void add_objects(const Collector& collector, const Parts& parts, Selected& selected,
                 Progress& progress) {
  if (!parts && !collector.objects.empty() && is_of_sql_server(collector.objects.front())) {
    selected.sets.emplace_back(collector.name);
    return;
  }
  for (const ReadObject& object : collector.objects) {
    if (!is_wanted(parts, object.part)) continue;
    add_entry(selected.entries,
              {.names = alternatives_of(object),
               .instances =
                   filters_of(collector, object.include, object.exclude, object.prefix, progress),
               .comment = std::string(collector.name)},
              progress);
    if (is_of_sql_server(object))
      add_entry(selected.entries,
                {.names = {of_named_instances(object)},
                 .comment = std::string(collector.name) + ", named instances"},
                progress);
  }
}

// Command lines hold secrets, so they are taken over only if the settings ask for them.
bool are_commands_wanted(const std::string& place, Progress& progress) {
  const Setting* const setting = progress.use("collector.process.cmdline");
  if (setting != nullptr && setting->values.back() == "true") {
    progress.note(setting->place +
                  ": the metrics contain the command lines of all processes, including any "
                  "passwords; remove \"processes\" from facts if you do not want that");
    return true;
  }
  progress.note((setting == nullptr ? place + ": process" : setting->place) +
                ": windows_process_info comes from counters, without owners and command lines, "
                "which hold secrets; add \"processes\" to facts if you need them");
  return false;
}

// Where windows_exporter searches for text files.
std::vector<std::string> folders_of(const std::string& place, const std::string& program_folder,
                                    Progress& progress) {
  const Setting* const setting =
      progress.use_any({"collector.textfile.directories", "collector.textfile.directory",
                        "collector.textfile.text-files-directory"});
  std::vector<std::string> folders;
  if (setting != nullptr) folders = split(setting->values.back(), ',');
  if (folders.empty()) {
    const std::string folder = program_folder + "\\textfile_inputs";
    progress.note(place + ": textfile: its files are read from windows_exporter's folder, " +
                  folder + "; move them before you remove windows_exporter");
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
                  ": the service account must be able to read the folder: " + "icacls " +
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
    FactEntry entry{.topic = read.topic,
                    .rows = filters_of(collector, read.include, read.exclude, "", progress),
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
                    " is not a collector: [defaults] was used, which was probably intended");
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
  bool has_custom_objects = false;
  for (const std::string& name : enabled.names) {
    const Collector* const collector = find_collector(name);
    if (collector == nullptr) {
      lose_unknown_collector(name, enabled.place, progress);
      continue;
    }
    if (!is_missing(*collector)) ++selected.collectors;
    has_custom_objects |= is_custom(*collector);
    const Parts parts = parts_of(*collector, progress);
    if (parts && parts->empty())
      progress.note(enabled.place + ": " + name + ": no part of it is enabled, so nothing is read");
    add_objects(*collector, parts, selected, progress);
    add_topics(*collector, parts, enabled.place, program_folder, selected, progress);
    lose_missing(*collector, parts, enabled.place, progress);
  }
  // Last, because they may name objects that other collectors read.
  if (has_custom_objects)
    for (Entry& entry : custom_objects(progress))
      add_entry(selected.entries, std::move(entry), progress);
  return selected;
}

}  // namespace winperf::migration
