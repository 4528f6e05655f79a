#include "exporter/mapping/counter_name.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;

FamilyMapping family(std::string key) {
  FamilyMapping result;
  result.stem = "winperf_tcp_errors";
  result.suffix = "_total";
  result.key = std::move(key);
  return result;
}

TEST(NameClash_OfDifferentCounters, IsSettledTheSameWayInAnyOrder) {
  const FamilyMapping a = family("TCP\\Errors/Sec"), b = family("TCP\\Errors/sec");
  const std::vector<const FamilyMapping*> forward{&a, &b}, backward{&b, &a};
  const std::string hashed = "winperf_tcp_errors_" + short_hash(b.key) + "_total";
  EXPECT_THAT(resolve_name_clashes(forward), ElementsAre("winperf_tcp_errors_total", hashed));
  EXPECT_THAT(resolve_name_clashes(backward), ElementsAre(hashed, "winperf_tcp_errors_total"));
}

// Another provider's object "TCP" doesn't take the names of TCPv4.
TEST(NameClash_OfAWellKnownCounter, LeavesItTheName) {
  const FamilyMapping other = family("A");
  FamilyMapping known = family("B");
  known.well_known = true;
  const std::vector<const FamilyMapping*> both{&other, &known};
  EXPECT_THAT(
      resolve_name_clashes(both),
      ElementsAre("winperf_tcp_errors_" + short_hash("A") + "_total", "winperf_tcp_errors_total"));
}

TEST(NameClash_OfTheSameCounter, IsNone) {
  const FamilyMapping a = family("TCP\\Errors"), again = family("TCP\\Errors");
  const std::vector<const FamilyMapping*> both{&a, &again};
  EXPECT_THAT(resolve_name_clashes(both),
              ElementsAre("winperf_tcp_errors_total", "winperf_tcp_errors_total"));
}

// OpenMetrics calls both families by the same name.
TEST(NameClash_OfAGaugeWithACounter, IsSettledByTheKey) {
  for (const bool gauge_first : {false, true}) {
    FamilyMapping gauge = family(gauge_first ? "A" : "B");
    gauge.suffix = "";
    FamilyMapping counter = family(gauge_first ? "B" : "A");
    counter.type = MetricType::kCounter;
    const std::vector<const FamilyMapping*> both{&gauge, &counter};
    const std::string hash = "_" + short_hash("B");
    EXPECT_THAT(resolve_name_clashes(both),
                ElementsAre("winperf_tcp_errors" + (gauge_first ? "" : hash),
                            "winperf_tcp_errors" + (gauge_first ? hash : "") + "_total"));
  }
}

TEST(NameClash_OfNamesThatOnlyEndAlike, IsNone) {
  const FamilyMapping gauge = family("A");  // a gauge whose name ends in "_total"
  FamilyMapping other = family("B");
  other.suffix = "";
  const std::vector<const FamilyMapping*> both{&gauge, &other};
  EXPECT_THAT(resolve_name_clashes(both),
              ElementsAre("winperf_tcp_errors_total", "winperf_tcp_errors"));
}

TEST(NameClash_WithANameThatLooksHashed, IsSettledToo) {
  const FamilyMapping a = family("A"), b = family("B");
  FamilyMapping squatter;
  squatter.stem = a.stem + "_" + short_hash(b.key);
  squatter.suffix = "_total";
  squatter.key = "C";
  const std::vector<const FamilyMapping*> all{&a, &b, &squatter};
  const auto names = resolve_name_clashes(all);
  EXPECT_EQ(names[2], squatter.stem + "_total");
  EXPECT_NE(names[1], names[2]);
  EXPECT_NE(names[1], names[0]);
}

TEST(NameClash_OfACounterWithABase, RenamesTheBaseToo) {
  const FamilyMapping a = family("A");
  FamilyMapping b = family("B"), base = family("B");
  base.suffix = "_base_total";
  const std::vector<const FamilyMapping*> all{&a, &b, &base};
  const std::string hashed = "winperf_tcp_errors_" + short_hash("B");
  EXPECT_THAT(resolve_name_clashes(all),
              ElementsAre("winperf_tcp_errors_total", hashed + "_total", hashed + "_base_total"));
}

TEST(NameClash_Hash, IsFnv1a) {
  EXPECT_EQ(short_hash(""), "811c9dc5");
  EXPECT_EQ(short_hash("a"), "e40c292c");
}

}  // namespace
}  // namespace winperf
