#include "exporter/text/pdh_text.h"

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace winperf {
namespace {

// "11/27/2026 12:00:01.250"
std::string local_time_text(Ticks100ns time, std::chrono::seconds offset) {
  using std::chrono::days;
  const std::chrono::milliseconds since_1970 =
      std::chrono::milliseconds((time.ticks - kUnixEpoch100ns) / 10'000) + offset;
  const std::chrono::sys_days day{std::chrono::floor<days>(since_1970)};
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{since_1970 - day.time_since_epoch()};
  char text[64];
  std::snprintf(
      text, sizeof text, "%02u/%02u/%04d %02d:%02d:%02d.%03d", static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), static_cast<int>(date.year()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

std::string value_text(double value) {
  char text[512];  // the largest double has 309 digits before its point
  std::snprintf(text, sizeof text, "%.6f", value);
  return text;
}

}  // namespace

std::string counter_path(std::string_view host, const CountersetSchema& schema,
                         std::string_view instance, const CounterSchema& counter) {
  std::string path;
  if (!host.empty()) path.append("\\\\").append(host);
  path.append("\\").append(schema.name);
  if (schema.multi_instance) path.append("(").append(instance).append(")");
  return path.append("\\").append(counter.name.empty() ? std::to_string(value_of(counter.index))
                                                       : counter.name);
}

std::string PdhText::path_of_cell(const CountersetSample& sample, std::size_t row,
                                  std::size_t column) const {
  const CountersetSchema& schema = *sample.schema;
  return counter_path(schema.machine.empty() ? host_ : schema.machine, schema,
                      schema.multi_instance ? display_name(sample.instances->instances[row]) : "",
                      schema.counters[column]);
}

void PdhText::append(std::string& out,
                     std::span<const std::shared_ptr<const CountersetSample>> samples,
                     Ticks100ns time) {
  if (!std::exchange(has_heading_, true)) append_heading(out, samples);
  std::vector<std::optional<double>> values(columns_.size());
  for (const auto& sample : samples) {
    for (std::size_t row = 0; row < sample->rows(); ++row) {
      for (std::size_t column = 0; column < sample->columns(); ++column) {
        const auto found = columns_.find(path_of_cell(*sample, row, column));
        const std::size_t cell = sample->cell(row, column);
        if (found == columns_.end()) {
          ++values_without_column_;
        } else if (sample->reason[cell] == NoValue::kNone) {
          values[found->second] = sample->cooked[cell];
        }
      }
    }
  }
  append_cell(out, local_time_text(time, utc_offset_(time)));
  for (const std::optional<double>& value : values) {
    out += separator_;
    append_cell(out, value ? value_text(*value) : " ");
  }
  out += '\n';
}

void PdhText::append_heading(std::string& out,
                             std::span<const std::shared_ptr<const CountersetSample>> samples) {
  append_cell(out, separator_ == ',' ? "(PDH-CSV 4.0)" : "(PDH-TSV 4.0)");
  for (const auto& sample : samples) {
    for (std::size_t row = 0; row < sample->rows(); ++row) {
      for (std::size_t column = 0; column < sample->columns(); ++column) {
        std::string path = path_of_cell(*sample, row, column);
        // Two of one path would be one column for every reader.
        if (columns_.contains(path)) continue;
        out += separator_;
        append_cell(out, path);
        columns_.emplace(std::move(path), columns_.size());
      }
    }
  }
  out += '\n';
}

// Quoted, with a quotation mark doubled. A name is foreign text, so that no control character of it
// may begin a cell or a line.
void PdhText::append_cell(std::string& out, std::string_view text) const {
  out += '"';
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += static_cast<unsigned char>(letter) < ' ' || letter == '\x7F' ? '?' : letter;
  }
  out += '"';
}

}  // namespace winperf
