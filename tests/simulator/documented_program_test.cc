// The consumer in Microsoft's documentation beside ours, on the same simulated machine: ten samples
// of Processor Information, and for each pair of them the number that the program prints.
#include <gtest/gtest.h>

#include <optional>

#include "tests/simulator/codes.h"
#include "tests/simulator/documented_reader.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kProcessorTime = 0;  // its counter id

// 100.0 * (1.0 - (s1 - s0) / (t1 - t0)), of the first instance.
double printed(const DocumentedSample& before, const DocumentedSample& now) {
  const std::uint64_t counted =
      now.rows[0].values.at(kProcessorTime) - before.rows[0].values.at(kProcessorTime);
  return 100.0 * (1.0 - static_cast<double>(counted) /
                            static_cast<double>(now.time_100ns - before.time_100ns));
}

class DocumentedProgramBesideOurs : public ::testing::TestWithParam<Padding> {};

INSTANTIATE_TEST_SUITE_P(ExactForms, DocumentedProgramBesideOurs,
                         ::testing::Values(Padding::kCounted, Padding::kNone));

TEST_P(DocumentedProgramBesideOurs, PrintsTheNumbersThatWeCook) {
  Machine machine;
  furnish(machine);
  machine.v2_padding = GetParam();
  PerflibFace face(machine);
  DocumentedProgram program(face, kProcessorInformation);
  SimulatedSampler ours(machine, {planned("Processor Information", CounterPath::kPerflib)});
  std::optional<DocumentedSample> before;
  int compared = 0;
  for (int i = 0; i < 10; ++i) {
    const auto sample = program.read_data();
    ASSERT_TRUE(sample.has_value()) << sample.error();
    ours.round();
    ASSERT_TRUE(ours.state().success) << ours.all_problems();
    const CountersetSample& cooked = *ours.state().sample;
    ASSERT_EQ(cooked.rows(), sample->rows.size());
    ASSERT_EQ(cooked.instances->instances[0].name, utf8(sample->rows[0].name));
    ASSERT_EQ(cooked.schema->counters[0].name, "% Processor Time");
    EXPECT_EQ(cooked.raw[0], sample->rows[0].values.at(kProcessorTime));
    if (before) {
      EXPECT_DOUBLE_EQ(cooked.cooked[0], printed(*before, *sample)) << i;
      ++compared;
    }
    before = *sample;
    machine.advance(1 + 0.25 * i);
  }
  EXPECT_EQ(compared, 9);
}

// The program swaps its samples only after a success: the next number spans the gap. So does ours.
TEST_P(DocumentedProgramBesideOurs, KeepsTheOldSampleOverAFailure) {
  Machine machine;
  furnish(machine);
  machine.v2_padding = GetParam();
  PerflibFace face(machine);
  DocumentedProgram program(face, kProcessorInformation);
  SimulatedSampler ours(machine, {planned("Processor Information", CounterPath::kPerflib)});
  const auto before = program.read_data();
  ours.round();
  machine.advance(1);
  machine.faults.fail(Point::kData, kBusy, 2);
  EXPECT_EQ(program.read_data(), std::unexpected(kBusy));
  ours.round();
  EXPECT_FALSE(ours.state().success);
  machine.advance(2.5);
  const auto after = program.read_data();
  ours.round();
  ASSERT_TRUE(before && after && ours.state().success) << ours.all_problems();
  EXPECT_EQ(after->time_100ns - before->time_100ns, 35'000'000);
  EXPECT_DOUBLE_EQ(ours.state().sample->cooked[0], printed(*before, *after));
}

}  // namespace
}  // namespace winperf::simulator
