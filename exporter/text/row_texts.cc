#include "exporter/text/row_texts.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "exporter/mapping/family.h"
#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/name_table.h"

namespace winperf {
namespace {

// `own`: labels of families, which hold against those that the configuration adds.
std::string label_text(const InstanceLabels& labels, const ObjectRow& object,
                       const std::string& machine, const std::vector<std::string>& own) {
  std::string text;
  if (!labels.single) add_label(text, object.instance_label, labels.instance);
  if (!machine.empty()) add_label(text, "machine", machine);
  if (!labels.parent.empty()) add_label(text, object.parent_label, labels.parent);
  if (labels.process_id) add_label(text, "process_id", std::to_string(*labels.process_id));
  if (labels.thread_id) add_label(text, "thread_id", std::to_string(*labels.thread_id));
  for (const auto& [name, value] : labels.more)
    if (std::ranges::find(own, name) == own.end()) add_label(text, name, value);
  return text;
}

// The start time of a process or thread, if its object has it: since then its counters count.
std::optional<double> start_of(const CountersetSample& sample, std::size_t row) {
  const auto& counters = sample.schema->counters;
  for (std::size_t column = 0; column < counters.size(); ++column) {
    const CounterTypeInfo info = counters[column].info();
    if (info.unit != RawUnit::kStartTime) continue;
    const ValueRule start{
        .column = column, .source = ValueSource::kStartTime, .ticks_of = info.time_base};
    const auto started = metric_value(start, sample, row);
    if (started) return std::visit([](auto number) { return double(number); }, *started);
  }
  return std::nullopt;
}

// By the object's own rule.
void add_rows(RowTexts& texts, const CountersetSample& sample, const MappingOptions& options,
              const std::vector<std::string>& own_labels) {
  const CountersetSchema& schema = *sample.schema;
  const ObjectRow& object = object_row(schema.name);
  for (const InstanceLabels& labels : map_instances(schema, sample.instances.get(), options)) {
    RowText& text =
        texts.rows.emplace_back(labels.row, label_text(labels, object, schema.machine, own_labels));
    if (options.created && labels.process_id) text.started = start_of(sample, labels.row);
  }
}

// By another exporter's.
void add_profile_rows(RowTexts& texts, const CountersetSample& sample, const RowSet& wanted) {
  ProfileRows labelled = label_rows(*sample.schema, sample.instances.get(), *wanted.block);
  if (wanted.is_whole) {
    texts.instance_count = labelled.rows.size() + labelled.unplaced;
    labelled.rows.assign(1, {});
  } else {
    texts.unplaced = labelled.unplaced;
  }
  for (const ProfileRows::Row& row : labelled.rows) {
    std::string labels;
    for (const LabelPart& label : row.labels) add_label(labels, label.name, label.value);
    if (!sample.schema->machine.empty()) add_label(labels, "machine", sample.schema->machine);
    texts.rows.emplace_back(row.row, labels);
  }
}

}  // namespace

std::shared_ptr<const RowTexts> RowTextCache::known(const RowSet& wanted,
                                                    const CountersetSample& sample) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i] == nullptr || sets_[i].block != wanted.block ||
        sets_[i].is_whole != wanted.is_whole)
      continue;
    if (rows_[i]->schema == sample.schema && rows_[i]->instances == sample.instances)
      return rows_[i];
  }
  return nullptr;
}

const RowTextCache::Selected& RowTextCache::select(const Sample& sample, const PagePlan& plan,
                                                   const std::vector<bool>& stale) {
  Selected current;
  for (const RowSet& wanted : plan.row_sets) {
    const auto& values = sample.countersets[wanted.counterset].sample;
    if (values == nullptr || (!stale.empty() && stale[wanted.counterset])) {
      current.push_back(nullptr);
      continue;
    }
    auto rows = known(wanted, *values);
    if (rows == nullptr) {
      RowTexts fresh{.schema = values->schema, .instances = values->instances, .rows = {}};
      if (wanted.block == nullptr)
        add_rows(fresh, *values, options_, plan.objects[wanted.counterset]->own_labels);
      else
        add_profile_rows(fresh, *values, wanted);
      for (const RowText& row : fresh.rows) fresh.text_bytes += row.text.size();
      rows = std::make_shared<const RowTexts>(std::move(fresh));
    }
    current.push_back(std::move(rows));
  }
  rows_ = std::move(current);
  sets_ = plan.row_sets;
  return rows_;
}

}  // namespace winperf
