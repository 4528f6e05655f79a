#include "exporter/text/own_metrics.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "exporter/text/own_families.h"
#include "tests/exporter/support/own_series.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using testing::Families;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::Series;

Families worker_families(std::vector<WorkerState> workers) {
  Sample sample;
  sample.workers = std::move(workers);
  return testing::series_of(testing::collected(worker_metrics(sample.workers)),
                            "winperf_exporter_worker_", "worker");
}

// Numbers by which all members can be told apart.
WorkerState distinct_worker(const char* name, std::uint64_t seed) {
  WorkerState state;
  state.name = name;
  state.process_id = seed;
  state.starts = seed + 1;
  state.queries = seed + 2;
  state.start_seconds = 0.25;
  state.query_seconds = static_cast<double>(seed) + 0.5;
  state.cpu_seconds = static_cast<double>(seed) + 0.125;
  state.private_bytes = seed + 3;
  state.shared_bytes = seed + 6;
  state.handles = seed + 4;
  state.threads = seed + 5;
  for (std::size_t end = 0; end < kWorkerEndCount; ++end) state.ends.at(end) = seed + 10 + end;
  return state;
}

TEST(WorkerMetrics, EachFamilyShowsTheMemberThatItNames) {
  EXPECT_THAT(
      worker_families({distinct_worker("registry", 100)}),
      ElementsAre(
          Pair("cpu_seconds_total", ElementsAre(Pair("registry", 100.125))),
          Pair("handles", ElementsAre(Pair("registry", 104))),
          Pair("private_bytes", ElementsAre(Pair("registry", 103))),
          Pair("queries_total", ElementsAre(Pair("registry", 102))),
          Pair("query_seconds_total", ElementsAre(Pair("registry", 100.5))),
          Pair(
              "restarts_total",
              ElementsAre(
                  Pair("registry,reason=crashed", 110), Pair("registry,reason=exited", 111),
                  Pair("registry,reason=timed_out", 112), Pair("registry,reason=memory", 113),
                  Pair("registry,reason=handles", 114), Pair("registry,reason=threads", 115),
                  Pair("registry,reason=bad_reply", 116), Pair("registry,reason=start_late", 117))),
          Pair("running", ElementsAre(Pair("registry", 1))),
          Pair("shared_bytes", ElementsAre(Pair("registry", 106))),
          Pair("start_seconds", ElementsAre(Pair("registry", 0.25))),
          Pair("threads", ElementsAre(Pair("registry", 105)))));
}

TEST(WorkerMetrics, OfSeveralWorkersHaveOneSeriesForEachInTheirOrder) {
  const Families families =
      worker_families({distinct_worker("registry", 100), distinct_worker("perflib", 200)});
  EXPECT_EQ(families.at("queries_total"), (Series{{"registry", 102}, {"perflib", 202}}));
  EXPECT_EQ(families.at("private_bytes"), (Series{{"registry", 103}, {"perflib", 203}}));
  const Series& restarts = families.at("restarts_total");
  ASSERT_EQ(restarts.size(), 2 * kWorkerEndCount);
  EXPECT_THAT(restarts.at(0), Pair("registry,reason=crashed", 110));
  EXPECT_THAT(restarts.at(kWorkerEndCount), Pair("perflib,reason=crashed", 210));
}

TEST(WorkerMetrics, OfAWorkerThatIsNotRunningCountFromZeroAndLeaveOutWhatIsNotKnown) {
  WorkerState idle;
  idle.name = "perflib";
  idle.starts = 1;
  const Families families = worker_families({idle});
  EXPECT_THAT(families.at("running"), ElementsAre(Pair("perflib", 0)));
  EXPECT_THAT(families.at("queries_total"), ElementsAre(Pair("perflib", 0)));
  EXPECT_THAT(families.at("query_seconds_total"), ElementsAre(Pair("perflib", 0)));
  const Series& restarts = families.at("restarts_total");
  EXPECT_EQ(restarts.size(), kWorkerEndCount) << "so that the first one is an increase";
  for (const auto& [labels, value] : restarts) EXPECT_EQ(value, 0) << labels;
  for (const char* const name : {"private_bytes", "handles", "threads"})
    EXPECT_FALSE(families.contains(name)) << name;
}

TEST(WorkerMetrics, EachNumberIsLeftOutByItself) {
  WorkerState without_bytes = distinct_worker("a", 100);
  without_bytes.private_bytes.reset();
  WorkerState without_handles = distinct_worker("b", 100);
  without_handles.handles.reset();
  WorkerState without_threads = distinct_worker("c", 100);
  without_threads.threads = 0;
  const Families families = worker_families({without_bytes, without_handles, without_threads});
  EXPECT_EQ(families.at("private_bytes"), (Series{{"b", 103}, {"c", 103}}));
  EXPECT_EQ(families.at("handles"), (Series{{"a", 104}, {"c", 104}}));
  EXPECT_EQ(families.at("threads"), (Series{{"a", 105}, {"b", 105}, {"c", 0}})) << "0 is a number";
}

TEST(WorkerMetrics, WithoutWorkersThereIsNoFamily) { EXPECT_THAT(worker_families({}), IsEmpty()); }

TEST(WorkerMetrics, StandOnThePageWithTypesAndLabels) {
  WorkerState state = distinct_worker("registry", 100);
  state.ends = {};
  Sample sample;
  sample.workers = {state};
  std::string text;
  append_own(text, PageFormat::kText, worker_metrics(sample.workers));
  for (const char* const lines :
       {"# TYPE winperf_exporter_worker_running gauge\n"
        "winperf_exporter_worker_running{worker=\"registry\"} 1\n",
        "# TYPE winperf_exporter_worker_query_seconds_total counter\n"
        "winperf_exporter_worker_query_seconds_total{worker=\"registry\"} 100.5\n",
        "# TYPE winperf_exporter_worker_restarts_total counter\n"
        "winperf_exporter_worker_restarts_total{worker=\"registry\",reason=\"crashed\"} 0\n"})
    EXPECT_THAT(text, ::testing::HasSubstr(lines));
}

}  // namespace
}  // namespace winperf
