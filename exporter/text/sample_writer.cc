#include "exporter/text/sample_writer.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/metric_value.h"
#include "exporter/mapping/name_table.h"
#include "exporter/text/exposition.h"

namespace winperf {
namespace {

// `own`: labels of families, which hold against those that the configuration adds.
std::string label_text(const InstanceLabels& labels, const ObjectRow& object,
                       const std::string& machine, const std::vector<std::string>& own) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    if (!text.empty()) text += ',';
    append_label(text, name, value);
  };
  if (!labels.single) add(object.instance_label, labels.instance);
  if (!machine.empty()) add("machine", machine);
  if (!labels.parent.empty()) add(object.parent_label, labels.parent);
  if (labels.process_id) add("process_id", std::to_string(*labels.process_id));
  if (labels.thread_id) add("thread_id", std::to_string(*labels.thread_id));
  for (const auto& [name, value] : labels.more)
    if (std::ranges::find(own, name) == own.end()) add(name, value);
  return text;
}

// When a process or thread was started, if its object tells: since then its counters count.
std::optional<double> start_of(const CountersetSample& sample, std::size_t row) {
  const auto& counters = sample.schema->counters;
  for (std::size_t column = 0; column < counters.size(); ++column) {
    const CounterTypeInfo info = counters[column].info();
    if (info.unit != RawUnit::kStartTime) continue;
    const auto started =
        metric_value({column, ValueSource::kStartTime, info.time_base, 1}, sample, row);
    if (started) return std::visit([](auto number) { return double(number); }, *started);
  }
  return std::nullopt;
}

void append_all_labels(std::string& out, const FamilySource& source, const std::string& labels,
                       std::uint64_t raw) {
  const std::size_t begin = out.size();
  const auto add = [&](const std::string& some) {
    if (!some.empty()) (out += out.size() == begin ? '{' : ',') += some;
  };
  add(labels);
  add(source.labels);
  if (!source.id_label.empty()) {
    std::string id;
    append_label(id, source.id_label, std::to_string(raw));
    add(id);
  }
  if (out.size() != begin) out += '}';
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
  select_rows(sample, plan, stale);
  std::vector<CountersetCounts> counts;
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    counts.push_back(count_missing(sample.countersets[i], plan.objects[i].get()));
  }
  limit_series(plan, counts);
  for (const PageFamily& family : plan.families) append_family(out, sample, family, format, counts);
  return counts;
}

void SampleWriter::limit_series(const PagePlan& plan, std::vector<CountersetCounts>& counts) {
  std::vector<std::uint64_t> wanted(counts.size());
  for (const PageFamily& family : plan.families)
    for (const FamilySource& source : family.sources)
      if (const auto& rows = rows_[source.counterset])
        wanted[source.counterset] += rows->rows.size();
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

void SampleWriter::select_rows(const Sample& sample, const PagePlan& plan,
                               const std::vector<bool>& stale) {
  const auto known = [&](const CountersetSample& wanted) -> std::shared_ptr<const CachedRows> {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const auto& cached) {
      return cached != nullptr && cached->schema == wanted.schema &&
             cached->instances == wanted.instances;
    });
    return found == rows_.end() ? nullptr : *found;
  };
  std::vector<std::shared_ptr<const CachedRows>> current;
  for (std::size_t i = 0; i < sample.countersets.size(); ++i) {
    const CountersetState& state = sample.countersets[i];
    if (state.sample == nullptr || (!stale.empty() && stale[i])) {
      current.push_back(nullptr);
      continue;
    }
    auto rows = known(*state.sample);
    if (rows == nullptr) {
      CachedRows fresh{state.sample->schema, state.sample->instances, {}};
      const ObjectRow& object = object_row(fresh.schema->name);
      for (const InstanceLabels& labels :
           map_instances(*fresh.schema, fresh.instances.get(), options_)) {
        const bool tells = options_.created && labels.process_id;
        fresh.rows.push_back(
            {labels.row,
             label_text(labels, object, fresh.schema->machine, plan.objects[i]->own_labels),
             tells ? start_of(*state.sample, labels.row) : std::nullopt});
      }
      rows = std::make_shared<const CachedRows>(std::move(fresh));
    }
    current.push_back(std::move(rows));
  }
  rows_ = std::move(current);
}

void SampleWriter::append_family(std::string& out, const Sample& sample, const PageFamily& family,
                                 PageFormat format, std::vector<CountersetCounts>& counts) {
  PagePart part{.header = out.size(), .begin = out.size(), .name_size = family.name.size()};
  const bool has_created =
      family.type == MetricType::kCounter && format == PageFormat::kOpenMetrics;
  std::set<std::pair<std::string_view, std::string_view>> written;
  for (const FamilySource& source : family.sources) {
    if (rows_[source.counterset] == nullptr || !has_room_[source.counterset]) continue;
    const CountersetSample& values = *sample.countersets[source.counterset].sample;
    CountersetCounts& count = counts[source.counterset];
    const bool begins_with_sample =
        values.schema->counters[source.value.column].info().formula == Formula::kDelta;
    for (const RowText& row : rows_[source.counterset]->rows) {
      const auto value = metric_value(source.value, values, row.row);
      if (!value) continue;
      if (source.may_repeat && !written.emplace(row.labels, source.labels).second) {
        ++count.duplicates;
        continue;
      }
      if (part.header_size == 0) {
        append_header(out, format, family.name, family.help, name_of(family.type));
        part.header_size = out.size() - part.header;
        part.begin = out.size();
      }
      out += family.name;
      const std::size_t begin = out.size();
      append_all_labels(out, source, row.labels,
                        values.raw[values.cell(row.row, source.value.column)]);
      const std::size_t end = out.size();
      out += ' ';
      std::visit([&](auto number) { append_number(out, number); }, *value);
      out += '\n';
      if (has_created && row.started && !begins_with_sample)
        append_created(out, family.name, out.substr(begin, end - begin), *row.started);
      ++count.series;
    }
    if (out.size() == part.begin) continue;
    part.counterset = source.counterset;
    part.end = out.size();
    parts_.push_back(part);
    part.begin = part.end;
  }
}

}  // namespace winperf
