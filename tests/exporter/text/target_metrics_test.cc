#include "exporter/text/own_metrics.h"

#include <gmock/gmock.h>

#include "exporter/text/own_families.h"

namespace winperf {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr SteadyTime kReportTime{std::chrono::hours(100)};

std::string page_of(const TargetsReport& report) {
  std::string page;
  append_own(page, PageFormat::kText, target_metrics(report, kReportTime));
  return page;
}

TEST(TargetMetrics, WithoutTargetsAreNone) { EXPECT_EQ(page_of({}), ""); }

TEST(TargetMetrics, BeforeTheFirstAttempt_HaveNoResults) {
  const std::string page = page_of({.targets = {{.host = "a", .module = "m"}}});
  EXPECT_THAT(page,
              HasSubstr("winperf_exporter_target_attempts_total{target=\"a\",module=\"m\"} 0\n"));
  EXPECT_THAT(page, HasSubstr("winperf_exporter_target_own_lane{target=\"a\",module=\"m\"} 0\n"));
  for (const char* const name :
       {"up{", "sample_age_seconds{", "late_seconds{", "duration_seconds{"})
    EXPECT_THAT(page, Not(HasSubstr(name)));
}

TEST(TargetMetrics, EachShowsTheMemberThatItNames) {
  const TargetState state{.host = "a",
                          .module = "m",
                          .attempts = 11,
                          .failures = 12,
                          .lost_processes = 13,
                          .is_up = true,
                          .late = 1.5s,
                          .took = 2.5s,
                          .read_at = kReportTime - 3s,
                          .busy = 4.5s,
                          .is_alone = true};
  const std::string page = page_of({.targets = {state}});
  for (const char* const line :
       {"attempts_total{target=\"a\",module=\"m\"} 11\n",
        "failures_total{target=\"a\",module=\"m\"} 12\n",
        "lost_workers_total{target=\"a\",module=\"m\"} 13\n", "up{target=\"a\",module=\"m\"} 1\n",
        "late_seconds{target=\"a\",module=\"m\"} 1.5\n",
        "duration_seconds{target=\"a\",module=\"m\"} 2.5\n",
        "sample_age_seconds{target=\"a\",module=\"m\"} 3\n",
        "seconds_total{target=\"a\",module=\"m\"} 4.5\n",
        "own_lane{target=\"a\",module=\"m\"} 1\n"})
    EXPECT_THAT(page, HasSubstr(std::string("winperf_exporter_target_") + line));
}

TEST(TargetMetrics, OfOneThatIsDown_KeepTheAgeOfItsLastSample) {
  const std::string page = page_of(
      {.targets = {{.host = "a", .module = "m", .is_up = false, .read_at = kReportTime - 60s},
                   {.host = "b", .module = "m"}}});
  EXPECT_THAT(page, HasSubstr("target_up{target=\"a\",module=\"m\"} 0\n"));
  EXPECT_THAT(page, HasSubstr("target_sample_age_seconds{target=\"a\",module=\"m\"} 60\n"));
}

TEST(TargetMetrics, NamesFromOutside_AreEscaped) {
  EXPECT_THAT(page_of({.targets = {{.host = "a\"\n\\", .module = "m"}}}),
              HasSubstr("own_lane{target=\"a\\\"\\n\\\\\",module=\"m\"} 0\n"));
}

TEST(TargetMetrics, OfProbedNames_AreNumbersAlone) {
  const std::string page = page_of({.targets = {},
                                    .probed = ProbedTargets{.read = 1,
                                                            .trying = 2,
                                                            .failed = 3,
                                                            .ever_read = 4,
                                                            .ever_failed = 5,
                                                            .ever_refused = 6}});
  for (const char* const line :
       {"probed_targets{state=\"read\"} 1\n", "probed_targets{state=\"trying\"} 2\n",
        "probed_targets{state=\"failed\"} 3\n", "first_probes_total{result=\"read\"} 4\n",
        "first_probes_total{result=\"failed\"} 5\n", "first_probes_total{result=\"refused\"} 6\n"})
    EXPECT_THAT(page, HasSubstr(std::string("winperf_exporter_") + line));
  EXPECT_THAT(page, Not(HasSubstr("target_up")));
}

}  // namespace
}  // namespace winperf
