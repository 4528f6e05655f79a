#include "exporter/profiles/name_template.h"

#include <algorithm>
#include <cstddef>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

constexpr std::size_t kNotThere = std::string_view::npos;

// The text up to the next part, and that part.
struct Piece {
  std::string_view text;
  bool has_part = false;
  std::string_view label;
  std::string_view modifier;
};

Piece take_piece(std::string_view& pattern) {
  Piece piece;
  const std::size_t open = pattern.find('{');
  piece.text = pattern.substr(0, open);
  if (open == kNotThere) {
    pattern = {};
    return piece;
  }
  const std::size_t close = pattern.find('}', open);
  const std::string_view inside = pattern.substr(open + 1, close - open - 1);
  pattern = close == kNotThere ? std::string_view() : pattern.substr(close + 1);
  const std::size_t colon = inside.find(':');
  piece.has_part = true;
  piece.label = inside.substr(0, colon);
  if (colon != kNotThere) piece.modifier = inside.substr(colon + 1);
  return piece;
}

std::size_t find_text(std::string_view name, std::string_view text, std::size_t from) {
  for (std::size_t at = from; at + text.size() <= name.size(); ++at)
    if (equal_names(name.substr(at, text.size()), text)) return at;
  return kNotThere;
}

// Where the part at the beginning of `name` ends, before the text of what comes next.
std::size_t end_of_part(std::string_view name, const Piece& next) {
  if (next.has_part) return find_text(name, next.text, 1);
  if (name.size() < next.text.size()) return kNotThere;
  const std::size_t end = name.size() - next.text.size();
  return equal_names(name.substr(end), next.text) ? end : kNotThere;
}

std::string as_words(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool is_gap = c == ' ' || c == '\t' || c == '.' || c == '_';
    if (!is_gap)
      words += ascii_lower(c);
    else if (!words.ends_with('_'))
      words += '_';
  }
  return words;
}

std::string as_rdp(std::string_view text) {
  std::string changed(text);
  if (const std::size_t at = text.find("RDP-tcp"); at != kNotThere) changed[at + 4] = 'T';
  return changed;
}

std::string modified(std::string_view text, std::string_view modifier) {
  if (modifier == "words") return as_words(text);
  if (modifier == "rdp") return as_rdp(text);
  return std::string(text);
}

}  // namespace

std::optional<std::vector<LabelPart>> match_name(std::string_view pattern, std::string_view name) {
  std::vector<LabelPart> labels;
  Piece piece = take_piece(pattern);
  if (find_text(name.substr(0, piece.text.size()), piece.text, 0) != 0) return std::nullopt;
  name.remove_prefix(piece.text.size());
  while (piece.has_part) {
    const Piece next = take_piece(pattern);
    const std::size_t end = end_of_part(name, next);
    if (end == kNotThere || end == 0) return std::nullopt;
    if (!piece.label.empty())
      labels.push_back({std::string(piece.label), modified(name.substr(0, end), piece.modifier)});
    name.remove_prefix(end + next.text.size());
    piece = next;
  }
  if (!name.empty()) return std::nullopt;
  return labels;
}

std::vector<LabelPart> parse_labels(std::string_view text) {
  std::vector<LabelPart> labels;
  while (!text.empty()) {
    const std::size_t begin = text.find("=\"");
    const std::size_t end = begin == kNotThere ? kNotThere : text.find('"', begin + 2);
    if (end == kNotThere) break;
    labels.push_back(
        {std::string(text.substr(0, begin)), std::string(text.substr(begin + 2, end - begin - 2))});
    text.remove_prefix(std::min(end + 2, text.size()));  // the quote, and a comma
  }
  return labels;
}

std::vector<std::string> labels_of_template(std::string_view pattern) {
  std::vector<std::string> labels;
  while (!pattern.empty()) {
    const Piece piece = take_piece(pattern);
    if (!piece.label.empty()) labels.emplace_back(piece.label);
  }
  return labels;
}

}  // namespace winperf
