#include "config/migration/selection.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/match/filter.h"
#include "collectors/match/nearest.h"
#include "config/document.h"
#include "config/perfmon_path.h"

namespace winperf::migration {
namespace {

// The collector whose objects are configurable: a setting of it contains them as YAML.
constexpr std::string_view kCustomCollector = "performancecounter";

// An unknown collector, of a newer version or misspelt, doesn't affect the others.
void note_unknown_collector(const std::string& name, const std::string& place, Progress& progress) {
  std::vector<std::string_view> names;
  for (const Collector& known : collectors()) names.push_back(known.name);
  const std::string_view meant = nearest(name, names);
  progress.note(place + ": the collector " + as_json(name) + " is unknown, so it was left out" +
                (meant.empty() ? "" : ": did you mean " + as_json(meant) + '?'));
}

// The setting that limits a collector to some of the objects that it reads; null if there is none.
const Setting* parts_setting(const Collector& collector, Progress& progress) {
  const std::string name(collector.name);
  for (const std::string& key :
       {"collector." + name + ".enabled", "collectors." + name + ".enabled",
        "collector." + name + ".classes-enabled", "collectors." + name + ".classes-enabled"})
    if (const Setting* const setting = progress.use(key)) return setting;
  return nullptr;
}

// The parts that a collector is limited to, in lower case; nothing if it isn't limited.
std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress) {
  // Without parts, the collector's "enabled" (if it has one) is about something else.
  if (collector.objects.empty() || collector.objects.front().part.empty()) return std::nullopt;
  const Setting* const setting = parts_setting(collector, progress);
  if (setting == nullptr) return std::nullopt;
  std::vector<std::string> parts = split(ascii_lower(setting->values.back()), ',');
  for (const std::string& part : parts)
    if (std::ranges::find(collector.objects, part, &ReadObject::part) == collector.objects.end())
      progress.lose(setting->place + ": " + as_json(part) + " has no counterpart");
  return parts;
}

// The value of an option that is a pattern; "" if it selects nothing.
std::expected<std::string, std::string> pattern_of(const Collector& collector,
                                                   std::string_view option, Progress& progress) {
  if (option.empty()) return "";
  // Older versions called the options "...-whitelist" and "...-blacklist".
  std::string old(option);
  old.replace(old.size() - 7, 7, option.ends_with("include") ? "whitelist" : "blacklist");
  const std::string prefix = "collector." + std::string(collector.name) + '.';
  const Setting* setting = progress.use(prefix + std::string(option));
  if (setting == nullptr) setting = progress.use(prefix + old);
  if (setting == nullptr) return "";
  const std::string& value = setting->values.back();
  if (option.ends_with("include") && (value == ".+" || value == ".*")) return "";
  if (const auto pattern = Pattern::compile(value); !pattern)
    return std::unexpected(setting->place + ": " + as_json(value) +
                           " is not a valid regular expression (" + pattern.error().message +
                           " at byte " + std::to_string(pattern.error().offset) +
                           "): write \\ before a character that stands for itself");
  return value;
}

// The patterns of an entry: none, or this one, which matches what follows the object's prefix.
std::vector<std::string> patterns_of(const ReadObject& object, const std::string& pattern) {
  if (pattern.empty()) return {};
  if (object.prefix.empty()) return {pattern};
  return {std::string(object.prefix) + "(?:" + pattern + ')'};
}

std::expected<void, std::string> add_collector(const Collector& collector, Selected& selected,
                                               Progress& progress) {
  if (!collector.objects.empty()) ++selected.collectors;
  const auto parts = parts_of(collector, progress);
  for (const ReadObject& object : collector.objects) {
    if (parts && std::ranges::find(*parts, object.part) == parts->end()) continue;
    const auto include = pattern_of(collector, object.include, progress);
    if (!include) return std::unexpected(include.error());
    const auto exclude = pattern_of(collector, object.exclude, progress);
    if (!exclude) return std::unexpected(exclude.error());
    add_entry(selected.entries,
              {.names = split(object.name, '|'),
               .include = patterns_of(object, *include),
               .exclude = patterns_of(object, *exclude),
               .counters = {},
               .comment = std::string(collector.name)},
              progress);
  }
  if (!collector.note.empty())
    progress.note("collector " + std::string(collector.name) + ": " + std::string(collector.note));
  return {};
}

// A pattern that matches what the name matches in a counter's path: regardless of case, and with *
// for any text.
std::string path_pattern(std::string_view name) { return "(?i)" + pattern_of_name(name); }

// "; on its line 2, a tab indents this line: write spaces"
std::string in_its_line(std::string_view text, const TextError& error) {
  const std::size_t line = position_of(text, error.offset).line;
  return "; on its line " + std::to_string(line) + ", " + error.message;
}

std::expected<Entry, std::string> entry_of(const Node& node, Progress& progress) {
  const Node* const object = child_of(node, "object");
  if (object == nullptr || object->kind != NodeKind::kScalar || object->text.empty())
    return std::unexpected("an entry has no \"object\": write the counterset's name there");
  Entry entry{.names = {object->text},
              .include = {},
              .exclude = {},
              .counters = {},
              .comment = std::string(kCustomCollector)};
  if (const Node* const instances = child_of(node, "instances"))
    for (const Node& instance : instances->children)
      if (instance.text != "*" && !instance.text.empty())
        entry.include.push_back(path_pattern(instance.text));
  if (const Node* const counters = child_of(node, "counters"))
    for (const Node& counter : counters->children)
      if (const Node* const name = child_of(counter, "name"))
        entry.counters.push_back(path_pattern(name->text));
  const auto is_total = [](const std::string& name) { return name.ends_with("_Total"); };
  if (std::ranges::any_of(entry.include, is_total))
    progress.note(std::string(kCustomCollector) + ": \"" + object->text +
                  "\": instances such as _Total are exposed only with metrics: {total_instances: "
                  "true}, which applies to all countersets");
  return entry;
}

// Returns whether the settings name any.
std::expected<bool, std::string> add_custom_objects(std::vector<Entry>& entries,
                                                    Progress& progress) {
  const Setting* const setting = progress.use("collector.performancecounter.objects");
  if (setting == nullptr) return false;
  const std::string& text = setting->values.back();
  const auto document = read_plain_yaml(text);
  if (document && document->root.kind == NodeKind::kNull) return false;
  if (!document || document->root.kind != NodeKind::kSequence)
    return std::unexpected(setting->place +
                           ": this must be a list of objects with the keys name, object and "
                           "counters" +
                           (document ? "" : in_its_line(text, document.error())));
  for (const Node& node : document->root.children) {
    auto entry = entry_of(node, progress);
    if (!entry) return std::unexpected(setting->place + ": " + entry.error());
    add_entry(entries, *std::move(entry), progress);
  }
  progress.note(
      "collector " + std::string(kCustomCollector) +
      ": its metric names and labels were not migrated; docs/metrics.md has the rule that "
      "names the metrics of this program");
  return true;
}

}  // namespace

Enabled enabled_collectors(Progress& progress) {
  Enabled enabled{.names = {}, .place = "collectors"};
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
    if (name == "[defaults]") {
      std::ranges::for_each(default_collectors(), add);
    } else {
      add(name);
    }
  }
  if (const Setting* const disabled = progress.use("collectors.disabled"))
    for (const std::string& name : split(disabled->values.back(), ','))
      std::erase(enabled.names, name);
  return enabled;
}

std::expected<Selected, std::string> select(const Enabled& enabled, Progress& progress) {
  Selected selected;
  for (const std::string& name : enabled.names) {
    if (const Collector* const collector = find_collector(name)) {
      if (auto added = add_collector(*collector, selected, progress); !added)
        return std::unexpected(std::move(added.error()));
    } else {
      note_unknown_collector(name, enabled.place, progress);
    }
  }
  if (std::ranges::find(enabled.names, kCustomCollector) == enabled.names.end()) return selected;
  const auto any = add_custom_objects(selected.entries, progress);
  if (!any) return std::unexpected(any.error());
  if (*any) ++selected.collectors;
  return selected;
}

}  // namespace winperf::migration
