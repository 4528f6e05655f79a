#include "exporter/api/documents.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "exporter/api/api_query.h"
#include "exporter/api/events.h"
#include "exporter/api/problem.h"

namespace winperf::api {
namespace {

using Schema = nlohmann::ordered_json;

struct ApiRoute {
  std::string_view path;
  std::string_view method;
  std::string_view title;
};

constexpr ApiRoute kApiRoutes[] = {
#define ROUTE(path, method, area, effort, handler, title) {path, method, title},
#include "config/routes.inc"
};

struct ApiAnswer {
  std::string_view route;
  std::string_view schema;
  const char* type;
  std::string_view description;
};

constexpr ApiAnswer kApiAnswers[] = {
#define ANSWER(route, schema) {route, schema, "application/json", "the document"},
#define EVENTS(route, schema) {route, schema, kEventType, "the data of each event"},
#define FILE_ANSWER(route, type) {route, "file", type, "the file"},
#define FIELD(schema, key, type, meaning)
#include "exporter/api/fields.inc"
};

struct ApiField {
  std::string_view schema;
  std::string_view key;
  std::string_view type;
  std::string_view meaning;
};

constexpr ApiField kApiFields[] = {
#define ANSWER(route, schema)
#define EVENTS(route, schema)
#define FILE_ANSWER(route, type)
#define FIELD(schema, key, type, meaning) {schema, key, type, meaning},
#include "exporter/api/fields.inc"
};

Schema plain_type(std::string_view type) {
  if (type == "text") return {{"type", "string"}};
  if (type == "time") return {{"type", "string"}, {"format", "date-time"}};
  if (type == "number as text") return {{"type", "string"}, {"pattern", "^-?[0-9]+$"}};
  if (type == "integer" || type == "number" || type == "boolean") return {{"type", type}};
  if (type == "field") return {{"type", {"string", "number"}}};
  if (type == "labels") return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  if (type == "any") return Schema::object();
  return {{"$ref", "#/components/schemas/" + std::string(type)}};
}

Schema nullable(Schema schema) {
  if (!schema.contains("type")) return {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
  Schema types = schema["type"].is_array() ? schema["type"] : Schema::array({schema["type"]});
  types.push_back("null");
  schema["type"] = std::move(types);
  return schema;
}

// As fields.inc writes it, without "optional".
Schema schema_of(std::string_view type) {
  if (type == "file") return {{"type", "string"}, {"format", "binary"}};
  if (type.starts_with("[]")) return {{"type", "array"}, {"items", schema_of(type.substr(2))}};
  if (type.ends_with('?')) return nullable(plain_type(type.substr(0, type.size() - 1)));
  return plain_type(type);
}

void add_field(Schema& object, const ApiField& field) {
  constexpr std::string_view kOptional = "optional ";
  const bool is_optional = field.type.starts_with(kOptional);
  Schema schema = schema_of(field.type.substr(is_optional ? kOptional.size() : 0));
  if (!field.meaning.empty()) schema["description"] = field.meaning;
  if (field.key == "*") {
    object["additionalProperties"] = std::move(schema);
    return;
  }
  object["properties"][std::string(field.key)] = std::move(schema);
  if (!is_optional) object["required"].push_back(field.key);
}

Schema schemas() {
  Schema all = Schema::object();
  for (const ApiField& field : kApiFields) {
    Schema& object = all[std::string(field.schema)];
    if (object.is_null())
      object = {{"type", "object"},
                {"required", Schema::array()},
                {"properties", Schema::object()},
                {"additionalProperties", false}};
    add_field(object, field);
  }
  return all;
}

Schema parameters_of(std::string_view route) {
  Schema list = Schema::array();
  if (route.ends_with("{name}"))
    list.push_back({{"name", "name"},
                    {"in", "path"},
                    {"required", true},
                    {"description", "name of a counterset"},
                    {"schema", {{"type", "string"}}}});
  for (const Parameter& parameter : parameters()) {
    if (parameter.route != route) continue;
    const Schema value{{"type", "string"}, {"maxLength", kMostBytesOfAValue}};
    const Schema values{{"type", "array"}, {"maxItems", parameter.most}, {"items", value}};
    list.push_back({{"name", parameter.name},
                    {"in", "query"},
                    {"description", parameter.meaning},
                    {"schema", parameter.most > 1 ? values : value}});
  }
  return list;
}

Schema answer_of(std::string_view description, std::string_view type, Schema schema) {
  return {{"description", description},
          {"content", {{std::string(type), {{"schema", std::move(schema)}}}}}};
}

// "/api/v1/countersets/{name}" as getCountersetsName.
std::string operation_of(std::string_view path) {
  std::string name = "get";
  bool is_start = true;
  for (const char c : path.substr(kApiRoot.size())) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_letter) name += is_start && c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    is_start = !is_letter;
  }
  return name;
}

Schema operation(const ApiRoute& route, const ApiAnswer& answer) {
  const std::string_view title = route.title.empty() ? route.path : route.title;
  return {{"operationId", operation_of(route.path)},
          {"summary", title},
          {"parameters", parameters_of(route.path)},
          {"responses",
           {{"200", answer_of(answer.description, answer.type, schema_of(answer.schema))},
            {"default", answer_of("an error (RFC 9457)", kProblemType, schema_of("Problem"))}}}};
}

}  // namespace

std::string openapi_document() {
  Schema paths = Schema::object();
  for (const ApiRoute& route : kApiRoutes)
    for (const ApiAnswer& answer : kApiAnswers)
      if (answer.route == route.path)
        paths[std::string(route.path)] = {{"get", operation(route, answer)}};
  const Schema document{
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "winperf_exporter"},
        {"version", "1"},
        {"description",
         "Performance counters and facts of a Windows machine. docs/api.md has examples."}}},
      {"paths", std::move(paths)},
      {"components", {{"schemas", schemas()}}}};
  return document.dump(1) + '\n';
}

}  // namespace winperf::api
