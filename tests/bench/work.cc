// Rounds of one step, for a program that counts the instructions of measured_step(), as
// instructions.py lets it.
//
//   winperf_work STEP SHAPE ROUNDS
//   winperf_work --all
//
// Four rounds precede them, which are not counted. Prints what a round has: its values, series or
// scrapes, and its allocations. --all: a round of each step on its smallest shape.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/bench/step.h"
#include "tests/support/allocations.h"

extern "C" std::size_t measured_step(winperf::testing::Step& step);

[[gnu::noinline]] std::size_t measured_step(winperf::testing::Step& step) { return step.run(); }

namespace winperf::testing {
namespace {

constexpr int kFirstRounds = 4;

int run(const StepRow& row, Step& step, int rounds) {
  for (int i = 0; i < kFirstRounds; ++i) {
    step.prepare();
    if (step.run() == 0) return EXIT_FAILURE;
  }
  Allocations made;
  std::uint64_t count = 0;
  for (int i = 0; i < rounds; ++i) {
    step.prepare();
    const Allocations before = allocations();
    if (measured_step(step) == 0) return EXIT_FAILURE;
    made += allocations() - before;
    count += step.count();
  }
  const auto each = static_cast<std::uint64_t>(rounds);
  std::printf("%llu %.*s, %llu allocations, %llu bytes\n",
              static_cast<unsigned long long>(count / each), static_cast<int>(row.unit.size()),
              row.unit.data(), static_cast<unsigned long long>(made.count / each),
              static_cast<unsigned long long>(made.bytes / each));
  return count == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int run(std::string_view name, std::string_view shape, int rounds) {
  for (const StepRow& row : all_steps())
    if (row.name == name)
      if (const auto step = row.make(shape)) return run(row, *step, rounds);
  return 2;
}

int run_all() {
  for (const StepRow& row : all_steps()) {
    auto step = row.make("C:2");
    if (step == nullptr) step = row.make(kSmallCrowdShape);
    if (step == nullptr || run(row, *step, 1) != EXIT_SUCCESS) {
      std::printf("%.*s has not done its work\n", static_cast<int>(row.name.size()),
                  row.name.data());
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace winperf::testing

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--all") return winperf::testing::run_all();
  return argc == 4 ? winperf::testing::run(argv[1], argv[2], std::atoi(argv[3])) : 2;
}
