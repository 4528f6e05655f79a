#include "service/console/json_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace winperf {
namespace {

using nlohmann::ordered_json;

TEST(JsonDocument, BeginsWithItsSchema) {
  EXPECT_EQ(json_document({{"name", "w"}, {"a", 2}}, -1),
            "{\"schema\":1,\"name\":\"w\",\"a\":2}\n");
  EXPECT_EQ(json_document({{"name", "w"}}), "{\n  \"schema\": 1,\n  \"name\": \"w\"\n}\n");
}

TEST(JsonDocument, IsValidWhateverTheNamesAre) {
  const auto document = ordered_json::parse(json_document({{"name", "a\xFF\"\n"}}));
  EXPECT_EQ(document["name"], "a\uFFFD\"\n");
}

}  // namespace
}  // namespace winperf
