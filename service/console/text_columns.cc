#include "service/console/text_columns.h"

#include <algorithm>
#include <span>

#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"

namespace winperf {
namespace {

constexpr std::string_view kEllipsis = "\u2026";
constexpr std::size_t kGap = 2;     // blanks between two columns
constexpr std::size_t kLeast = 12;  // no column is cut to less

std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

}  // namespace

std::size_t text_width(const std::string& text) { return characters_in(printable(text)); }

std::string_view first_characters(std::string_view line, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < line.size(); ++at)
    if (starts_character(line[at]) && ++used > columns) break;
  return line.substr(0, at);
}

void append_padded(std::string& out, const std::string& text, std::size_t columns) {
  const std::string shown = printable(text);
  out += shown;
  const std::size_t used = characters_in(shown);
  out.append(used < columns ? columns - used : 0, ' ');
  out += "  ";
}

std::string fitted(std::string_view line, std::size_t columns) {
  if (first_characters(line, columns).size() == line.size()) return std::string(line);
  return std::string(first_characters(line, columns - 1)) + std::string(kEllipsis);
}

std::string fitted_lines(std::string_view lines, std::size_t columns) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    out += fitted(lines.substr(0, end), columns);
    if (end < lines.size()) out += '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

namespace {

// Cuts the widest of these columns until the line, which is `all` wide, fits.
void cut_widest(std::span<std::size_t> widths, std::size_t& all, std::size_t most_columns) {
  while (!widths.empty() && all > most_columns) {
    // Down to the second widest, so that the widest ones become equally wide.
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= kLeast) break;
    std::size_t next = kLeast;
    for (const std::size_t width : widths)
      if (width < *widest) next = std::max(next, width);
    const auto equal = static_cast<std::size_t>(std::ranges::count(widths, *widest));
    const std::size_t less =
        std::max<std::size_t>(1, std::min(*widest - next, (all - most_columns) / equal));
    *widest -= less;
    all -= less;
  }
}

}  // namespace

// The first column says what the row is, so it is cut last.
std::vector<std::size_t> TextColumns::widths(std::size_t most_columns) const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  std::size_t all = (widths.size() - 1) * kGap;
  for (const std::size_t width : widths) all += width;
  cut_widest(std::span(widths).subspan(1), all, most_columns);
  cut_widest(std::span(widths).first(1), all, most_columns);
  return widths;
}

std::string TextColumns::text(std::size_t most_columns) const {
  const std::vector<std::size_t> widths = this->widths(most_columns);
  std::string out;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      append_padded(out, fitted(printable(row[i]), widths[i]), widths[i]);
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace winperf
