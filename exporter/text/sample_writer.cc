#include "exporter/text/sample_writer.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "exporter/mapping/family.h"
#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/name_table.h"
#include "exporter/text/page_format.h"

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
    const bool tells = options.created && labels.process_id;
    texts.rows.push_back({labels.row, label_text(labels, object, schema.machine, own_labels),
                          tells ? start_of(sample, labels.row) : std::nullopt});
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
    RowText& text = texts.rows.emplace_back(RowText{row.row, {}, {}});
    for (const LabelPart& label : row.labels) add_label(text.labels, label.name, label.value);
    if (!sample.schema->machine.empty()) add_label(text.labels, "machine", sample.schema->machine);
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
      rows = std::make_shared<const RowTexts>(std::move(fresh));
    }
    current.push_back(std::move(rows));
  }
  rows_ = std::move(current);
  sets_ = plan.row_sets;
  return rows_;
}

namespace {

// The label's value, unless the counter has none.
std::optional<std::string> label_value(const ValueLabel& label, const CountersetSample& sample,
                                       std::size_t row) {
  const std::size_t cell = sample.cell(row, label.column);
  if (label.name.empty() || !has_raw(sample.reason[cell])) return std::nullopt;
  return raw_text(sample.schema->counters[label.column], sample.raw[cell]);
}

void append_all_labels(std::string& out, const FamilySource& source, const RowText& row,
                       const CountersetSample& sample) {
  const std::size_t begin = out.size();
  const auto add = [&](const std::string& some) {
    if (!some.empty()) (out += out.size() == begin ? '{' : ',') += some;
  };
  add(row.labels);
  add(source.labels);
  if (const auto value = label_value(source.value_label, sample, row.row)) {
    std::string label;
    append_label(label, source.value_label.name, *value);
    add(label);
  }
  if (out.size() != begin) out += '}';
}

std::optional<MetricValue> value_of(const FamilySource& source, const RowTexts& rows,
                                    const RowText& row, const CountersetSample& sample) {
  if (source.value.source == ValueSource::kInstances) return rows.instance_count;
  return metric_value(source.value, sample, row.row);
}

// Whether the number begins anew with each sample.
bool begins_with_sample(const ValueRule& value, const CountersetSchema& schema) {
  return is_of_counter(value.source) &&
         schema.counters[value.column].info().formula == Formula::kDelta;
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
                                                   PageFormat format,
                                                   const std::vector<bool>& stale) {
  parts_.clear();
  const PagePlan& plan = mapper_.plan(sample);
  rows_ = texts_.select(sample, plan, stale);
  std::vector<CountersetCounts> counts;
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    counts.push_back(count_missing(sample.countersets[i], plan.objects[i].get()));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i] != nullptr) {
      std::uint64_t& unplaced = counts[plan.row_sets[i].counterset].unplaced;
      unplaced = std::max(unplaced, rows_[i]->unplaced);  // the same ones, by each name
    }
  choose_leaders(sample, counts);
  limit_series(plan, counts);
  const std::vector<FamilyText>& families =
      family_texts_.at(static_cast<std::size_t>(format)).of(plan);
  for (std::size_t i = 0; i < families.size(); ++i)
    append_family(out, sample, plan, plan.families[i], families[i], counts);
  return counts;
}

void SampleWriter::choose_leaders(const Sample& sample, std::vector<CountersetCounts>& counts) {
  std::map<std::pair<std::string, std::string>, Leaders> current;
  leads_.assign(counts.size(), nullptr);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const CountersetState& state = sample.countersets[i];
    if (state.sample == nullptr) continue;
    const LeadersRow* const row = leaders_row(options_, state.name, state.sample->schema->name);
    if (row == nullptr) continue;
    const auto [known, is_first] = current.try_emplace({state.name, state.machine});
    if (!is_first) continue;  // a second one of the same name, which no configuration has
    if (const auto before = leaders_.extract(known->first))
      known->second = std::move(before.mapped());
    const std::vector<bool>& leads = known->second.choose(
        state.sample, *row, options_.leading_processes, state.sampled_at.steady);
    leads_[i] = &leads;
    for (std::size_t at = 0; at < leads.size(); ++at)
      if (!leads[at] && !is_total(state.sample->instances->instances[at]))
        ++counts[i].hidden_instances;
  }
  leaders_ = std::move(current);
}

// Null: all of them.
const std::vector<bool>* SampleWriter::shown_rows(const RowSet& rows) const {
  return rows.is_whole ? nullptr : leads_[rows.counterset];
}

void SampleWriter::limit_series(const PagePlan& plan, std::vector<CountersetCounts>& counts) {
  std::vector<std::uint64_t> shown;  // by row set
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::vector<bool>* const leads = shown_rows(plan.row_sets[i]);
    const auto is_shown = [&](const RowText& row) { return leads == nullptr || (*leads)[row.row]; };
    const auto& rows = rows_[i];
    shown.push_back(rows == nullptr
                        ? 0
                        : static_cast<std::uint64_t>(std::ranges::count_if(rows->rows, is_shown)));
  }
  std::vector<std::uint64_t> wanted(counts.size());
  for (const PageFamily& family : plan.families)
    for (const FamilySource& source : family.sources)
      wanted[plan.row_sets[source.rows].counterset] += shown[source.rows];
  has_room_.assign(counts.size(), true);
  std::uint64_t room = options_.max_series;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (wanted[i] <= room) {
      room -= wanted[i];
    } else {
      has_room_[i] = false;
      counts[i].no_room = wanted[i];
    }
  }
}

void SampleWriter::append_family(std::string& out, const Sample& sample, const PagePlan& plan,
                                 const PageFamily& family, const FamilyText& text,
                                 std::vector<CountersetCounts>& counts) {
  PagePart part{.header = out.size(), .begin = out.size(), .name_size = family.name.size()};
  std::set<std::pair<std::string_view, std::string_view>> written;
  for (const FamilySource& source : family.sources) {
    const std::size_t counterset = plan.row_sets[source.rows].counterset;
    const RowTexts* const rows = rows_[source.rows].get();
    if (rows == nullptr || !has_room_[counterset]) continue;
    const CountersetSample& values = *sample.countersets[counterset].sample;
    CountersetCounts& count = counts[counterset];
    const std::vector<bool>* const leads = shown_rows(plan.row_sets[source.rows]);
    for (const RowText& row : rows->rows) {
      if (leads != nullptr && !(*leads)[row.row]) continue;
      const auto value = value_of(source, *rows, row, values);
      if (!value) continue;
      if (source.may_repeat && !written.emplace(row.labels, source.labels).second) {
        ++count.duplicates;
        continue;
      }
      if (part.header_size == 0) {
        out += text.header;
        part.header_size = out.size() - part.header;
        part.begin = out.size();
      }
      out += family.name;
      const std::size_t begin = out.size();
      append_all_labels(out, source, row, values);
      const std::size_t end = out.size();
      out += ' ';
      std::visit([&](auto number) { append_number(out, number); }, *value);
      out += '\n';
      if (text.has_created && row.started && !begins_with_sample(source.value, *values.schema))
        append_created(out, family.name, out.substr(begin, end - begin), *row.started);
      ++count.series;
    }
    if (out.size() == part.begin) continue;
    part.counterset = counterset;
    part.end = out.size();
    parts_.push_back(part);
    part.begin = part.end;
  }
}

}  // namespace winperf
