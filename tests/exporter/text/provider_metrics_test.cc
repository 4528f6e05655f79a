#include "exporter/text/own_metrics.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/exporter/support/own_series.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using testing::Families;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::Series;

Families provider_families(std::vector<ProviderState> providers) {
  Sample sample;
  sample.providers = std::move(providers);
  return testing::series_of(testing::collected(provider_metrics(sample)),
                            "winperf_exporter_provider_", "provider");
}

ProviderState provider(std::string name, ProviderStanding standing) {
  ProviderState state;
  state.provider = std::move(name);
  state.standing = standing;
  return state;
}

TEST(ProviderMetrics, EachFamilyShowsTheMemberThatItNames) {
  ProviderState state = provider("x", ProviderStanding::kQuarantine);
  state.quarantine_seconds = 2.5;
  state.queries = 101;
  state.failures = 7;
  state.error = Error{.code = ErrorCode::kTimedOut};
  state.query_seconds = 0.25;
  state.reply_bytes = 4096;
  state.harms = 3;
  state.library = "x.dll";
  state.apart_seconds = 60.5;
  EXPECT_THAT(
      provider_families({state}),
      ElementsAre(
          Pair("apart_seconds", ElementsAre(Pair("x", 60.5))),
          Pair("error_info", ElementsAre(Pair("x,reason=timed_out", 1))),
          Pair("failures_total", ElementsAre(Pair("x", 7))),
          Pair("harm_total", ElementsAre(Pair("x,library=x.dll", 3))),
          Pair("quarantine_seconds", ElementsAre(Pair("x", 2.5))),
          Pair("queries_total", ElementsAre(Pair("x", 101))),
          Pair("query_seconds", ElementsAre(Pair("x", 0.25))),
          Pair("reply_bytes", ElementsAre(Pair("x", 4096))),
          Pair("state", ElementsAre(Pair("x,state=new", 0), Pair("x,state=trusted", 0),
                                    Pair("x,state=probation", 0), Pair("x,state=quarantine", 1),
                                    Pair("x,state=shared", 0)))));
}

TEST(ProviderMetrics, ExactlyOneStateIsTrue) {
  for (std::size_t i = 0; i < kProviderStandingCount; ++i) {
    const Series series =
        provider_families({provider("x", static_cast<ProviderStanding>(i))}).at("state");
    ASSERT_EQ(series.size(), kProviderStandingCount);
    for (std::size_t k = 0; k < kProviderStandingCount; ++k)
      EXPECT_EQ(series[k].second, k == i ? 1 : 0) << i << ", " << k;
  }
}

TEST(ProviderMetrics, OfOneThatWasNeverAskedLeaveOutWhatIsNotKnown) {
  const Families families = provider_families({provider("x", ProviderStanding::kNew)});
  EXPECT_THAT(families.at("quarantine_seconds"), ElementsAre(Pair("x", 0)));
  EXPECT_THAT(families.at("queries_total"), ElementsAre(Pair("x", 0)));
  EXPECT_THAT(families.at("failures_total"), ElementsAre(Pair("x", 0)));
  for (const char* const name : {"error_info", "harm_total", "query_seconds", "reply_bytes"})
    EXPECT_FALSE(families.contains(name)) << name;
}

TEST(ProviderMetrics, OfSeveralHaveOneSeriesForEachInTheirOrder) {
  ProviderState quick = provider("b", ProviderStanding::kTrusted);
  quick.query_seconds = 0;
  const Families families = provider_families({provider("a", ProviderStanding::kNew), quick});
  EXPECT_THAT(families.at("query_seconds"), ElementsAre(Pair("b", 0))) << "0 is a number";
  EXPECT_THAT(families.at("queries_total"), ElementsAre(Pair("a", 0), Pair("b", 0)));
  EXPECT_EQ(families.at("state").size(), 2 * kProviderStandingCount);
}

TEST(ProviderMetrics, WithoutProvidersThereIsNoFamily) {
  EXPECT_THAT(provider_families({}), IsEmpty());
}

}  // namespace
}  // namespace winperf
