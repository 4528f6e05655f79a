#include "tests/config/json_schema.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "config/options.h"

namespace winperf {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson properties_of(std::string_view parent);

void replace_all(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string in_seconds(std::int64_t milliseconds) {
  return OrderedJson(static_cast<double>(milliseconds) / 1000).dump();
}

// The kind's fragment with what is the option's.
OrderedJson schema_of(const Option& option) {
  const TakenValue& takes = option.takes;
  std::string text(takes.kind->schema);
  const std::string entry(takes.kind->entry);
  replace_all(text, "{entry}", entry);
  if (!entry.empty()) text = R"({"oneOf": [)" + entry + ", " + text + "]}";
  OrderedJson words = OrderedJson::array();
  for (const Choice& choice : takes.choices) words.push_back(choice.word);
  replace_all(text, "{min}", std::to_string(takes.minimum));
  replace_all(text, "{max}", std::to_string(takes.maximum));
  replace_all(text, "{min_seconds}", in_seconds(takes.minimum));
  replace_all(text, "{max_seconds}", in_seconds(takes.maximum));
  replace_all(text, "{choices}", words.dump());
  const std::string path(option.path);
  if (text.contains("{keys}")) replace_all(text, "{keys}", properties_of(path).dump());
  if (text.contains("{entries}")) replace_all(text, "{entries}", properties_of(path + "[]").dump());
  return OrderedJson::parse(text);
}

OrderedJson option_schema(const Option& option) {
  OrderedJson schema = {{"description", option.description}};
  if (!option.default_value.empty()) schema["default"] = OrderedJson::parse(option.default_value);
  schema.update(schema_of(option));
  return schema;
}

OrderedJson properties_of(std::string_view parent) {
  OrderedJson properties = OrderedJson::object();
  for (const Option& option : config_options())
    if (parent_of(option) == parent)
      properties[std::string(key_of(option))] = option_schema(option);
  return properties;
}

}  // namespace

std::string config_json_schema() {
  OrderedJson schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                        {"title", "Configuration of winperf_exporter"}};
  schema.update(schema_of({}));
  schema["properties"][std::string(kSchemaKey)] = {
      {"description", "Where this schema is. For editors; the program ignores it."},
      {"type", "string"}};
  return schema.dump(2) + "\n";
}

}  // namespace winperf
