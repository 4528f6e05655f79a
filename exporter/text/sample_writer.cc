#include "exporter/text/sample_writer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "exporter/mapping/family.h"
#include "exporter/text/page_format.h"
#include "exporter/text/series_text.h"

namespace winperf {
namespace {

using namespace std::string_view_literals;

void append_raw(std::string& out, const CountersetSample& sample, std::size_t row,
                std::size_t column) {
  const CounterSchema& counter = sample.schema->counters[column];
  const std::uint64_t raw = sample.raw[sample.cell(row, column)];
  const auto negative =
      negative_of(sample.layout->columns[column].type, counter.reading, raw, counter.size);
  negative ? append_number(out, *negative) : append_number(out, raw);
}

// In braces, with the blank before the number.
void append_all_labels(std::string& out, const FamilySource& source, const RowText& row,
                       const CountersetSample& sample) {
  const std::string_view open = row.open_labels();
  out += open;
  bool has_labels = !open.empty();
  const auto begin_next = [&] { out += std::exchange(has_labels, true) ? ',' : '{'; };
  if (!source.labels.empty()) {
    begin_next();
    out += source.labels;
  }
  const ValueLabel& label = source.value_label;
  if (!label.name.empty() && has_raw(sample.reason[sample.cell(row.row, label.column)])) {
    begin_next();
    out += label.name;
    out += "=\""sv;
    append_raw(out, sample, row.row, label.column);
    out += "\"} "sv;
  } else {
    out += has_labels ? "} "sv : " "sv;
  }
}

// Whether the number begins anew with each sample.
bool begins_with_sample(const ValueRule& value, const CountersetSchema& schema) {
  return is_of_counter(value.source) &&
         schema.counters[value.column].info().formula == Formula::kDelta;
}

// The labels of a family's series so far.
using WrittenLabels = std::set<std::pair<std::string_view, std::string_view>>;

// The lines of a source that need more than a number.
void append_each(std::string& out, const SeriesText& series, const FamilySource& source,
                 const CountersetSample& values, bool is_created, WrittenLabels& written,
                 CountersetCounts& count) {
  const bool tells = is_created && !begins_with_sample(source.value, *values.schema);
  for (const RowText& row : series.rows.rows) {
    if (series.shown != nullptr && !(*series.shown)[row.row]) continue;
    const auto value = value_of(source.value, series.rows, row, values);
    if (!value) continue;
    if (source.may_repeat && !written.emplace(row.labels(), source.labels).second) {
      ++count.duplicates;
      continue;
    }
    out += series.name;
    const std::size_t begin = out.size();
    append_all_labels(out, source, row, values);
    const std::size_t end = out.size() - 1;
    std::visit([&](auto number) { append_number(out, number); }, *value);
    out += '\n';
    if (tells && row.started)
      append_created(out, series.name, out.substr(begin, end - begin), *row.started);
    ++count.series;
  }
}

// Where the next value is that is missing, or the end. Most samples miss none, so eight are looked
// at together.
std::size_t next_reason(std::span<const NoValue> reasons, std::size_t at) {
  static_assert(NoValue{} == NoValue::kNone && sizeof(NoValue) == 1);
  std::uint64_t eight = 0;
  for (; at + sizeof eight <= reasons.size(); at += sizeof eight) {
    std::memcpy(&eight, &reasons[at], sizeof eight);
    if (eight != 0) break;
  }
  while (at < reasons.size() && reasons[at] == NoValue::kNone) ++at;
  return at;
}

CountersetCounts count_missing(const CountersetState& state, const ObjectMapping* object) {
  CountersetCounts counts;
  if (object == nullptr) return counts;  // there is no sample
  counts.unnamed = object->unnamed;
  counts.not_numeric = object->not_numeric;
  const std::vector<NoValue>& reasons = state.sample->reason;
  for (std::size_t at = next_reason(reasons, 0); at < reasons.size();
       at = next_reason(reasons, at + 1))
    ++counts.missing.at(static_cast<std::size_t>(reasons[at]));
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
  PagePart part{.header = out.size(), .header_size = text.header.size()};
  part.name_size = family.name.size();
  out += text.header;
  part.begin = out.size();
  const std::size_t parts_before = parts_.size();
  WrittenLabels written;
  for (std::size_t i = 0; i < family.sources.size(); ++i) {
    const FamilySource& source = family.sources[i];
    const RowSet& set = plan.row_sets[source.rows];
    const RowTexts* const rows = rows_[source.rows].get();
    if (rows == nullptr || !has_room_[set.counterset]) continue;
    const CountersetSample& values = *sample.countersets[set.counterset].sample;
    CountersetCounts& count = counts[set.counterset];
    const SeriesText series{family.name, text.ends[i], *rows, shown_rows(set)};
    const bool is_created = text.has_created && options_.created;
    if (source.may_repeat || is_created || !source.value_label.name.empty())
      append_each(out, series, source, values, is_created, written, count);
    else
      count.series += append_series(out, series, source.value, values);
    if (out.size() == part.begin) continue;
    part.counterset = set.counterset;
    part.end = out.size();
    parts_.push_back(part);
    part.begin = part.end;
  }
  if (parts_.size() == parts_before) out.resize(part.header);
}

}  // namespace winperf
