#include "config/migration/custom_objects.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/model/sample.h"
#include "config/document.h"
#include "config/metric_names.h"
#include "config/perfmon_path.h"
#include "config/text_error.h"

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

}  // namespace winperf::migration
