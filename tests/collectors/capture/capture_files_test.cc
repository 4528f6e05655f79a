#include "collectors/capture/recorder.h"

#include <gtest/gtest.h>

#include "collectors/sources/replay.h"

namespace winperf::capture {
namespace {

TEST(CaptureFiles, HaveTheNamesThatReplayingReads) {
  EXPECT_EQ(block_file(0, 0), "sample-0000-00.perf");
  EXPECT_EQ(block_file(12, 7), "sample-0012-07.perf");
  EXPECT_EQ(block_file(9'999, 99), "sample-9999-99.perf");
  EXPECT_EQ(block_file(10'000, 100), "sample-10000-100.perf");
  EXPECT_EQ(v2_data_file(3), "sample-0003.v2");
  EXPECT_EQ(v2_data_file(123'456), "sample-123456.v2");
  for (const std::uint32_t sample : {0U, 9'999U, 10'000U, 999'999'999U})
    EXPECT_EQ(parse_sample_file_name(block_file(sample, 5)), (SampleFileName{sample, 5}));
}

TEST(CaptureFiles, ARegistrationIsNamedByGuidInfoAndArgument) {
  EXPECT_EQ(registration_file(*parse_guid("{b4fc721a-0378-476f-89ba-a5a79f810b36}"),
                              RegistrationInfo::kCounterNames, 0x409),
            "v2-b4fc721a-0378-476f-89ba-a5a79f810b36-5-1033.bin");
}

}  // namespace
}  // namespace winperf::capture
