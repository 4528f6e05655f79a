// The time of each step, by Google Benchmark: winperf_bench [--benchmark_filter=REGEX] and its
// other options. scripts/bench builds it optimised and makes a table of it.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "tests/bench/step.h"
#include "tests/support/allocations.h"

namespace winperf::testing {
namespace {

constexpr int kFirstRounds = 2;
constexpr char kNoShape[] = "there is no such shape, or no data for it";

void measure(benchmark::State& state, const StepRow& row, const std::string& shape) {
  using Clock = std::chrono::steady_clock;
  const auto step = row.make(shape);
  if (step == nullptr) return state.SkipWithError(kNoShape);
  for (int i = 0; i < kFirstRounds; ++i) {
    step->prepare();
    step->run();
  }
  Allocations made;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  std::chrono::duration<double> all{};
  for ([[maybe_unused]] const auto& round : state) {
    step->prepare();
    const Allocations before = allocations();
    const Clock::time_point start = Clock::now();
    const std::size_t done = step->run();
    const std::chrono::duration<double> taken = Clock::now() - start;
    made += allocations() - before;
    state.SetIterationTime(taken.count());
    all += taken;
    if (done == 0) return state.SkipWithError("the step has not done its work");
    bytes += done;
    count += step->count();
  }
  const auto each = [&](std::uint64_t number) {
    return static_cast<double>(number) / static_cast<double>(state.iterations());
  };
  state.SetLabel(std::string(row.unit));
  state.counters["count"] = each(count);
  state.counters["bytes"] = each(bytes);
  state.counters["allocations"] = each(made.count);
  state.counters["allocated"] = each(made.bytes);
  state.counters["ns_each"] = all.count() * 1e9 / static_cast<double>(count);
}

void add(const StepRow& row, const std::string& shape) {
  benchmark::RegisterBenchmark((std::string(row.name) + "/" + shape).c_str(), measure, row, shape)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void add_all() {
  for (const char* const shape : {"A", "C:5", "C", "C:1000", "C:5000"})
    for (const auto& rows : {sampling_steps(), answer_steps(), peer_steps()})
      for (const StepRow& row : rows) add(row, shape);
  for (const StepRow& row : answer_steps())
    if (!row.name.ends_with("new")) add(row, std::string(kServerShape));
  for (const StepRow& row : discovery_steps()) add(row, std::string(kCrowdShape));
  add(sampling_steps().front(), std::string(kCaptureShape));
}

}  // namespace
}  // namespace winperf::testing

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  winperf::testing::add_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
