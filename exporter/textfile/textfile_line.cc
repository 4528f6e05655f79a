#include "exporter/textfile/textfile_line.h"

#include <algorithm>
#include <charconv>

#include "exporter/mapping/label_text.h"
#include "exporter/textfile/go_number.h"
#include "exporter/textfile/line_cursor.h"
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

namespace {

using Result = std::expected<TextfileLine, std::string>;

std::unexpected<std::string> refused(std::string sentence) {
  return std::unexpected(std::move(sentence));
}

Result help_line(std::string_view name, LineCursor cursor) {
  TextfileLine line{.content = LineContent::kHelp, .name = name};
  std::string_view rest = cursor.rest();
  while (!rest.empty()) {
    const auto plain = rest.substr(0, rest.find('\\'));
    line.text += plain;
    rest.remove_prefix(plain.size());
    if (rest.empty()) break;
    const auto character = unescaped(rest);
    if (!character) return refused(character.error());
    line.text += *character;
    rest.remove_prefix(2);
  }
  return line;
}

Result comment(LineCursor cursor) {
  cursor.skip_blanks();
  const std::string_view keyword = cursor.take_word();
  if (keyword != "HELP" && keyword != "TYPE") return TextfileLine{};
  cursor.skip_blanks();
  if (cursor.at_end()) return TextfileLine{};
  const auto name = cursor.take_metric_name();
  if (!name) return refused(name.error());
  if (!cursor.at_end() && !cursor.at_blank())
    return refused("this can't be in a metric's name: " + cursor.shown());
  cursor.skip_blanks();
  if (cursor.at_end()) return TextfileLine{};
  if (keyword == "HELP") return help_line(*name, cursor);
  return TextfileLine{.content = LineContent::kType,
                      .name = *name,
                      .text = std::string(without_blanks_behind(cursor.rest()))};
}

std::string what_follows_the_value(std::string_view rest) {
  std::int64_t number = 0;
  const char* const end = rest.data() + rest.size();
  const auto read = std::from_chars(rest.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end)
    return "there is a timestamp behind the value, and timestamps are not supported: leave it out";
  return "only one value belongs here, but this follows it: " + shown_text(rest);
}

Result sample(LineCursor cursor) {
  TextfileLine line{.content = LineContent::kSample};
  const auto name = cursor.take_metric_name();
  if (!name) return refused(name.error());
  line.name = *name;
  if (!cursor.at_end() && !cursor.at_blank() && !cursor.at('{'))
    return refused("this can't be in a metric's name: " + cursor.shown());
  cursor.skip_blanks();
  if (cursor.at('{')) {
    auto labels = take_labels(cursor);
    if (!labels) return refused(labels.error());
    line.labels = std::move(*labels);
    cursor.skip_blanks();
  }
  const std::string_view word = cursor.take_word();
  if (word.empty()) return refused("the value is missing");
  const auto value = parse_go_number(word);
  if (!value) return refused("this is no number: " + shown_text(word));
  line.value = *value;
  cursor.skip_blanks();
  if (!cursor.at_end())
    return refused(what_follows_the_value(without_blanks_behind(cursor.rest())));
  return line;
}

}  // namespace

Result parse_textfile_line(std::string_view line) {
  LineCursor cursor(line);
  cursor.skip_blanks();
  if (cursor.at_end()) return TextfileLine{};
  if (cursor.take('#')) return comment(cursor);
  return sample(cursor);
}

}  // namespace winperf
