// Which object a name stands for, and what is told when there is none.
#include "collectors/sampling/registry/registry_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using testing::ObjectBuilder;

constexpr std::uint32_t kOwn = 100, kThirdParty = 200, kOpenIndex = 104;

ObjectBuilder widgets(std::uint32_t index) {
  return ObjectBuilder(index).counter({.index = kOpenIndex}).single({7});
}

class RegistryReaderTest : public ::testing::Test {
 protected:
  RegistryReaderTest() {
    source_.names = {{kOwn, u"Widgets"}, {kThirdParty, u"widgets"}, {kOpenIndex, u"Open"}};
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

TEST_F(RegistryReaderTest, NamesThatCannotBeReadAreTheReasonAndNotThatThereIsNoSuchName) {
  const Error late{.code = ErrorCode::kTimedOut, .where = "registry.names"};
  source_.table_error = late;
  const auto reading = read();
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().error, late);
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

TEST_F(RegistryReaderTest, CorruptDataIsSaidToBeItsSuppliers) {
  source_.names = {{kOwn, u"Widgets"}, {kOpenIndex, u"Open"}};
  source_.supplier = "provider \"x\"";
  auto cut = BlockBuilder().add(widgets(kOwn)).bytes();
  cut.resize(60);
  source_.replies["100"] = {cut};
  const auto corrupt = read();
  ASSERT_FALSE(corrupt);
  EXPECT_STREQ(corrupt.error().error.where, "provider \"x\" in block");
  source_.replies["100"] = {BlockBuilder().bytes()};
  EXPECT_STREQ(read().error().error.where, "counterset") << "nobody's fault";
}

TEST_F(RegistryReaderTest, CorruptDataOfSeveralIsNobodys) {
  source_.supplier = "provider \"x\"";
  auto cut = BlockBuilder().add(widgets(kOwn)).bytes();
  cut.resize(60);
  source_.replies["100 200"] = {cut};
  EXPECT_STREQ(read().error().error.where, "block");
}

TEST_F(RegistryReaderTest, WhatIsOnlyUnknownIsNobodysFault) {
  source_.names = {{kOwn, u"Widgets"}};
  source_.supplier = "provider \"x\"";
  source_.replies["100"] = {
      BlockBuilder().add(ObjectBuilder(kOwn).counter({.index = 9'998}).single({1})).bytes()};
  EXPECT_STREQ(read().value().problems.at(0).where, "counter");
}

// A reader that goes on with one catalog, as the sampler's does.
class FollowingTest : public RegistryReaderTest {
 protected:
  ReadResult follow(std::string_view name = "Widgets") {
    return reader_.read(source_, catalog_, name, {});
  }
  static Bytes block(std::uint32_t index) { return BlockBuilder().add(widgets(index)).bytes(); }
  // "Other", object 300, is there from now on.
  void add_other() {
    source_.names.emplace_back(300, u"Other");
    source_.providers = 1;
    catalog_.refresh({});
  }

  CatalogKeeper catalog_{source_, Language::kEnglish, {}};
};

TEST_F(FollowingTest, AnObjectThatIsGoneIsLookedForAmongAllOfItsNameInTheSameRound) {
  source_.replies["100 200"] = {block(kThirdParty), block(kOwn)};
  source_.replies["200"] = {block(kThirdParty), BlockBuilder().bytes()};
  ASSERT_TRUE(follow());
  ASSERT_TRUE(follow());
  const auto moved = follow();
  ASSERT_TRUE(moved);
  EXPECT_EQ(value_of(moved->sample->schema->index), kOwn);
  EXPECT_THAT(source_.asked, ElementsAre("100 200", "200", "200", "100 200"));
}

TEST_F(FollowingTest, AnObjectThatStaysAwayIsLookedForOncePerRound) {
  source_.replies["100 200"] = {block(kOwn), BlockBuilder().bytes()};
  source_.replies["100"] = {BlockBuilder().bytes()};
  ASSERT_TRUE(follow());
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(follow().error().error.code, ErrorCode::kNoSuchObject);
  EXPECT_THAT(source_.asked, ElementsAre("100 200", "100", "100 200", "100 200"));
}

TEST_F(FollowingTest, AnErrorOfAnotherKindLeavesTheObjectKnown) {
  source_.replies["100 200"] = {block(kOwn)};
  source_.replies["100"] = {std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"}),
                            block(kOwn)};
  ASSERT_TRUE(follow());
  EXPECT_EQ(follow().error().error.code, ErrorCode::kTimedOut);
  ASSERT_TRUE(follow());
  EXPECT_THAT(source_.asked, ElementsAre("100 200", "100", "100"));
}

TEST_F(FollowingTest, AnotherNameOrANewCatalogIsLookedUpAnew) {
  add_other();
  source_.replies["100 200"] = {block(kOwn)};
  source_.replies["300"] = {block(300)};
  ASSERT_TRUE(follow());
  ASSERT_TRUE(follow("Other"));
  ASSERT_TRUE(follow());
  source_.providers = 2;
  catalog_.refresh({});
  ASSERT_TRUE(follow());
  EXPECT_THAT(source_.asked, ElementsAre("100 200", "300", "100 200", "100 200"));
}

TEST_F(FollowingTest, WhatTheCatalogCannotNameMakesItReloadAndNothingElseDoes) {
  CatalogKeeper::Time now;
  const auto reloads = [&] {
    const std::uint64_t before = catalog_.generation();
    now += std::chrono::hours(1);
    catalog_.refresh(now);
    return catalog_.generation() != before;
  };
  source_.replies["100 200"] = {block(kOwn)};
  ASSERT_TRUE(follow());
  EXPECT_FALSE(reloads());
  EXPECT_FALSE(follow("Gadgets"));
  EXPECT_TRUE(reloads()) << "an unknown name";
  source_.replies["100 200"] = {
      BlockBuilder().add(ObjectBuilder(kOwn).counter({.index = 9'998}).single({1})).bytes()};
  ASSERT_TRUE(follow());
  EXPECT_TRUE(reloads()) << "an unknown index";
  source_.replies["100 200"] = {Bytes(200)};
  RegistryReader other{PlannedCounterset{}};
  EXPECT_FALSE(other.read(source_, catalog_, "Widgets", {}));
  EXPECT_FALSE(reloads()) << "corrupt data";
}

TEST_F(FollowingTest, TheSizeIsThatOfAllBlocksAndOfTheRecord) {
  const Bytes empty = BlockBuilder().bytes();
  source_.every_reply = {.blocks = {block(kOwn), empty}, .logged_bytes = 1'000};
  const auto reading = follow();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->bytes, 1'000 + block(kOwn).size() + empty.size());
}

constexpr Error kWhy{.code = ErrorCode::kTimedOut, .where = "provider \"Widgets\"", .limit = 2};

TEST_F(FollowingTest, AnObjectThatIsMissingHasTheSourcesReason) {
  const MissingObject missing{.object = ObjectIndex{kOwn}, .reason = kWhy};
  source_.every_reply = {.blocks = {BlockBuilder().bytes()}, .missing = {missing}};
  EXPECT_EQ(follow().error().error, kWhy);
  source_.every_reply->missing = {{.object = ObjectIndex{kOpenIndex}, .reason = kWhy}};
  EXPECT_EQ(follow().error().error.code, ErrorCode::kNoSuchObject) << "that of another object";
  source_.every_reply->missing.push_back(missing);
  EXPECT_EQ(follow().error().error, kWhy);
  source_.every_reply->blocks = {block(kOwn)};
  EXPECT_TRUE(follow()) << "it is there";
}

// A reply to a query for several objects.
class SharingTest : public FollowingTest {
 protected:
  using Time = std::chrono::steady_clock::time_point;

  void fetch(const Bytes& block) {
    source_.replies["100 104"] = {block};
    const std::vector<ObjectIndex> objects{ObjectIndex{kOwn}, ObjectIndex{kOpenIndex}};
    Time now;
    EXPECT_FALSE(shared_.fetch(source_, objects, {},
                               {.steady_now = [&now] { return now += std::chrono::seconds(2); },
                                .wall_now = [] { return Ticks100ns{77}; }},
                               {}));
    source_.asked.clear();
  }
  ReadResult read_shared(std::string_view name = "Widgets") {
    return reader_.read(source_, catalog_, name, {}, &shared_);
  }

  SharedReply shared_;
};

TEST_F(SharingTest, AnObjectThatIsKnownIsTakenFromIt) {
  source_.replies["100 200"] = {block(kOwn)};
  EXPECT_THAT(reader_.shareable(catalog_), ElementsAre());
  ASSERT_TRUE(follow());
  EXPECT_THAT(reader_.shareable(catalog_), ElementsAre(ObjectIndex{kOwn}));
  const auto both = BlockBuilder().add(widgets(kOpenIndex)).add(widgets(kOwn)).build();
  fetch(both.bytes);
  const auto reading = read_shared();
  ASSERT_TRUE(reading);
  EXPECT_EQ(value_of(reading->sample->schema->index), kOwn);
  EXPECT_EQ(reading->bytes, both.bytes.size() - both.objects[1].offset) << "without the other one";
  EXPECT_EQ(reading->shared_query, std::chrono::seconds(2));
  ASSERT_TRUE(reading->taken_at);
  EXPECT_EQ(reading->taken_at->wall, Ticks100ns{77});
  EXPECT_THAT(source_.asked, ElementsAre());
}

TEST_F(SharingTest, AnObjectThatIsNotInItIsQueriedAlone) {
  source_.replies["100 200"] = {block(kOwn)};
  source_.replies["100"] = {block(kOwn)};
  fetch(BlockBuilder().add(widgets(kOpenIndex)).add(widgets(kThirdParty)).bytes());
  ASSERT_TRUE(read_shared()) << "not known yet";
  const auto reading = read_shared();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->shared_query.count(), 0);
  EXPECT_FALSE(reading->taken_at);
  EXPECT_THAT(source_.asked, ElementsAre("100 200", "100"));
  EXPECT_THAT(reader_.shareable(catalog_), ElementsAre()) << "it is delivered only alone";
}

// Otherwise each of a thousand objects would be asked for alone at first.
TEST_F(SharingTest, AnObjectThatDiscoveryHasFoundIsTakenFromTheFirstOne) {
  add_other();
  PlannedCounterset planned;
  planned.object = ObjectIndex{300};
  RegistryReader reader(planned);
  EXPECT_THAT(reader.shareable(catalog_), ElementsAre(ObjectIndex{300}));
  fetch(BlockBuilder().add(widgets(300)).add(widgets(kOwn)).bytes());
  ASSERT_TRUE(reader.read(source_, catalog_, "Other", {}, &shared_));
  EXPECT_THAT(source_.asked, ElementsAre());
  EXPECT_THAT(reader.shareable(catalog_), ElementsAre(ObjectIndex{300}));
}

TEST_F(SharingTest, AnObjectThatHasAnotherNameByNowIsNot) {
  source_.replies["100 200"] = {block(kOwn)};
  PlannedCounterset planned;
  planned.object = ObjectIndex{300};
  RegistryReader reader(planned);
  const auto reading = reader.read(source_, catalog_, "Widgets", {}, nullptr);
  ASSERT_TRUE(reading);
  EXPECT_EQ(value_of(reading->sample->schema->index), kOwn);
  EXPECT_THAT(reader.shareable(catalog_), ElementsAre(ObjectIndex{kOwn}));
}

TEST_F(SharingTest, IfThereIsNoneAnObjectStaysShareable) {
  source_.replies["100 200"] = {block(kOwn)};
  source_.replies["100"] = {block(kOwn)};
  ASSERT_TRUE(follow());
  ASSERT_TRUE(read_shared());
  EXPECT_THAT(reader_.shareable(catalog_), ElementsAre(ObjectIndex{kOwn}));
}

TEST_F(FollowingTest, ANameThatIsNotDeliveredLeavesTheObjectOfAnotherKnown) {
  add_other();
  source_.replies["100 200"] = {block(kOwn)};
  source_.replies["100"] = {block(kOwn)};
  source_.replies["300"] = {BlockBuilder().bytes()};
  ASSERT_TRUE(follow());
  EXPECT_FALSE(follow("Other"));
  ASSERT_TRUE(follow());
  EXPECT_THAT(source_.asked, ElementsAre("100 200", "300", "100"));
}

TEST_F(SharingTest, WhatWasKnownOfAnotherNameOrCatalogIsNotTaken) {
  add_other();
  source_.replies["100 200"] = {block(kOwn)};
  source_.replies["300"] = {block(300)};
  ASSERT_TRUE(follow());
  fetch(BlockBuilder().add(widgets(kOpenIndex)).add(widgets(kOwn)).bytes());
  ASSERT_TRUE(read_shared("Other"));
  EXPECT_THAT(source_.asked, ElementsAre("300"));
  source_.providers = 2;
  catalog_.refresh({});
  EXPECT_THAT(reader_.shareable(catalog_), ElementsAre());
}

TEST_F(FollowingTest, ANameThatNothingHasLeavesTheObjectOfAnotherKnown) {
  source_.replies["100 200"] = {block(kOwn)};
  source_.replies["100"] = {block(kOwn)};
  ASSERT_TRUE(follow());
  EXPECT_FALSE(follow("Gadgets"));
  ASSERT_TRUE(follow());
  EXPECT_THAT(source_.asked, ElementsAre("100 200", "100"));
}

TEST_F(FollowingTest, OfSeveralProblemsTheLastIsTheReasonAndTheOthersStayProblems) {
  auto cut = block(kOwn);
  cut.resize(60);
  source_.every_reply = {.blocks = {Bytes(200), cut}};
  const auto reading = follow();
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().error.code, ErrorCode::kTruncated);
  ASSERT_EQ(reading.error().problems.size(), 1U);
  EXPECT_EQ(reading.error().problems[0].code, ErrorCode::kBadSignature);
}

TEST_F(SharingTest, AnObjectThatItMissesIsNotQueriedAgain) {
  source_.replies["100 200"] = {block(kOwn)};
  ASSERT_TRUE(follow());
  source_.every_reply = {.blocks = {BlockBuilder().add(widgets(kOpenIndex)).bytes()},
                         .missing = {{.object = ObjectIndex{kOwn}, .reason = kWhy}}};
  fetch({});
  EXPECT_EQ(read_shared().error().error, kWhy);
  EXPECT_THAT(source_.asked, ElementsAre());
}

}  // namespace
}  // namespace winperf
