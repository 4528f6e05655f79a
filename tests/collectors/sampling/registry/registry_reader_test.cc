// Which object a name stands for, and what is told when there is none.
#include "collectors/sampling/registry/registry_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::FakeSource;
using testing::ObjectBuilder;

constexpr std::uint32_t kOwn = 100, kThirdParty = 200, kState = 104;

ObjectBuilder widgets(std::uint32_t index) {
  return ObjectBuilder(index).counter({.index = kState}).single({7});
}

class RegistryReaderTest : public ::testing::Test {
 protected:
  RegistryReaderTest() {
    source_.names = {{kOwn, u"Widgets"}, {kThirdParty, u"widgets"}, {kState, u"Open"}};
  }
  ReadResult read(std::string_view name = "Widgets") {
    CatalogKeeper catalog(source_, Language::kEnglish, {});
    return reader_.read(source_, catalog, name, {});
  }

  FakeSource source_;
  RegistryReader reader_{PlannedCounterset{}};
};

TEST_F(RegistryReaderTest, TheSystemsObjectIsTakenOfTwoWithOneName) {
  const auto block = BlockBuilder().add(widgets(kThirdParty)).add(widgets(kOwn)).bytes();
  source_.replies["100 200"] = {block};
  const auto reading = read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(value_of(reading->sample->schema->index), kOwn);
  EXPECT_EQ(reading->bytes, block.size());
}

TEST_F(RegistryReaderTest, SaysWhetherTheNameOrTheObjectIsMissing) {
  EXPECT_EQ(read("Gadgets").error().error.code, ErrorCode::kNoSuchName);
  source_.replies["100 200"] = {BlockBuilder().bytes()};
  const auto reading = read();
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().error.code, ErrorCode::kNoSuchObject);
  EXPECT_TRUE(reading.error().problems.empty());
}

TEST_F(RegistryReaderTest, ACorruptBlockIsTheReasonAndWhatCameBeforeItIsReported) {
  const auto built = BlockBuilder().add(widgets(kOwn)).build();
  auto cut = built.bytes;
  cut.resize(60);
  source_.replies["100 200"] = {cut};
  const auto reading = read();
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().error.code, ErrorCode::kTruncated);
  EXPECT_TRUE(reading.error().problems.empty()) << "the reason is told once";
}

TEST_F(RegistryReaderTest, ProblemsComeWithTheSample) {
  source_.replies["100 200"] = {
      BlockBuilder().add(ObjectBuilder(kOwn).counter({.index = 9'998}).single({1})).bytes()};
  const auto reading = read();
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->problems.size(), 1U);
  EXPECT_EQ(describe(reading->problems[0]),
            describe(Error{.code = ErrorCode::kUnknownIndex, .where = "counter", .actual = 9'998}));
}

TEST(WithEarlier, PutsProblemsInFrontOfThoseOfEitherResult) {
  const Error first{.code = ErrorCode::kBusy}, second{.code = ErrorCode::kTruncated};
  ReadResult good = with_earlier({first}, Reading{.sample = nullptr, .problems = {second}});
  EXPECT_EQ(problems_of(good), (std::vector{first, second}));
  ReadResult bad =
      with_earlier({first}, std::unexpected(ReadFailure{.error = {}, .problems = {second}}));
  EXPECT_EQ(problems_of(bad), (std::vector{first, second}));
}

}  // namespace
}  // namespace winperf
