#include "exporter/text/sample_writer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <variant>

#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/metric_value.h"
#include "exporter/text/exposition.h"

namespace winperf {
namespace {

std::string label_text(const InstanceLabels& labels, const std::string& machine) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text += text.empty() ? '{' : ',';
    append_label(text, name, value);
  };
  if (!labels.single) add("instance_name", labels.instance_name);
  if (!machine.empty()) add("machine", machine);
  if (!labels.parent_name.empty()) add("parent_name", labels.parent_name);
  if (labels.process_id) add("process_id", std::to_string(*labels.process_id));
  if (labels.thread_id) add("thread_id", std::to_string(*labels.thread_id));
  if (!text.empty()) text += '}';
  return text;
}

std::string_view type_name(MetricType type) {
  return type == MetricType::kCounter ? "counter" : "gauge";
}

CountersetCounts count_missing(const CountersetState& state, const ObjectMapping* object) {
  CountersetCounts counts;
  if (object == nullptr) return counts;  // there is no sample
  counts.unnamed = object->unnamed;
  counts.not_numeric = object->not_numeric;
  for (const NoValue reason : state.sample->reason) {
    ++counts.missing.at(static_cast<std::size_t>(reason));
  }
  counts.missing.front() = 0;  // kNone: nothing is missing
  return counts;
}

}  // namespace

std::vector<CountersetCounts> SampleWriter::append(std::string& out, const Sample& sample,
                                                   PageFormat format) {
  const PagePlan& plan = mapper_.plan(sample);
  select_rows(sample);
  std::vector<CountersetCounts> counts;
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    counts.push_back(count_missing(sample.countersets[i], plan.objects[i].get()));
  }
  for (const PageFamily& family : plan.families) append_family(out, sample, family, format, counts);
  return counts;
}

void SampleWriter::select_rows(const Sample& sample) {
  const auto known = [&](const CountersetSample& wanted) -> std::shared_ptr<const CachedRows> {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const auto& cached) {
      return cached != nullptr && cached->schema == wanted.schema &&
             cached->instances == wanted.instances;
    });
    return found == rows_.end() ? nullptr : *found;
  };
  std::vector<std::shared_ptr<const CachedRows>> current;
  for (const CountersetState& state : sample.countersets) {
    if (state.sample == nullptr) {
      current.push_back(nullptr);
      continue;
    }
    auto rows = known(*state.sample);
    if (rows == nullptr) {
      CachedRows fresh{state.sample->schema, state.sample->instances, {}};
      for (const InstanceLabels& labels :
           map_instances(fresh.schema->multi_instance, fresh.instances.get(), options_)) {
        fresh.rows.push_back({labels.row, label_text(labels, fresh.schema->machine)});
      }
      rows = std::make_shared<const CachedRows>(std::move(fresh));
    }
    current.push_back(std::move(rows));
  }
  rows_ = std::move(current);
}

void SampleWriter::append_family(std::string& out, const Sample& sample, const PageFamily& family,
                                 PageFormat format, std::vector<CountersetCounts>& counts) {
  bool header_written = false;
  std::unordered_set<std::string_view> written;  // only used if there are several sources
  for (const FamilySource& source : family.sources) {
    const CountersetSample& values = *sample.countersets[source.counterset].sample;
    CountersetCounts& count = counts[source.counterset];
    for (const RowText& row : rows_[source.counterset]->rows) {
      const auto value = metric_value(source.value, values, row.row);
      if (!value) continue;
      if (family.sources.size() > 1 && !written.insert(row.labels).second) {
        ++count.duplicates;
        continue;
      }
      if (!header_written)
        append_header(out, format, family.name, family.help, type_name(family.type));
      header_written = true;
      out += family.name;
      out += row.labels;
      out += ' ';
      std::visit([&](auto number) { append_number(out, number); }, *value);
      out += '\n';
      ++count.series;
    }
  }
}

}  // namespace winperf
