#include "config/migration/selection.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/match/filter.h"
#include "collectors/match/nearest.h"
#include "collectors/model/sample.h"
#include "config/document.h"
#include "config/migration/command_words.h"
#include "config/migration/meant.h"
#include "config/migration/wql.h"
#include "config/options.h"
#include "config/perfmon_path.h"
#include "config/text_error.h"
#include "config/values.h"

namespace winperf::migration {
namespace {

constexpr std::string_view kCollector = "performancecounter";

const std::string& text_of(const Node* node) {
  static const std::string none;
  return node != nullptr && node->kind == NodeKind::kScalar ? node->text : none;
}

// A pattern that matches what the name matches in a counter's path: regardless of case, and with *
// for any text.
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
    const std::string& object = text_of(child_of(node, "object"));
    if (node.kind != NodeKind::kMap || object.empty()) {
      lose(node, "an entry has no \"object\" and was left out: write the counterset's name there");
      return std::nullopt;
    }
    lose_unknown_keys(node, {"name", "object", "type", "instances", "instance_label", "counters"});
    Entry entry{.names = {object}, .comment = std::string(kCollector)};
    read_instances(node, entry);
    const std::string& type = text_of(child_of(node, "type"));
    if (!type.empty() && type != "raw" && type != "formatted")
      lose(*child_of(node, "type"), as_json(type) + " is neither raw nor formatted: raw was taken");
    if (const Node* const counters = child_of(node, "counters"))
      for (const Node& counter : counters->children) read_counter(counter, type, entry);
    return entry;
  }

  void read_instances(const Node& node, Entry& entry) {
    bool names_total = false;
    if (const Node* const instances = child_of(node, "instances"))
      for (const Node& instance : instances->children) {
        if (instance.text.empty()) continue;
        entry.include.push_back(path_pattern(instance.text));
        names_total |= is_total(instance_of(instance.text));
      }
    // Everything, apart from totals.
    const auto is_all = [](const std::string& pattern) { return pattern == path_pattern("*"); };
    if (std::ranges::any_of(entry.include, is_all)) {
      if (names_total) {
        entry.include = {".*"};
      } else {
        entry.include.clear();
      }
    }
    const Node* const label = child_of(node, "instance_label");
    if (label == nullptr || label->text.empty()) return;
    if (const auto problem = label_name_problem(label->text)) {
      lose(*label, "\"instance\" was taken, because " + *problem);
    } else if (label->text != "instance") {
      entry.instance_label = label->text;
    }
  }

  void read_counter(const Node& node, const std::string& type, Entry& entry) {
    // Older versions had the counters' names as keys.
    const std::string& name = node.key.empty() ? text_of(child_of(node, "name")) : node.key;
    if (name.empty())
      return lose(node, "a counter has no \"name\" and was left out: write it there");
    if (node.kind == NodeKind::kMap) lose_unknown_keys(node, {"name", "metric", "type", "labels"});
    NamedMetric metric{.counter = name,
                       .name = text_of(child_of(node, "metric")),
                       .labels = {},
                       .type = text_of(child_of(node, "type")),
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
                     ": a formatted value goes up and down, so it is a gauge");
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
  for (const char c : ascii_lower(std::string(object) + '_' + std::string(counter))) {
    if (c == '%') {
      name += "percent";
    } else if (c == '(' || c == ')') {
      continue;
    } else {
      name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
    }
  }
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
  progress.lose(
      place_in(*setting, offset) +
      ": none of its objects were taken over, because this must be a list of objects with "
      "the keys name, object and counters" +
      (document ? "" : ": " + document.error().message));
  return {};
}

namespace {

std::string prefix_of(const Collector& collector) {
  return "collector." + std::string(collector.name) + '.';
}

// The setting that limits a collector to some of what it reads; null if there is none.
const Setting* parts_setting(const Collector& collector, Progress& progress) {
  const std::string name(collector.name);
  return progress.use_any(
      {"collector." + name + ".enabled", "collectors." + name + ".enabled",
       "collector." + name + ".classes-enabled", "collectors." + name + ".classes-enabled",
       "collector." + name + ".sources-enabled", "collectors." + name + ".sources-enabled"});
}

std::vector<std::string_view> known_parts(const Collector& collector) {
  std::vector<std::string_view> parts;
  const auto add = [&](const auto& reads) {
    for (const auto& read : reads)
      if (!read.part.empty()) parts.push_back(read.part);
  };
  add(collector.objects);
  add(collector.topics);
  add(collector.missing);
  return parts;
}

// The setting of an option that is a pattern; null if it selects nothing, or there is none.
const Setting* pattern_setting(const Collector& collector, std::string_view option,
                               Progress& progress) {
  if (option.empty()) return nullptr;
  // Older versions called the options "...-whitelist" and "...-blacklist".
  std::string old(option);
  old.replace(old.size() - 7, 7, option.ends_with("include") ? "whitelist" : "blacklist");
  const Setting* const setting =
      progress.use_any({prefix_of(collector) + std::string(option), prefix_of(collector) + old});
  if (setting == nullptr || setting->values.back().empty()) return nullptr;
  const std::string& value = setting->values.back();
  const bool is_all = option.ends_with("include") && (value == ".+" || value == ".*");
  return is_all ? nullptr : setting;
}

// The patterns of an entry: this one, which matches what follows the prefix.
void add_pattern(std::vector<std::string>& patterns, std::string_view prefix,
                 const std::string& pattern) {
  if (prefix.empty()) return patterns.push_back(pattern);
  patterns.push_back(std::string(prefix) + "(?:" + pattern + ')');
}

// A condition of WQL, which was written as the options of older versions have it.
void add_wql(const Setting& setting, std::string_view prefix, bool is_exclusion,
             std::vector<std::string>& same, std::vector<std::string>& opposite,
             Progress& progress) {
  const std::string& value = setting.values.back();
  const auto patterns = patterns_of_wql(value);
  // What isn't "A and not B" is "not A, or B", and no two lists of patterns say that.
  const bool is_mixed =
      is_exclusion && patterns && !patterns->include.empty() && !patterns->exclude.empty();
  if (!patterns || is_mixed) {
    progress.lose(setting.place + ": " + as_json(value) +
                  " is a condition of WQL, not a regular expression, and can't be said as one: "
                  "write the names");
    return;
  }
  progress.note(setting.place + ": " + as_json(value) +
                " is a condition of WQL, not a regular expression: the names in it were taken, "
                "which was probably meant");
  for (const std::string& pattern : patterns->include) add_pattern(same, prefix, pattern);
  for (const std::string& pattern : patterns->exclude) add_pattern(opposite, prefix, pattern);
}

// `same`: what the option selects; `opposite`: the rest.
void add_option(const Collector& collector, std::string_view option, std::string_view prefix,
                bool is_exclusion, std::vector<std::string>& same,
                std::vector<std::string>& opposite, Progress& progress) {
  const Setting* const setting = pattern_setting(collector, option, progress);
  if (setting == nullptr) return;
  const std::string& value = setting->values.back();
  if (looks_like_wql(value))
    return add_wql(*setting, prefix, is_exclusion, same, opposite, progress);
  const auto pattern = Pattern::compile(value);
  if (pattern) return add_pattern(same, prefix, value);
  progress.lose(setting->place + ": " + as_json(value) + " is not a valid regular expression (" +
                pattern.error().message + " at byte " + std::to_string(pattern.error().offset) +
                "), so it selects nothing: correct it, and add it to the result");
}

// Of older versions: a condition of WQL.
void add_condition(Filters& filters, const Collector& collector, Progress& progress) {
  const Setting* const setting = progress.use_any({prefix_of(collector) + "services-where",
                                                   prefix_of(collector) + "processes-where",
                                                   prefix_of(collector) + "msmq-where"});
  if (setting == nullptr || setting->values.back().empty()) return;
  const auto patterns = patterns_of_wql(setting->values.back());
  if (!patterns) {
    progress.lose(setting->place + ": " + as_json(patterns.error()) +
                  " can't be said as a pattern, so everything is read: write include and exclude "
                  "with regular expressions");
    return;
  }
  std::ranges::copy(patterns->include, std::back_inserter(filters.include));
  std::ranges::copy(patterns->exclude, std::back_inserter(filters.exclude));
}

}  // namespace

std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress) {
  // Without parts, the collector's "enabled" (if it has one) is about something else.
  if (!has_parts(collector)) return std::nullopt;
  const Setting* const setting = parts_setting(collector, progress);
  if (setting == nullptr) return std::nullopt;
  const auto known = known_parts(collector);
  std::vector<std::string> parts = split(ascii_lower(setting->values.back()), ',');
  for (const std::string& part : parts) {
    if (std::ranges::find(known, part) != known.end()) continue;
    const std::string_view meant = nearest(part, known);
    progress.lose(setting->place + ": " + as_json(part) + " has no counterpart" +
                  (meant.empty() ? "" : ": did you mean " + as_json(meant) + '?'));
  }
  return parts;
}

Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress) {
  Filters filters;
  add_option(collector, include, prefix, false, filters.include, filters.exclude, progress);
  add_option(collector, exclude, prefix, true, filters.exclude, filters.include, progress);
  add_condition(filters, collector, progress);
  return filters;
}

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

// Those of a named instance, too.
void add_objects(const Collector& collector, const Parts& parts, Selected& selected,
                 Progress& progress) {
  if (!parts && !collector.objects.empty() && is_of_sql_server(collector.objects.front())) {
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
