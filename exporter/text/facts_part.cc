#include "exporter/text/facts_part.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <ranges>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "exporter/profiles/collector.h"
#include "exporter/text/page_format.h"

namespace winperf {
namespace {

// In OpenMetrics a counter without "_total" is none.
std::string_view type_of(const FactMetric& metric, PageFormat format) {
  if (!metric.is_counter) return "gauge";
  const bool is_unknown = format == PageFormat::kOpenMetrics && !metric.name.ends_with("_total");
  return is_unknown ? "unknown" : "counter";
}

void append_comments(std::string& out, PageFormat format, const FactMetric& metric) {
  append_header(out, format, metric.name, metric.help, type_of(metric, format));
}

// `labels`: without braces.
void append_line(std::string& out, const FactMetric& metric, std::string_view labels,
                 double value) {
  out += metric.name;
  if (!labels.empty()) ((out += '{') += labels) += '}';
  out += ' ';
  append_number(out, value);
  out += '\n';
}

// The series of one family.
class FamilyWriter {
 public:
  FamilyWriter(std::string& out, PageFormat format, const FactMetric& metric, std::size_t room)
      : out_(out), format_(format), metric_(metric), room_(room) {}

  void add(const std::string& labels, double value) {
    if (written_.size() == room_ || !written_.insert(labels).second) {
      ++left_out_;
      return;
    }
    if (written_.size() == 1) append_comments(out_, format_, metric_);
    append_line(out_, metric_, labels, value);
  }

  std::size_t left_out() const { return left_out_; }
  std::size_t written() const { return written_.size(); }

 private:
  std::string& out_;
  const PageFormat format_;
  const FactMetric& metric_;
  const std::size_t room_;
  std::unordered_set<std::string> written_;
  std::size_t left_out_ = 0;
};

std::string with_label(std::string labels, std::string_view name, std::string_view value) {
  add_label(labels, name, value);
  return labels;
}

std::string labels_of(const FactMetric& metric, const FactRow& row) {
  std::string labels;
  for (const FactLabel& label : metric.labels) {
    if (label.name.empty()) break;
    add_label(labels, label.name, row.text_of(label.field));
  }
  return labels;
}

std::optional<double> number_of(const FactRow& row, std::string_view field) {
  const FactValue* const value = row.find(field);
  const auto* const number = value == nullptr ? nullptr : std::get_if<double>(value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// A state by its name, or by its place.
std::optional<std::string> state_of(const FactMetric& metric, const FactRow& row) {
  if (row.find(metric.field) == nullptr) return std::nullopt;
  const auto place = number_of(row, metric.field);
  if (!place) return row.text_of(metric.field);
  if (!(*place >= 1) || *place > static_cast<double>(metric.states.size())) return std::nullopt;
  return std::string(metric.states[static_cast<std::size_t>(*place) - 1]);
}

// "first second;first second".
void for_each_pair(std::string_view list, auto&& use) {
  for (const auto part : std::views::split(list, ';')) {
    const std::string_view pair(part.begin(), part.end());
    // The last blank: names of states may have some.
    if (const auto blank = pair.rfind(' '); blank != pair.npos)
      use(pair.substr(0, blank), pair.substr(blank + 1));
  }
}

void add_states(FamilyWriter& family, const FactMetric& metric, const FactRow& row,
                bool current_alone) {
  const auto current = state_of(metric, row);
  if (!current) return;
  const std::string labels = labels_of(metric, row);
  for (const std::string_view state : metric.states)
    if (state == *current || !current_alone)
      family.add(with_label(labels, metric.state_label, state), state == *current ? 1 : 0);
}

void add_pairs(FamilyWriter& family, const FactMetric& metric, const FactRow& row) {
  const std::size_t blank = metric.state_label.find(' ');
  const std::string labels = labels_of(metric, row);
  for_each_pair(row.text_of(metric.field), [&](std::string_view first, std::string_view second) {
    const std::string one = with_label(labels, metric.state_label.substr(0, blank), first);
    family.add(with_label(one, metric.state_label.substr(blank + 1), second), 1);
  });
}

void add_parts(FamilyWriter& family, const FactMetric& metric, const FactRow& row) {
  const std::string labels = labels_of(metric, row);
  for_each_pair(row.text_of(metric.field), [&](std::string_view name, std::string_view digits) {
    double number = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (end.ec == std::errc()) family.add(with_label(labels, metric.state_label, name), number);
  });
}

void add_row(FamilyWriter& family, const FactMetric& metric, const FactRow& row,
             bool current_alone) {
  const auto number = number_of(row, metric.field);
  switch (metric.kind) {
    case FactKind::kInfo:
      return family.add(labels_of(metric, row), 1);
    case FactKind::kNumber:
      if (number) family.add(labels_of(metric, row), *number * metric.factor);
      return;
    case FactKind::kIsZero:
      if (number) family.add(labels_of(metric, row), *number == 0 ? 1 : 0);
      return;
    case FactKind::kIs:
      if (const auto state = state_of(metric, row))
        family.add(labels_of(metric, row), *state == metric.states.front() ? 1 : 0);
      return;
    case FactKind::kStates:
      return add_states(family, metric, row, current_alone);
    case FactKind::kPairs:
      return add_pairs(family, metric, row);
    case FactKind::kParts:
      return add_parts(family, metric, row);
    case FactKind::kCounts:
    case FactKind::kRows:
    case FactKind::kNow:
      return;
  }
}

void add_counts(FamilyWriter& family, const FactMetric& metric, const FactTable& table) {
  for (const std::string_view state : metric.states) {
    const auto count = std::ranges::count_if(
        table.rows, [&](const FactRow& row) { return state_of(metric, row) == state; });
    family.add(with_label({}, metric.state_label, state), static_cast<double>(count));
  }
}

const FactState* fresh_state(const FactSnapshot& facts, FactTopic topic, SteadyTime now) {
  const auto found = std::ranges::find(facts.topics, topic, &FactState::topic);
  return found != facts.topics.end() && is_fresh(*found, now) ? &*found : nullptr;
}

}  // namespace

WrittenFacts append_facts(std::string& out, PageFormat format, const FactSnapshot& facts,
                          std::span<const MetricProfile> profiles, SteadyTime now,
                          const PageSelection& selection, std::size_t max_series_of_topic,
                          PageDetail detail) {
  WrittenFacts all;
  for (const MetricProfile profile : profiles) {
    LeftOutFacts written{};  // of this profile
    const bool current_alone = detail == PageDetail::kUsual && profile == MetricProfile::kWinperf;
    for (const FactMetric& metric : fact_metrics(profile)) {
      if (!selection.has_topic(metric.topic) || !selection.has_name(metric.name)) continue;
      const FactState* const state = fresh_state(facts, metric.topic, now);
      if (state == nullptr) continue;
      const auto at = static_cast<std::size_t>(metric.topic);
      std::string time;
      const bool is_time = metric.kind == FactKind::kNow;
      FamilyWriter family(is_time ? time : out, format, metric,
                          max_series_of_topic - written.at(at));
      if (is_time) {
        family.add({}, 0);
        if (!time.empty()) all.times.push_back(&metric);
      } else if (metric.kind == FactKind::kRows) {
        family.add({}, static_cast<double>(state->table->rows.size()));
      } else if (metric.kind == FactKind::kCounts) {
        add_counts(family, metric, *state->table);
      } else {
        for (const FactRow& row : state->table->rows) add_row(family, metric, row, current_alone);
      }
      written.at(at) += family.written();
      all.left_out.at(at) += family.left_out();
    }
  }
  return all;
}

void append_times(std::string& out, PageFormat format, std::span<const FactMetric* const> times,
                  double unix_seconds) {
  for (const FactMetric* const metric : times) {
    append_comments(out, format, *metric);
    append_line(out, *metric, {}, unix_seconds);
  }
}

}  // namespace winperf
