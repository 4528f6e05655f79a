#include "exporter/textfile/textfile_line.h"

#include <charconv>

#include "exporter/textfile/go_number.h"
#include "exporter/textfile/line_cursor.h"

namespace winperf {
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
