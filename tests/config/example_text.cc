#include "tests/config/example_text.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

#include "collectors/base/wording.h"
#include "config/config.h"
#include "config/options.h"
#include "config/values.h"

namespace winperf {

std::string shown_value(const Option& option) {
  if (!option.shown.empty()) return std::string(option.shown);
  if (!option.default_value.empty()) return std::string(option.default_value);
  return example_of(option);
}

namespace {

constexpr std::size_t kColumns = 100;
constexpr std::string_view kHead =
    R"(# The configuration of winperf_exporter: every key, with its default value.
#
# The format is a relaxed JSON with # comments, trailing commas, and keys and simple words without
# quotes, which is YAML, too. Strict JSON and other YAML work as well, and so do // and /* */
# comments, which other programs don't read.
# If you leave a key out, it has the value shown here. An unknown key or an invalid value is an
# error: check the file with "winperf_exporter check-config".
# docs/configuration.md has examples, and says what the keys of objects in lists mean.
# Durations are written as 500ms, 15s, 1m or 1m30s, or as a number of seconds.
# A path in "..." needs its backslashes doubled; a path in '...' does not.
)";

// The text in lines of comments, broken at blanks.
std::string comment(std::string_view text, const std::string& indent) {
  std::string lines;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) lines += indent + '#' + line + '\n';
    line.clear();
  };
  for (const auto part : std::views::split(text, ' ')) {
    const std::string_view word(part);
    if (indent.size() + 1 + line.size() + 1 + word.size() > kColumns) end_line();
    line += ' ';
    line += word;
  }
  end_line();
  return lines;
}

std::string limit(const Option& option, std::int64_t number) {
  const auto text = option.takes.kind->limit_text;
  return text != nullptr ? in_quotes(text(number)) : std::to_string(number);
}

// What the description doesn't say of the values.
std::string range_of(const Option& option) {
  const TakenValue& takes = option.takes;
  if (takes.kind == &OptionKind::kInteger || takes.kind->limit_text != nullptr)
    return " From " + limit(option, takes.minimum) + " to " + limit(option, takes.maximum) + '.';
  const auto is_told = [&](const Choice& choice) {
    return option.description.contains(choice.word);
  };
  constexpr std::size_t kMost = 6;
  if (takes.choices.empty() || takes.choices.size() > kMost ||
      std::ranges::all_of(takes.choices, is_told))
    return {};
  return " One of " +
         joined(takes.choices, ", ", [](const Choice& choice) { return in_quotes(choice.word); }) +
         '.';
}

std::vector<const Option*> options_in(std::string_view parent) {
  std::vector<const Option*> found;
  for (const Option& option : config_options())
    if (parent_of(option) == parent) found.push_back(&option);
  return found;
}

bool is_list_of_objects(const Option& option) {
  return !options_in(std::string(option.path) + "[]").empty();
}

// Every key of an object, as one text.
std::string object_text(std::string_view parent) {
  return '{' +
         joined(options_in(parent), ", ",
                [](const Option* option) {
                  std::string value;
                  if (is_list_of_objects(*option))
                    value = '[' + object_text(std::string(option->path) + "[]") + ']';
                  else if (option->takes.kind == &OptionKind::kSection)
                    value = object_text(option->path);
                  else
                    value = shown_value(*option);
                  return std::string(key_of(*option)) + ": " + value;
                }) +
         '}';
}

std::string names_text(const std::vector<std::string>& names) {
  if (names.size() == 1) return in_quotes(names.front());
  return "{name: [" + joined(names, ", ", in_quotes) + "]}";
}

// What is in the list if the key is missing.
std::vector<std::string> default_entries(std::string_view path) {
  const Config config = default_config();
  std::vector<std::string> entries;
  if (path == "countersets")
    for (const CountersetConfig& entry : config.countersets)
      entries.push_back(names_text(entry.names));
  if (path == "facts")
    for (const FactConfig& fact : config.facts) entries.push_back(in_quotes(name_of(fact.topic)));
  return entries;
}

std::string list_text(const Option& option, const std::string& indent) {
  const std::string key = indent + std::string(key_of(option)) + ": [";
  const std::string keys =
      comment("Every key of an object: " + object_text(std::string(option.path) + "[]"), indent);
  std::string entries;
  for (const std::string& entry : default_entries(option.path))
    entries += indent + "  " + entry + ",\n";
  return keys + key + (entries.empty() ? "" : '\n' + entries + indent) + "],\n";
}

std::string section_text(std::string_view parent, const std::string& indent) {
  std::string text;
  for (const Option* const option : options_in(parent)) {
    const std::string key(key_of(*option));
    if (parent.empty()) text += '\n';
    text += comment(std::string(option->description) + range_of(*option), indent);
    if (is_list_of_objects(*option))
      text += list_text(*option, indent);
    else if (!options_in(option->path).empty())
      text += indent + key + ": {\n" + section_text(option->path, indent + "  ") + indent + "},\n";
    else if (option->default_value.empty())
      text += comment("For example: " + key + ": " + shown_value(*option), indent);
    else
      text += indent + key + ": " + std::string(option->default_value) + ",\n";
  }
  return text;
}

}  // namespace

std::string example_text() { return std::string(kHead) + '{' + section_text("", "  ") + "}\n"; }

}  // namespace winperf
