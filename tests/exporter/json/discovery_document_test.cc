#include "exporter/json/sample_document.h"

#include <gtest/gtest.h>

namespace winperf::json {
namespace {

TEST(DiscoveryDocument, IsEmptyBeforeTheFirstLook) {
  EXPECT_EQ(discovery_document({.error = "no \"answer\""}),
            R"({"found_at":null,"supports_metadata":null,"asked":[],"duration_seconds":null,)"
            R"("reply_bytes":null,"error":"no \"answer\"","incomplete":null,"problems":[],)"
            R"("absent":[],"countersets":[]})"
            "\n");
}

TEST(DiscoveryDocument, SaysWhatWasFoundAndWhyThereMayBeMore) {
  constexpr Error kLate{.code = ErrorCode::kTimedOut, .where = "provider \"X\""};
  constexpr Error kNames{.code = ErrorCode::kAccessDenied, .where = "names"};
  DiscoveryReport report{
      .inventory = {.countersets = {{.name = "System", .key = "2"},
                                    {.name = "Thread", .key = "232", .is_costly = true}},
                    .supports_metadata = true,
                    .asked = {"PerfLib", "OLD_MetadataGlobal"},
                    .bytes = 100,
                    .took = std::chrono::milliseconds(250),
                    .problems = {kNames, kLate},
                    .gap = kLate},
      .at = Ticks100ns{kUnixEpoch100ns},
      .sampled = {"2"},
      .absent = {"Memory"}};
  EXPECT_EQ(
      discovery_document(report),
      R"({"found_at":"1970-01-01T00:00:00.0000000Z","supports_metadata":true,)"
      R"("asked":["PerfLib","OLD_MetadataGlobal"],"duration_seconds":0.25,)"
      R"("reply_bytes":100,"error":null,"incomplete":"provider \"X\" timed out",)"
      R"("problems":["names may not be read by this account","provider \"X\" timed out"],)"
      R"("absent":["Memory"],"countersets":[{"name":"System","key":"2","costly":false,"active":true,)"
      R"("sampled":true},{"name":"Thread","key":"232","costly":true,"active":true,)"
      R"("sampled":false}]})"
      "\n");
}

}  // namespace
}  // namespace winperf::json
