#include "service/console/text_columns.h"

#include <algorithm>

#include "collectors/base/printable.h"

namespace winperf {
namespace {

// UTF-8 continuation bytes take up no columns.
std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& names, std::string_view separator,
                   std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : std::string(separator)) + printable(names[i]);
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

std::size_t text_width(const std::string& text) { return characters_in(printable(text)); }

void append_padded(std::string& out, const std::string& text, std::size_t columns) {
  const std::string shown = printable(text);
  out += shown;
  const std::size_t used = characters_in(shown);
  out.append(used < columns ? columns - used : 0, ' ');
  out += "  ";
}

std::string TextColumns::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  std::string out;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) append_padded(out, row[i], widths[i]);
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace winperf
