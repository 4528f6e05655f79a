// Which objects of a reply become samples, and what each problem costs.
#include "collectors/sampling/registry/object_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/raw_sample.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

constexpr std::uint32_t kCounterIndex = 8;

ObjectBuilder object(std::uint32_t index, std::uint64_t value = 1) {
  return ObjectBuilder(index).counter({.index = kCounterIndex}).single({value});
}

LoggedObject logged_object(std::uint32_t index) {
  auto schema =
      std::make_shared<CountersetSchema>(*testing::schema_of({{.index = 1, .name = "A"}}, false));
  schema->index = ObjectIndex{index};
  auto values =
      testing::make_raw_sample(schema, testing::instances_named({}), testing::at_second(1));
  values->own_clocks = {testing::at_second(1)};
  return {.values = values, .problems = {{.code = ErrorCode::kBadText, .where = "log"}}};
}

class ObjectSamplerTest : public ::testing::Test {
 protected:
  ObjectSamplerTest() {
    names_.names = {{2, u"System"}, {4, u"Memory"}, {6, u"Cache"}, {kCounterIndex, u"Open"}};
    catalog_ = Catalog::load(names_, Language::kEnglish);
  }
  // Indices of the samples, and codes of the problems.
  std::vector<std::uint32_t> take(const Reply& reply, const std::vector<ObjectIndex>& wanted = {}) {
    SampledObjects taken = sampler_.take(reply, catalog_, 1, wanted);
    std::vector<std::uint32_t> indices;
    for (const auto& sample : taken.samples) indices.push_back(value_of(sample->schema->index));
    problems_.clear();
    for (const Error& problem : taken.problems) problems_.push_back(problem.code);
    return indices;
  }

  FakeSource names_;
  Catalog catalog_;
  ObjectSampler sampler_;
  std::vector<ErrorCode> problems_;
};

TEST_F(ObjectSamplerTest, TakesWhatIsWantedAndEverythingIfNothingIsNamed) {
  const Reply reply{{BlockBuilder().add(object(2)).add(object(4)).bytes(),
                     BlockBuilder().add(object(6)).bytes()}};
  EXPECT_THAT(take(reply), ElementsAre(2, 4, 6));
  EXPECT_THAT(take(reply, {ObjectIndex{6}, ObjectIndex{2}}), ElementsAre(2, 6));
  EXPECT_THAT(take(reply, {ObjectIndex{99}}), IsEmpty());
  EXPECT_THAT(take({}), IsEmpty());
  EXPECT_THAT(problems_, IsEmpty());
}

TEST_F(ObjectSamplerTest, ABlockThatCannotBeReadCostsItselfAlone) {
  const Reply reply{{Bytes(10), BlockBuilder().add(object(2)).bytes(), Bytes(200)}};
  EXPECT_THAT(take(reply), ElementsAre(2));
  EXPECT_THAT(problems_, ElementsAre(ErrorCode::kTruncated, ErrorCode::kBadSignature));
}

TEST_F(ObjectSamplerTest, ACorruptObjectIsReportedWhoeverWantsIt) {
  const auto built = BlockBuilder().add(object(2)).add(object(4)).build();
  const Reply reply{{built.with(built.objects[1].offset, 8)}};
  EXPECT_THAT(take(reply, {ObjectIndex{2}}), ElementsAre(2));
  EXPECT_THAT(problems_, ElementsAre(ErrorCode::kBadLength));
}

TEST_F(ObjectSamplerTest, OfOneObjectTwiceTheFirstCountsAndTheOtherIsReported) {
  const Reply reply{{BlockBuilder().add(object(2, 10)).add(object(4)).add(object(2, 20)).bytes(),
                     BlockBuilder().add(object(2, 30)).bytes()}};
  const SampledObjects taken = sampler_.take(reply, catalog_, 1, {});
  ASSERT_EQ(taken.samples.size(), 2u);
  EXPECT_EQ(taken.samples[0]->raw[0], 10u);
  ASSERT_EQ(taken.problems.size(), 2u);
  for (const Error& problem : taken.problems) {
    EXPECT_EQ(problem.code, ErrorCode::kDuplicateObject);
    EXPECT_EQ(problem.actual, 2u);
  }
  EXPECT_THAT(take(reply, {ObjectIndex{4}}), ElementsAre(4));
  EXPECT_THAT(problems_, IsEmpty()) << "nobody wants it";
}

TEST_F(ObjectSamplerTest, MetadataHasNoValues) {
  const Reply reply{
      {BlockBuilder()
           .add(ObjectBuilder(2).counter({.index = kCounterIndex}).metadata())
           .add(ObjectBuilder(4).counter({.index = kCounterIndex}).multi_instance().metadata())
           .bytes()}};
  EXPECT_THAT(take(reply), IsEmpty());
  EXPECT_THAT(problems_, IsEmpty());
}

TEST_F(ObjectSamplerTest, LoggedObjectsComeWithTheirProblems) {
  const Reply reply{.blocks = {}, .logged = {logged_object(2), logged_object(4)}};
  EXPECT_THAT(take(reply), ElementsAre(2, 4));
  EXPECT_THAT(problems_, ElementsAre(ErrorCode::kBadText, ErrorCode::kBadText));
  EXPECT_THAT(take(reply, {ObjectIndex{4}}), ElementsAre(4));
  EXPECT_THAT(problems_, ElementsAre(ErrorCode::kBadText));
}

}  // namespace
}  // namespace winperf
