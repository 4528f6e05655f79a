#include "exporter/profiles/name_template.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

constexpr std::size_t kNotThere = std::string_view::npos;
constexpr std::string_view kFirst = "first";
constexpr std::string_view kNumber = "number";

// A part, and the text between it and the next one or the end of the name.
struct Part {
  std::string_view label;
  std::string_view modifier;
  std::string_view text;
};

struct Template {
  std::string_view head;  // the text before the first part
  std::vector<Part> parts;
};

Template parsed(std::string_view pattern) {
  Template result{.head = pattern.substr(0, pattern.find('{')), .parts = {}};
  while (true) {
    const std::size_t open = pattern.find('{');
    const std::size_t close = open == kNotThere ? kNotThere : pattern.find('}', open);
    if (close == kNotThere) return result;
    const std::string_view inside = pattern.substr(open + 1, close - open - 1);
    pattern.remove_prefix(close + 1);
    const std::size_t colon = inside.find(':');
    result.parts.push_back(
        {.label = inside.substr(0, colon),
         .modifier = colon == kNotThere ? std::string_view() : inside.substr(colon + 1),
         .text = pattern.substr(0, pattern.find('{'))});
  }
}

bool is_text_at(std::string_view name, std::string_view text, std::size_t at) {
  return at <= name.size() && equal_names(name.substr(at, text.size()), text);
}

// The first place of the text that isn't before `from`.
std::size_t first_place(std::string_view name, std::string_view text, std::size_t from) {
  for (std::size_t at = from; at + text.size() <= name.size(); ++at)
    if (is_text_at(name, text, at)) return at;
  return kNotThere;
}

// The last place of the text that leaves at least one character before it, and `after` following
// it.
std::size_t last_place(std::string_view name, std::string_view text, std::size_t after) {
  if (name.size() < text.size() + after) return kNotThere;
  for (std::size_t at = name.size() - text.size() - after; at > 0; --at)
    if (is_text_at(name, text, at)) return at;
  return kNotThere;
}

using Values = std::vector<std::string_view>;  // of the parts

// Takes the parts from the front of the name that are as short as possible. False if one doesn't
// fit.
bool take_short_parts(const std::vector<Part>& parts, std::string_view& name, Values& values) {
  for (const Part& part : parts) {
    const bool is_last = &part == &parts.back();
    if (is_last || (part.modifier != kFirst && part.modifier != kNumber)) return true;
    const std::size_t end = first_place(name, part.text, 1);
    if (end == kNotThere) return false;
    values.push_back(name.substr(0, end));
    if (part.modifier == kNumber && !std::ranges::all_of(values.back(), is_digit)) return false;
    name.remove_prefix(end + part.text.size());
  }
  return true;
}

// Splits the name into the other parts, from its end. False if one doesn't fit.
bool take_long_parts(std::span<const Part> parts, std::string_view name, Values& values) {
  if (parts.empty()) return name.empty();
  const std::string_view end = parts.back().text;
  if (name.size() < end.size() || !is_text_at(name, end, name.size() - end.size())) return false;
  name.remove_suffix(end.size());
  std::size_t at_least = end.empty() ? 0 : 1;  // characters of the part
  const std::size_t before = values.size();
  for (std::size_t i = parts.size() - 1; i > 0; --i) {
    const std::string_view text = parts[i - 1].text;
    const std::size_t at = last_place(name, text, at_least);
    if (at == kNotThere) return false;
    values.push_back(name.substr(at + text.size()));
    name = name.substr(0, at);
    at_least = 1;
  }
  values.push_back(name);
  std::reverse(values.begin() + static_cast<std::ptrdiff_t>(before), values.end());
  return name.size() >= at_least;
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
  const Template wanted = parsed(pattern);
  if (!is_text_at(name, wanted.head, 0)) return std::nullopt;
  name.remove_prefix(wanted.head.size());
  Values values;
  if (!take_short_parts(wanted.parts, name, values)) return std::nullopt;
  if (!take_long_parts(std::span(wanted.parts).subspan(values.size()), name, values))
    return std::nullopt;
  std::vector<LabelPart> labels;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const Part& part = wanted.parts[i]; !part.label.empty())
      labels.push_back({std::string(part.label), modified(values[i], part.modifier)});
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
  for (const Part& part : parsed(pattern).parts)
    if (!part.label.empty()) labels.emplace_back(part.label);
  return labels;
}

}  // namespace winperf
