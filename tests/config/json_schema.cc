#include "tests/config/json_schema.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "config/options.h"

namespace winperf {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCounterset = "countersets[]";

Json section_schema(std::string_view parent);
Json words_of(std::span<const Choice> choices);

Json text_list(const Json& item) {
  return {{"oneOf", Json::array({item, {{"type", "array"}, {"items", item}}})}};
}

Json measure_schema(const char* pattern, double minimum, double maximum) {
  return {
      {"oneOf", Json::array({{{"type", "string"}, {"pattern", pattern}},
                             {{"type", "number"}, {"minimum", minimum}, {"maximum", maximum}}})}};
}

Json name_schema() {
  return {{"oneOf", Json::array({{{"type", "string"}, {"minLength", 1}},
                                 {{"type", "integer"}, {"minimum", 1}, {"maximum", 4294967295}}})}};
}

Json names_schema() {
  Json list = {{"type", "array"}, {"items", name_schema()}, {"minItems", 1}};
  Json schema = name_schema();
  schema["oneOf"].push_back(std::move(list));
  return schema;
}

Json countersets_schema() {
  Json entry = section_schema(kCounterset);
  entry["required"] = Json::array({"name"});
  Json item = name_schema();
  item["oneOf"].push_back(std::move(entry));
  return {{"type", "array"}, {"items", std::move(item)}};
}

// Those of a target are the same, but that a target has nothing else.
Json countersets_schema(const Option& option) {
  if (option.path == "countersets") return countersets_schema();
  return {
      {"type", "array"}, {"minItems", 1}, {"items", {{"$ref", "#/properties/countersets/items"}}}};
}

Json targets_schema(const Option& option) {
  Json entry = section_schema(std::string(option.path) + "[]");
  entry["required"] = Json::array({"host"});
  return {{"type", "array"}, {"maxItems", option.maximum}, {"items", std::move(entry)}};
}

Json facts_schema() {
  Json entry = section_schema("facts[]");
  entry["required"] = Json::array({"name"});
  const Json topic = {{"enum", words_of(find_option("facts[]", "name")->choices)}};
  return {{"type", "array"}, {"items", {{"oneOf", Json::array({topic, std::move(entry)})}}}};
}

Json metrics_schema(const Option& option) {
  Json entry = section_schema(std::string(option.path) + "[]");
  entry["required"] = Json::array({"counter", "name"});
  return {{"type", "array"}, {"maxItems", option.maximum}, {"items", std::move(entry)}};
}

Json listen_schema(const Option& option) {
  const Json object = section_schema(option.path);
  return {{"oneOf", Json::array({object,
                                 {{"type", "array"},
                                  {"minItems", option.minimum},
                                  {"maxItems", option.maximum},
                                  {"items", {{"$ref", "#/properties/listen/oneOf/0"}}}}})}};
}

Json services_schema(const Option& option) {
  Json schema = text_list({{"type", "string"},
                           {"minLength", 1},
                           {"maxLength", kMaxServiceBytes},
                           {"pattern", R"(^[^\\]+$)"}});
  schema["oneOf"][1]["maxItems"] = option.maximum;
  return schema;
}

Json hosts_schema(const Option& option) {
  Json schema = text_list({{"type", "string"}, {"minLength", 1}, {"maxLength", kMaxHostBytes}});
  schema["oneOf"][1]["maxItems"] = option.maximum;
  return schema;
}

Json texts_schema(const Option& option) {
  Json schema = text_list({{"type", "string"}, {"minLength", 1}});
  schema["oneOf"][1]["maxItems"] = option.maximum;
  return schema;
}

Json words_of(std::span<const Choice> choices) {
  Json words = Json::array();
  for (const Choice& choice : choices) words.push_back(choice.word);
  return words;
}

Json words_schema(const Option& option) {
  Json schema = text_list({{"enum", words_of(option.choices)}});
  if (option.default_value != "[]") schema["oneOf"][1]["minItems"] = 1;
  schema["oneOf"][1]["uniqueItems"] = true;
  return schema;
}

Json kind_schema(const Option& option) {
  const auto minimum = static_cast<double>(option.minimum);
  const auto maximum = static_cast<double>(option.maximum);
  switch (option.kind) {
    case OptionKind::kSection:
      return section_schema(option.path);
    case OptionKind::kListen:
      return listen_schema(option);
    case OptionKind::kBoolean:
      return {{"type", "boolean"}};
    case OptionKind::kInteger:
      return {{"type", "integer"}, {"minimum", option.minimum}, {"maximum", option.maximum}};
    case OptionKind::kDuration:
      return measure_schema("^([0-9]+(\\.[0-9]{1,3})? ?(ms|s|m|h|d))+$", minimum / 1000,
                            maximum / 1000);
    case OptionKind::kBytes:
      return measure_schema("^[0-9]+(\\.[0-9]{1,3})? ?(B|KiB|MiB|GiB)$", minimum, maximum);
    case OptionKind::kFile:
    case OptionKind::kAddress:
      return {{"type", "string"}, {"minLength", option.minimum}, {"maxLength", option.maximum}};
    case OptionKind::kHosts:
      return hosts_schema(option);
    case OptionKind::kServices:
      return services_schema(option);
    case OptionKind::kWords:
      return words_schema(option);
    case OptionKind::kChoice:
      return {{"enum", words_of(option.choices)}};
    case OptionKind::kNames:
      return names_schema();
    case OptionKind::kPatterns:
      return text_list({{"type", "string"}});
    case OptionKind::kLabels:
      return {{"type", "string"}, {"minLength", 1}};
    case OptionKind::kUrlPath:
      return {
          {"type", "string"}, {"pattern", "^/[A-Za-z0-9/._~-]+$"}, {"maxLength", option.maximum}};
    case OptionKind::kText:
    case OptionKind::kPem:
      return {{"type", "string"}, {"maxLength", option.maximum}};
    case OptionKind::kTexts:
      return texts_schema(option);
    case OptionKind::kUsers:
      return {{"type", "object"},
              {"maxProperties", option.maximum},
              {"additionalProperties",
               {{"type", "string"}, {"pattern", "^\\$2[abxy]\\$[0-3][0-9]\\$[./A-Za-z0-9]{53}$"}}}};
    case OptionKind::kCounter:
      return {{"type", "string"}, {"minLength", 1}, {"maxLength", option.maximum}};
    case OptionKind::kCountersets:
      return countersets_schema(option);
    case OptionKind::kFacts:
      return facts_schema();
    case OptionKind::kMetrics:
      return metrics_schema(option);
    case OptionKind::kTargets:
      return targets_schema(option);
    case OptionKind::kTargetHosts:
      return hosts_schema(option);
    case OptionKind::kWord:
      return {{"type", "string"}, {"maxLength", option.maximum}, {"pattern", "^[A-Za-z0-9._-]+$"}};
    case OptionKind::kMetricName:
      return {{"type", "string"},
              {"maxLength", option.maximum},
              {"pattern", "^[A-Za-z_:][A-Za-z0-9_:]*$"}};
    case OptionKind::kLabelName:
      return {{"type", "string"},
              {"maxLength", option.maximum},
              {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}};
    case OptionKind::kFixedLabels:
      return {{"type", "object"},
              {"maxProperties", option.maximum},
              {"additionalProperties", {{"type", "string"}, {"maxLength", 1024}}}};
  }
  return Json::object();
}

Json option_schema(const Option& option) {
  Json schema = {{"description", option.description}};
  if (!option.default_value.empty()) schema["default"] = Json::parse(option.default_value);
  schema.update(kind_schema(option));
  return schema;
}

Json section_schema(std::string_view parent) {
  Json properties = Json::object();
  for (const Option& option : config_options()) {
    if (parent_of(option) != parent) continue;
    properties[std::string(key_of(option))] = option_schema(option);
  }
  return {
      {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

}  // namespace

std::string config_json_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "Configuration of winperf_exporter"}};
  schema.update(section_schema(""));
  schema["properties"][std::string(kSchemaKey)] = {
      {"description", "Where this schema is. For editors; the program ignores it."},
      {"type", "string"}};
  return schema.dump(2) + "\n";
}

}  // namespace winperf
