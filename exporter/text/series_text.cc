#include "exporter/text/series_text.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "exporter/text/number_text.h"

namespace winperf {
namespace {

// The pieces of a fixed size at the beginning and the end of a text, which may overlap.
template <std::size_t kPiece>
void copy_both_ends(char* to, std::string_view text) {
  const std::size_t last = text.size() - kPiece;
  std::memcpy(to, text.data(), kPiece);
  std::memcpy(to + last, text.data() + last, kPiece);
}

// These texts are so short that a call of memcpy() would take longer than the copy.
char* copied(char* to, std::string_view text) {
  const std::size_t size = text.size();
  if (size >= 16) {
    for (std::size_t at = 16; at < size; at += 16)
      std::memcpy(to + at - 16, text.data() + at - 16, 16);
    std::memcpy(to + size - 16, text.data() + size - 16, 16);
  } else if (size >= 8) {
    copy_both_ends<8>(to, text);
  } else if (size >= 4) {
    copy_both_ends<4>(to, text);
  } else if (size >= 2) {
    copy_both_ends<2>(to, text);
  } else if (size == 1) {
    *to = text.front();
  }
  return to + size;
}

// Of all lines, if each row has the longest number.
std::size_t room_for(const SeriesText& series) {
  const std::size_t ends = std::max(series.ends.alone.size(), series.ends.after_labels.size());
  return series.rows.label_bytes +
         series.rows.rows.size() * (series.name.size() + 1 + ends + kMostOfANumber + 1);
}

// `write`: the number of a row.
std::size_t append_rows(std::string& out, const SeriesText& series, const PlainColumn& column,
                        const auto& write) {
  const std::size_t begin = out.size();
  std::size_t written = 0;
  out.resize_and_overwrite(begin + room_for(series), [&](char* text, std::size_t) {
    char* to = text + begin;
    for (const RowText& row : series.rows.rows) {
      if (series.shown != nullptr && !(*series.shown)[row.row]) continue;
      if (!column.has_number(row.row)) continue;
      to = copied(to, series.name);
      if (row.labels.empty()) {
        to = copied(to, series.ends.alone);
      } else {
        *to++ = '{';
        to = copied(to, row.labels);
        to = copied(to, series.ends.after_labels);
      }
      to = write(to, row.row);
      *to++ = '\n';
      ++written;
    }
    return static_cast<std::size_t>(to - text);
  });
  return written;
}

}  // namespace

std::size_t append_series(std::string& out, const SeriesText& series, const PlainColumn& column) {
  using Form = PlainColumn::Form;
  const auto append = [&](const auto& write) { return append_rows(out, series, column, write); };
  switch (column.form) {
    case Form::kCount:
      return append(
          [&](char* to, std::size_t row) { return write_number(to, column.counts[row]); });
    case Form::kSigned:
      return append([&](char* to, std::size_t row) {
        return write_number(to, std::bit_cast<std::int64_t>(column.counts[row]));
      });
    case Form::kTicks:
      return append([&](char* to, std::size_t row) { return write_ticks(to, column.counts[row]); });
    case Form::kCooked:
      return append([&](char* to, std::size_t row) {
        return write_number(to, column.cooked[row] * column.factor);
      });
    case Form::kNone:
      break;
  }
  return 0;
}

}  // namespace winperf
