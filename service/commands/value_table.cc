#include "service/commands/value_table.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "service/console/text_columns.h"

namespace winperf {
namespace {

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

std::string value_text(const CountersetSample& sample, std::size_t cell,
                       const CounterSchema& counter) {
  const NoValue reason = sample.reason[cell];
  if (reason != NoValue::kNone) return "- (" + std::string(name_of(reason)) + ")";
  // A state is a whole number; shown as such, not as 1.71799e+10.
  if (counter.info().formula == Formula::kRaw) return std::to_string(sample.raw[cell]);
  return number(sample.cooked[cell]) +
         std::string(counter.info().suffix.starts_with('/') ? "" : " ") +
         std::string(counter.info().suffix);
}

std::vector<Line> lines_of(const CountersetSample& sample) {
  std::vector<Line> lines;
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::string instance =
        sample.schema->multi_instance ? display_name(sample.instances->instances[row]) : "";
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      const CounterSchema& counter = sample.schema->counters[column];
      const std::string name =
          counter.name.empty() ? std::to_string(value_of(counter.index)) : counter.name;
      lines.push_back({instance, name, value_text(sample, sample.cell(row, column), counter)});
    }
  }
  return lines;
}

std::string place_of(const CountersetSchema& schema) {
  if (schema.path == CounterPath::kLog) return std::string(name_of(schema.path));
  return schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index));
}

}  // namespace

void append_table(std::string& out,
                  std::span<const std::shared_ptr<const CountersetSample>> samples) {
  for (const auto& sample : samples) {
    const std::vector<Line> lines = lines_of(*sample);
    std::size_t instance_columns = 0;
    std::size_t counter_columns = 0;
    for (const Line& line : lines) {
      instance_columns = std::max(instance_columns, text_width(line.instance));
      counter_columns = std::max(counter_columns, text_width(line.counter));
    }
    out += sample->schema->name + " [" + place_of(*sample->schema) + ']';
    if (!sample->schema->machine.empty()) out += " on " + sample->schema->machine;
    out += '\n';
    for (const Line& line : lines) {
      out += "  ";
      if (instance_columns != 0) append_padded(out, line.instance, instance_columns);
      append_padded(out, line.counter, counter_columns);
      out += line.value + '\n';
    }
    if (lines.empty()) out += "  no instances\n";
  }
}

}  // namespace winperf
