// docs/openapi.json is what the program serves, and describes all routes. With
// WINPERF_UPDATE_FILES=1 in the environment the test rewrites it.
#include "exporter/api/documents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "exporter/api/api_query.h"

namespace winperf::api {
namespace {

constexpr char kOpenapiFile[] = WINPERF_SOURCE_DIR "/docs/openapi.json";

TEST(Openapi, IsInTheDocuments) {
  const std::string described = openapi_document();
  if (std::getenv("WINPERF_UPDATE_FILES") != nullptr)
    std::ofstream(kOpenapiFile, std::ios::binary) << described;
  std::ifstream stream(kOpenapiFile, std::ios::binary);
  std::string written{std::istreambuf_iterator<char>(stream), {}};
  std::erase(written, '\r');  // a checkout may have converted the line ends
  EXPECT_EQ(written, described)
      << "run this test with WINPERF_UPDATE_FILES=1 in the environment and review the change";
}

TEST(Openapi, DescribesAllRoutesAndParameters) {
  const auto document = nlohmann::json::parse(openapi_document());
  std::set<std::string> described;
  for (const auto& [path, item] : document["paths"].items()) described.insert(path);
  std::set<std::string> served;
#define ROUTE(path, method, area, effort, handler, title) \
  if (std::string_view(path).starts_with(kApiRoot)) served.insert(path);
#include "config/routes.inc"
  EXPECT_EQ(described, served) << "exporter/api/fields.inc lacks an ANSWER";
  for (const Parameter& parameter : parameters())
    EXPECT_TRUE(described.contains(std::string(parameter.route))) << parameter.name;
}

// Each "$ref" below the value, as the name of a schema.
void find_references(const nlohmann::json& value, std::set<std::string>& found) {
  if (value.is_object() && value.contains("$ref")) {
    const std::string reference = value["$ref"];
    found.insert(reference.substr(reference.rfind('/') + 1));
  }
  if (value.is_structured())
    for (const auto& member : value) find_references(member, found);
}

TEST(Openapi, HasExactlyTheSchemasThatItRefersTo) {
  const auto document = nlohmann::json::parse(openapi_document());
  std::set<std::string> referred;
  find_references(document, referred);
  std::set<std::string> defined;
  for (const auto& [name, schema] : document["components"]["schemas"].items()) {
    defined.insert(name);
    EXPECT_TRUE(schema.contains("additionalProperties")) << name;
    for (const auto& key : schema["required"])
      EXPECT_TRUE(schema["properties"].contains(key.get<std::string>())) << name;
  }
  EXPECT_EQ(referred, defined);
}

}  // namespace
}  // namespace winperf::api
