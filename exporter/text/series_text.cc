#include "exporter/text/series_text.h"

#include <algorithm>
#include <bit>
#include <variant>

#include "exporter/text/copied_text.h"
#include "exporter/text/number_text.h"

namespace winperf {
namespace {

// Of all lines, if each row has the longest number.
std::size_t room_for(const SeriesText& series) {
  const std::size_t ends = std::max(series.ends.alone.size(), series.ends.after_labels.size());
  return series.rows.text_bytes +
         series.rows.rows.size() * (series.name.size() + ends + kMostOfANumber + 1);
}

// What is between the name and the number, if the family has labels.
char* write_all_labels(char* to, const RowText& row, const LabelEnds& ends) {
  const std::string_view open = row.open_labels();
  if (open.empty()) return copied(to, ends.alone);
  to = copied(to, open);
  return copied(to, ends.after_labels);
}

// `number`: of a row, if it has one.
std::size_t append_rows(std::string& out, const SeriesText& series, const auto& number,
                        const auto& write) {
  const std::size_t begin = out.size();
  const bool has_labels = series.ends.has_labels();
  std::size_t written = 0;
  out.resize_and_overwrite(begin + room_for(series), [&](char* text, std::size_t) {
    char* to = text + begin;
    for (const RowText& row : series.rows.rows) {
      if (series.shown != nullptr && !(*series.shown)[row.row]) continue;
      const auto value = number(row);
      if (!value) continue;
      to = copied(to, series.name);
      to = has_labels ? write_all_labels(to, row, series.ends) : copied(to, row.text);
      to = write(to, *value);
      *to++ = '\n';
      ++written;
    }
    return static_cast<std::size_t>(to - text);
  });
  return written;
}

}  // namespace

std::optional<MetricValue> value_of(const ValueRule& rule, const RowTexts& rows, const RowText& row,
                                    const CountersetSample& sample) {
  if (rule.source == ValueSource::kInstances) return rows.instance_count;
  return metric_value(rule, sample, row.row);
}

std::size_t append_series(std::string& out, const SeriesText& series, const ValueRule& rule,
                          const CountersetSample& sample) {
  using Form = PlainColumn::Form;
  const PlainColumn column = plain_column(rule, sample);
  // `read`: the number of a row that has one.
  const auto append = [&](const auto& read, const auto& write) {
    const auto number = [&](const RowText& row) {
      return column.has_number(row.row) ? std::optional(read(row.row)) : std::nullopt;
    };
    return append_rows(out, series, number, write);
  };
  const auto write = [](char* to, auto number) { return write_number(to, number); };
  const auto count = [&](std::size_t row) { return column.counts[row]; };
  switch (column.form) {
    case Form::kCount:
      return append(count, write);
    case Form::kSigned:
      return append([&](std::size_t row) { return std::bit_cast<std::int64_t>(count(row)); },
                    write);
    case Form::kTicks:
      return append(count, [](char* to, std::uint64_t ticks) { return write_ticks(to, ticks); });
    case Form::kCooked:
      return append([&](std::size_t row) { return column.cooked[row] * column.factor; }, write);
    case Form::kNone:
      break;
  }
  return append_rows(
      out, series, [&](const RowText& row) { return value_of(rule, series.rows, row, sample); },
      [&](char* to, const MetricValue& value) {
        return std::visit([&](auto number) { return write(to, number); }, value);
      });
}

}  // namespace winperf
