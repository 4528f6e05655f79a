#include "collectors/sources/capture_folder.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(CaptureNames, ReadsSampleAndPart) {
  const auto whole = parse_sample_file_name("sample-0012.perf");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->sample, 12U);
  EXPECT_FALSE(whole->part);

  const auto part = parse_sample_file_name("sample-0012-07.perf");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->sample, 12U);
  EXPECT_EQ(part->part, 7U);
  EXPECT_LT(*whole, *part);
}

TEST(CaptureNames, TakesMoreDigitsThanTheUsualOnes) {
  EXPECT_EQ(parse_sample_file_name("sample-123456.perf")->sample, 123456U);
  EXPECT_EQ(parse_sample_file_name("sample-0000-100.perf")->part, 100U);
}

TEST(CaptureNames, RefusesEverythingElse) {
  for (const char* name : {"",
                           "sample-",
                           ".perf",
                           "sample-.perf",
                           "sample.perf",
                           "sample-1.perf",
                           "sample-012.perf",
                           "sample-0000.per",
                           "sample-0000.perf.bak",
                           "a-sample-0000.perf",
                           "sample-00x0.perf",
                           "sample-0000-.perf",
                           "sample-0000-1.perf",
                           "sample-0000-00-00.perf",
                           "sample--000.perf",
                           "sample-+000.perf",
                           "sample- 000.perf",
                           "sample-0000000000.perf",
                           "sample-99999999999999999999.perf",
                           "sample-0000-0000000000.perf",
                           "SAMPLE-0000.perf"})
    EXPECT_FALSE(parse_sample_file_name(name)) << name;
}

}  // namespace
}  // namespace winperf
