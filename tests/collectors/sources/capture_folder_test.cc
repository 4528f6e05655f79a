#include "collectors/sources/replay.h"

#include <gtest/gtest.h>

#include <system_error>

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

TEST(CaptureNames, SortByTheirNumbersAndAWholeSampleBeforeItsParts) {
  const auto name = [](const char* text) { return parse_sample_file_name(text).value(); };
  EXPECT_LT(name("sample-0009-99.perf"), name("sample-0010.perf"));
  EXPECT_LT(name("sample-9999.perf"), name("sample-10000.perf"));
  EXPECT_LT(name("sample-0001.perf"), name("sample-0001-00.perf"));
  EXPECT_EQ(name("sample-0001-02.perf"), name("sample-00001-002.perf"));
}

TEST(CaptureNames, HaveFromFourAndTwoToNineDigits) {
  struct Row {
    const char* name;
    bool taken;
  };
  for (const Row& row :
       {Row{"sample-999.perf", false}, Row{"sample-9999.perf", true},
        Row{"sample-999999999.perf", true}, Row{"sample-9999999999.perf", false},
        Row{"sample-0000-9.perf", false}, Row{"sample-0000-99.perf", true},
        Row{"sample-0000-999999999.perf", true}, Row{"sample-0000-9999999999.perf", false}})
    EXPECT_EQ(parse_sample_file_name(row.name).has_value(), row.taken) << row.name;
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
                           "sample-0000.text",
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

TEST(FileError, HasTheCodeOfTheFailureAndTheSizeOfAFileThatIsTooLarge) {
  const auto error = [](FileProblem problem, int os_code = 0) {
    const FileFailure failure{.problem = problem,
                              .reason = {},
                              .bytes = 5,
                              .cause = std::error_code(os_code, std::system_category())};
    return file_error(failure, "here", 4);
  };
  EXPECT_EQ(error(FileProblem::kAbsent), (Error{.code = ErrorCode::kNoSuchFile, .where = "here"}));
  EXPECT_EQ(error(FileProblem::kNotAFile), (Error{.code = ErrorCode::kNotAFile, .where = "here"}));
  EXPECT_EQ(error(FileProblem::kTooLarge),
            (Error{.code = ErrorCode::kLimitExceeded, .where = "here", .actual = 5, .limit = 4}));
  EXPECT_EQ(error(FileProblem::kSystem, 13),
            (Error{.code = ErrorCode::kOsError, .where = "here", .os_code = 13}));
}

}  // namespace
}  // namespace winperf
