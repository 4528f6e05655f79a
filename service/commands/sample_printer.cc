#include "service/commands/sample_printer.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/local_time.h"
#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"
#include "exporter/json/json_text.h"
#include "exporter/json/sample_document.h"
#include "exporter/mapping/counter_name.h"
#include "exporter/mapping/name_table.h"
#include "exporter/text/sample_writer.h"
#include "service/console/human_number.h"
#include "service/console/json_document.h"
#include "service/console/text_columns.h"

namespace winperf {
namespace {

constexpr std::size_t kIndent = 2;  // of the lines of a table

struct Line {
  std::string instance;
  std::string counter;
  std::string value;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// How a counter's number is shown as bytes.
struct ByteUnit {
  double bytes = 0;  // of one; 0 if it doesn't count bytes
  bool is_rate = false;
};

// By the unit in the name of the counter's metric: "Working Set" counts bytes, too.
ByteUnit byte_unit(const CountersetSchema& schema, const CounterSchema& counter) {
  const std::string object = installation_of(schema.name).object;
  const MetricType type =
      counter.info().formula == Formula::kRaw ? MetricType::kGauge : MetricType::kCounter;
  const CounterName name = name_counter(counter, type, counter_row(object, counter.name), object);
  if (!name.unit.starts_with("_bytes")) return {};
  return {.bytes = name.factor, .is_rate = name.unit.ends_with("_per_second")};
}

// Of each column; empty if numbers are exact.
std::vector<ByteUnit> byte_units(const CountersetSchema& schema, bool is_human) {
  std::vector<ByteUnit> units;
  if (is_human)
    for (const CounterSchema& counter : schema.counters)
      units.push_back(byte_unit(schema, counter));
  return units;
}

std::string human_text(double value, const CounterSchema& counter, const ByteUnit& unit) {
  const std::string_view suffix = counter.info().suffix;
  if (suffix == "%") return human_number(value) + " %";
  if (suffix == "secs") return human_seconds(value);
  std::string text = unit.bytes > 0 ? human_bytes(value * unit.bytes) : human_number(value);
  if (suffix.starts_with("/sec") || unit.is_rate) return text + "/s";
  return suffix.empty() ? text : text + ' ' + std::string(suffix);
}

std::string value_text(const CountersetSample& sample, std::size_t row, std::size_t column,
                       const std::vector<ByteUnit>& units) {
  const CounterSchema& counter = sample.schema->counters[column];
  const std::size_t cell = sample.cell(row, column);
  const NoValue reason = sample.reason[cell];
  if (reason != NoValue::kNone) return "- (" + std::string(name_of(reason)) + ")";
  // An id or a state is shown as it is.
  if (!units.empty() && (counter.info().formula != Formula::kRaw || units[column].bytes > 0))
    return human_text(sample.cooked[cell], counter, units[column]);
  // States are whole numbers, and are shown as such instead of as 1.71799e+10.
  if (counter.info().formula == Formula::kRaw) return raw_text(counter, sample.raw[cell]);
  return number(sample.cooked[cell]) +
         std::string(counter.info().suffix.starts_with('/') ? "" : " ") +
         std::string(counter.info().suffix);
}

std::string name_of_counter(const CounterSchema& counter) {
  return counter.name.empty() ? std::to_string(value_of(counter.index)) : counter.name;
}

std::vector<Line> lines_of(const CountersetSample& sample, bool is_human) {
  std::vector<Line> lines;
  const std::vector<ByteUnit> units = byte_units(*sample.schema, is_human);
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::string instance =
        sample.schema->multi_instance ? display_name(sample.instances->instances[row]) : "";
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      lines.push_back({instance, name_of_counter(sample.schema->counters[column]),
                       value_text(sample, row, column, units)});
    }
  }
  return lines;
}

std::string identifier_of(const CountersetSchema& schema) {
  if (schema.path == CounterPath::kLog) return std::string(name_of(schema.path));
  return schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index));
}

void append_head(std::string& out, const CountersetSchema& schema) {
  out += printable(schema.name) + " [" + identifier_of(schema) + ']';
  if (!schema.machine.empty()) out += " on " + printable(schema.machine);
  out += '\n';
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void append_table(std::string& out, const CountersetSamples& samples, bool is_human,
                  std::size_t most_columns) {
  for (const auto& sample : samples) {
    append_head(out, *sample->schema);
    const std::vector<Line> lines = lines_of(*sample, is_human);
    if (lines.empty()) {
      out += sample->columns() == 0 ? "  no such counter\n" : "  no instances\n";
      continue;
    }
    std::optional<TextColumns> table;
    for (const Line& line : lines) {
      std::vector<std::string> row{line.counter, line.value};
      if (sample->schema->multi_instance) row.insert(row.begin(), line.instance);
      if (table)
        table->add(std::move(row));
      else
        table.emplace(std::move(row));
    }
    for (const std::string& line : split_lines(table->text(most_columns - kIndent)))
      out += std::string(kIndent, ' ') + line + '\n';
  }
}

// The instances in the order of a counter, the largest value first; those without one at the end.
std::vector<std::size_t> ranked_rows(const CountersetSample& sample, std::size_t column) {
  std::vector<std::size_t> rows(sample.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto has_value = [&](std::size_t row) {
    return sample.reason[sample.cell(row, column)] == NoValue::kNone;
  };
  std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
    if (!has_value(a) || !has_value(b)) return has_value(a) && !has_value(b);
    return sample.cooked[sample.cell(a, column)] > sample.cooked[sample.cell(b, column)];
  });
  return rows;
}

// A line for each instance; what is wider than the terminal is cut off.
std::vector<std::string> ranking_lines(const CountersetSample& sample, const Ranking& ranking,
                                       bool is_human) {
  const std::vector<CounterSchema>& counters = sample.schema->counters;
  const auto by = std::ranges::find_if(
      counters, [&](const CounterSchema& counter) { return is_called(counter, ranking.by); });
  const auto column = static_cast<std::size_t>(by == counters.end() ? 0 : by - counters.begin());
  // That column is the first one.
  std::vector<std::size_t> order(counters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto first = order.begin() + static_cast<std::ptrdiff_t>(column);
  std::rotate(order.begin(), first, first + 1);
  std::vector<std::string> head{"INSTANCE"};
  for (const std::size_t i : order) head.push_back(name_of_counter(counters[i]));
  TextColumns table(std::move(head));
  const std::vector<ByteUnit> units = byte_units(*sample.schema, is_human);
  for (const std::size_t row : ranked_rows(sample, column)) {
    const InstanceSchema& instance = sample.instances->instances[row];
    if (is_total(instance) || instance.process_id == 0U) continue;
    std::vector<std::string> cells{display_name(instance)};
    for (const std::size_t i : order)
      cells.push_back(sample.reason[sample.cell(row, i)] == NoValue::kNone
                          ? value_text(sample, row, i, units)
                          : "-");
    table.add(std::move(cells));
  }
  return split_lines(table.text());
}

void append_ranking(std::string& out, const CountersetSamples& samples, const Ranking& ranking,
                    bool is_human) {
  const std::size_t columns =
      ranking.terminal ? ranking.terminal->columns : std::numeric_limits<std::size_t>::max();
  std::vector<std::string> shown;
  for (const auto& sample : samples) {
    const bool has_ranks = sample->schema->multi_instance && sample->columns() != 0;
    std::string text;
    if (has_ranks) {
      append_head(text, *sample->schema);
    } else {
      append_table(text, {sample}, is_human, columns);
    }
    std::ranges::move(split_lines(text), std::back_inserter(shown));
    if (!has_ranks) continue;
    std::vector<std::string> lines = ranking_lines(*sample, ranking, is_human);
    if (ranking.most != 0 && lines.size() > ranking.most + 1) lines.resize(ranking.most + 1);
    std::ranges::move(lines, std::back_inserter(shown));
  }
  if (ranking.terminal) {
    if (shown.size() >= ranking.terminal->rows) shown.resize(ranking.terminal->rows - 1);
    // To the first line; each line clears what was there before, and the last one all below.
    out += "\x1b[H";
  }
  for (const std::string& line : shown) {
    out += first_characters(line, columns);
    out += ranking.terminal ? "\x1b[K\n" : "\n";
  }
  if (ranking.terminal) out += "\x1b[J";
}

// ", 2021-04-01T12:08:52.7780000Z"; empty if it is no time.
std::string time_text(Ticks100ns time) {
  std::string text;
  json::append_time(text, time);
  std::erase(text, '"');
  return text == "null" ? "" : ", " + text;
}

std::string page_of(const CountersetSamples& samples, const MappingOptions& options) {
  Sample page;
  for (const auto& sample : samples) {
    CountersetState& state = page.countersets.emplace_back();
    state.name = sample->schema->name;
    state.sample = sample;
    state.success = true;
  }
  std::string text;
  SampleWriter(options).append(text, page);
  return text;
}

PdhSeparator separator_of(OutputFormat format) {
  return format == OutputFormat::kTsv ? PdhSeparator::kTab : PdhSeparator::kComma;
}

}  // namespace

SamplePrinter::SamplePrinter(PrintOptions options)
    : options_(std::move(options)),
      pdh_(separator_of(options_.format), options_.host, utc_offset) {}

void SamplePrinter::print(const CountersetSamples& samples) {
  const auto time =
      samples.empty() ? std::nullopt : std::optional(samples.front()->clocks.time_100ns);
  print_one(samples, time, {});
}

void SamplePrinter::print(const RecordedSample& sample) {
  print_one(sample.countersets, sample.time, heading_of(sample));
}

void SamplePrinter::finish() {
  if (options_.format == OutputFormat::kPrometheus) std::cout << page_of(last_, options_.mapping);
}

// "sample 3, 2021-04-01T12:08:52.7780000Z, HOST"
std::string SamplePrinter::heading_of(const RecordedSample& sample) const {
  std::string heading = "sample " + std::to_string(count_);
  if (sample.time) heading += time_text(*sample.time);
  if (!sample.host.empty()) heading += ", " + printable(sample.host);
  return heading + '\n' + (sample.countersets.empty() ? "  nothing\n" : "");
}

void SamplePrinter::print_one(const CountersetSamples& samples, std::optional<Ticks100ns> time,
                              const std::string& heading) {
  for (const auto& sample : samples) lacks_counters_ |= sample->columns() == 0;
  std::string out;
  switch (options_.format) {
    case OutputFormat::kJson:
      json::append_query_line(out, kJsonSchema, count_, time, samples);
      break;
    case OutputFormat::kTable:
      out = heading;
      if (options_.ranking) {
        append_ranking(out, samples, *options_.ranking, options_.is_human);
      } else {
        append_table(out, samples, options_.is_human, options_.columns);
      }
      break;
    case OutputFormat::kCsv:
    case OutputFormat::kTsv:
      pdh_.append(out, samples, time.value_or(Ticks100ns{}));
      break;
    case OutputFormat::kPrometheus:
      last_ = samples;
      break;
  }
  ++count_;
  std::cout << out << std::flush;
}

}  // namespace winperf
