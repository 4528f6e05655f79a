#include "exporter/json/sample_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace winperf {
namespace {

using Json = nlohmann::json;

Json document_of(const std::vector<TargetState>& targets) {
  return Json::parse(json::targets_document(targets, "exporter:10182"));
}

TEST(TargetsDocument, WithoutTargetsIsAnEmptyList) { EXPECT_EQ(document_of({}), Json::array()); }

TEST(TargetsDocument, LeadsPrometheusToTheTargetsPage) {
  EXPECT_EQ(document_of({{.host = "srv-1", .module = "default"}}), Json::parse(R"([{
    "targets": ["exporter:10182"],
    "labels": {"__metrics_path__": "/probe", "__param_target": "srv-1",
               "__param_module": "default", "instance": "srv-1"}}])"));
}

TEST(TargetsDocument, HasTheLabelsOfTheConfiguration) {
  const Json labels =
      document_of({{.host = "a",
                    .module = "sql",
                    .labels = {{"site", "x\"\n"}, {"instance", "b"}}}})[0]["labels"];
  EXPECT_EQ(labels["site"], "x\"\n");
  EXPECT_EQ(labels["instance"], "b") << "the configuration's";
  EXPECT_EQ(labels["module"], "sql") << "tells the series of two modules apart";
  EXPECT_EQ(labels["__param_module"], "sql");
}

TEST(TargetsDocument, LeavesOutWhatOnlyAPatternNames) {
  const Json document = document_of(
      {{.host = "a", .module = "default", .is_named = false}, {.host = "b", .module = "default"}});
  ASSERT_EQ(document.size(), 1U);
  EXPECT_EQ(document[0]["labels"]["instance"], "b");
}

}  // namespace
}  // namespace winperf
