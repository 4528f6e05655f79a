#include "exporter/textfile/label_set.h"

#include <algorithm>

#include "exporter/mapping/label_text.h"
#include "exporter/textfile/textfile_family.h"

namespace winperf {
namespace {

std::expected<std::string, std::string> take_value(LineCursor& cursor) {
  if (!cursor.take('"'))
    return std::unexpected("a label's value is in double quotes, but here is " + cursor.shown());
  const std::string_view rest = cursor.rest();
  std::string value;
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    if (rest[at] != '\\') {
      value += rest[at];
      continue;
    }
    const auto character = unescaped(rest.substr(at));
    if (!character) return std::unexpected(character.error());
    value += *character;
    ++at;
  }
  if (at == rest.size()) return std::unexpected("a label's value doesn't end in its line");
  cursor.skip(at + 1);
  return value;
}

std::expected<std::string_view, std::string> take_label(LineCursor& cursor) {
  auto name = cursor.take_label_name();
  if (!name) return name;
  if (name->starts_with("__"))
    return std::unexpected("labels that begin with __ are reserved: " + shown_text(*name));
  cursor.skip_blanks();
  if (!cursor.take('=')) {
    return std::unexpected("= belongs behind the label " + shown_text(*name) + ", but here is " +
                           cursor.shown());
  }
  cursor.skip_blanks();
  return name;
}

}  // namespace

std::expected<TextfileLabels, std::string> take_labels(LineCursor& cursor) {
  TextfileLabels labels;
  cursor.take('{');
  for (cursor.skip_blanks(); !cursor.take('}'); cursor.skip_blanks()) {
    const auto name = take_label(cursor);
    if (!name) return std::unexpected(name.error());
    auto value = take_value(cursor);
    if (!value) return std::unexpected(std::move(value).error());
    labels.emplace_back(*name, std::move(*value));
    cursor.skip_blanks();
    if (!cursor.take(',') && !cursor.at('}'))
      return std::unexpected("a comma or } belongs behind a label, but here is " + cursor.shown());
  }
  // Those of a bucket or a quantile are one more than those of its series.
  const auto of_series = std::ranges::count_if(
      labels, [](const auto& label) { return label.first != "le" && label.first != "quantile"; });
  if (static_cast<std::size_t>(of_series) > kMaxTextfileLabels)
    return std::unexpected("there are more than " + std::to_string(kMaxTextfileLabels) + " labels");
  std::ranges::sort(labels);
  const auto twice = std::ranges::adjacent_find(labels, {}, &TextfileLabels::value_type::first);
  if (twice != labels.end())
    return std::unexpected("the label " + shown_text(twice->first) + " is there twice");
  return labels;
}

std::string label_text(const TextfileLabels& labels, std::string_view except) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (name == except || value.empty()) continue;
    if (!text.empty()) text += ',';
    append_label(text, name, value);
  }
  return text;
}

}  // namespace winperf
