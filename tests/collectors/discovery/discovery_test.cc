#include "collectors/discovery/discovery.h"

#include <gmock/gmock.h>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/perflib/fake_perflib.h"
#include "tests/simulator/crowd.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/standard_machine.h"
#include "tests/support/block_builder.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FakePerflib;
using testing::FakeSource;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using testing::ObjectBuilder;

std::vector<std::string> names(const Inventory& inventory) {
  std::vector<std::string> all;
  for (const KnownCounterset& known : inventory.countersets) all.push_back(known.name);
  return all;
}

constexpr Guid kWaits{.bytes = {7}};

class MetadataSource : public FakeSource {
 public:
  bool metadata = true;
  bool supports_metadata() override { return metadata; }
};

class DiscoveryTest : public ::testing::Test {
 protected:
  DiscoveryTest() { source_.names = {{2, u"System"}, {4, u"Calls/sec"}, {238, u"Processor"}}; }
  std::expected<Inventory, Error> take(const DiscoveryScope& scope = {}) {
    return take_inventory(source_, perflib_, scope, system_clocks(), {});
  }
  static ObjectBuilder full(std::uint32_t index) {
    return ObjectBuilder(index).counter({.index = 4}).single({1});
  }
  static ObjectBuilder definitions(std::uint32_t index) {
    return ObjectBuilder(index).counter({.index = 4}).metadata();
  }
  void answer(const std::string& name, const std::vector<ObjectBuilder>& objects) {
    BlockBuilder block;
    for (const ObjectBuilder& object : objects) block.add(object);
    source_.replies[name] = {block.bytes()};
  }

  MetadataSource source_;
  FakePerflib fake_;
  PerflibSource* perflib_ = nullptr;
};

TEST_F(DiscoveryTest, AsksForMetadataWhereTheSystemSupportsIt) {
  answer("MetadataGlobal", {definitions(238), definitions(2)});
  const auto inventory = take();
  ASSERT_TRUE(inventory);
  EXPECT_TRUE(inventory->supports_metadata);
  EXPECT_THAT(inventory->asked, ElementsAre("MetadataGlobal"));
  EXPECT_THAT(inventory->countersets,
              ElementsAre(KnownCounterset{.name = "Processor", .key = "238"},
                          KnownCounterset{.name = "System", .key = "2"}));
  EXPECT_GT(inventory->bytes, 0U);
  EXPECT_THAT(inventory->problems, IsEmpty());
  EXPECT_EQ(source_.taken_back, 1);
}

TEST_F(DiscoveryTest, OtherwiseCollectsEverything) {
  source_.metadata = false;
  answer("Global", {full(2)});
  const auto inventory = take();
  ASSERT_TRUE(inventory);
  EXPECT_FALSE(inventory->supports_metadata);
  EXPECT_THAT(inventory->asked, ElementsAre("Global"));
  EXPECT_THAT(names(*inventory), ElementsAre("System"));
}

TEST_F(DiscoveryTest, WithoutMetadataNothingNeedBeCollected) {
  perflib_ = &fake_.source;
  fake_.countersets.push_back({.guid = kWaits, .name = u"Waits"});
  source_.metadata = false;
  const auto inventory = take({.metadata_alone = true});
  ASSERT_TRUE(inventory);
  EXPECT_THAT(source_.asked, IsEmpty());
  EXPECT_THAT(inventory->asked, ElementsAre("PerfLib"));
  EXPECT_THAT(names(*inventory), ElementsAre("Waits"));
  EXPECT_EQ(inventory->gap, (Error{.code = ErrorCode::kUnsupported, .where = "metadata"}));
  source_.metadata = true;
  answer("OLD_MetadataGlobal", {definitions(2)});
  EXPECT_TRUE(take({.metadata_alone = true})->is_whole());
}

TEST_F(DiscoveryTest, AReplyMayHaveBothKindsOfObjects) {
  answer("MetadataGlobal", {definitions(2), full(238), definitions(999)});
  EXPECT_THAT(names(*take()), ElementsAre("", "Processor", "System"));
}

TEST_F(DiscoveryTest, WithPerfLibV1IsAskedForWithoutTranslatedObjects) {
  perflib_ = &fake_.source;
  fake_.countersets.push_back({.guid = kWaits, .name = u"Waits"});
  for (const auto& [metadata, name] :
       {std::pair{true, "OLD_MetadataGlobal"}, std::pair{false, "OLD_Global"}}) {
    source_.metadata = metadata;
    source_.asked.clear();
    answer(name, {full(2)});
    const auto inventory = take();
    ASSERT_TRUE(inventory);
    EXPECT_THAT(inventory->asked, ElementsAre("PerfLib", name));
    EXPECT_THAT(source_.asked, ElementsAre(name));
    EXPECT_THAT(inventory->countersets,
                ElementsAre(KnownCounterset{.name = "System", .key = "2"},
                            KnownCounterset{.name = "Waits", .key = to_string(kWaits)}));
  }
}

TEST_F(DiscoveryTest, IfPerfLibFailsTheRegistryShowsItsCountersetsToo) {
  perflib_ = &fake_.source;
  fake_.list_status = OsCode::kAccessDenied;
  answer("MetadataGlobal", {definitions(2)});
  const auto inventory = take();
  ASSERT_TRUE(inventory);
  EXPECT_THAT(inventory->asked, ElementsAre("MetadataGlobal"));
  ASSERT_EQ(inventory->problems.size(), 1U);
  EXPECT_EQ(inventory->problems[0].code, ErrorCode::kAccessDenied);
  EXPECT_EQ(inventory->gap, inventory->problems[0]);
}

TEST_F(DiscoveryTest, CostlyObjectsAreAskedForOnlyIfSomebodyWantsThem) {
  answer("MetadataGlobal", {definitions(2)});
  answer("MetadataCostly", {definitions(238), definitions(2)});
  EXPECT_THAT(names(*take()), ElementsAre("System"));
  const auto inventory = take({.costly = true});
  EXPECT_THAT(inventory->asked, ElementsAre("MetadataGlobal", "MetadataCostly"));
  EXPECT_THAT(inventory->countersets,
              ElementsAre(KnownCounterset{.name = "Processor", .key = "238", .is_costly = true},
                          KnownCounterset{.name = "System", .key = "2"}));
  // A name that the table has and no reply has shown may be that of an expensive object.
  EXPECT_THAT(names(*take({.wanted = {"System", "processor", "Nothing"}})),
              ElementsAre("Processor", "System"));
  EXPECT_THAT(names(*take({.wanted = {"System", "Nothing"}})), ElementsAre("System"));
  source_.metadata = false;
  answer("Global", {full(2)});
  answer("Costly", {full(238)});
  EXPECT_THAT(take({.costly = true})->asked, ElementsAre("Global", "Costly"));
  EXPECT_THAT(take({.wanted = {"Processor"}})->asked, ElementsAre("Global"));
}

TEST_F(DiscoveryTest, AQueryThatFailsIsItsError) {
  EXPECT_EQ(take().error().code, ErrorCode::kOsError);
  answer("MetadataGlobal", {definitions(2)});
  const auto inventory = take({.costly = true});
  ASSERT_TRUE(inventory) << "what is not costly was found";
  EXPECT_THAT(names(*inventory), ElementsAre("System"));
  EXPECT_EQ(inventory->problems.size(), 1U);
  EXPECT_FALSE(inventory->is_whole());
}

TEST_F(DiscoveryTest, ADamagedPartCostsOnlyItself) {
  const testing::BuiltBlock built = BlockBuilder().add(full(2)).add(full(238)).build();
  source_.replies["MetadataGlobal"] = {built.with(built.objects[1].offset, 1)};
  const auto inventory = take();
  ASSERT_TRUE(inventory);
  EXPECT_THAT(names(*inventory), ElementsAre("System"));
  EXPECT_THAT(inventory->problems, Not(IsEmpty()));
  EXPECT_FALSE(inventory->is_whole());
  source_.replies["MetadataGlobal"] = {Bytes(3)};
  const auto nothing = take();
  ASSERT_TRUE(nothing);
  EXPECT_THAT(nothing->countersets, IsEmpty());
  EXPECT_THAT(nothing->problems, Not(IsEmpty()));
  EXPECT_FALSE(nothing->is_whole());
}

TEST_F(DiscoveryTest, IsNotWholeIfAProviderDidNotAnswer) {
  answer("MetadataGlobal", {definitions(2)});
  EXPECT_TRUE(take()->is_whole());
  constexpr Error kWhy{.code = ErrorCode::kTimedOut, .where = "provider"};
  source_.every_reply = {.blocks = {BlockBuilder().add(definitions(2)).bytes()},
                         .missing = {{.object = ObjectIndex{238}, .reason = kWhy}}};
  const auto inventory = take();
  EXPECT_EQ(inventory->gap, kWhy);
  EXPECT_THAT(names(*inventory), ElementsAre("System"));
  EXPECT_THAT(inventory->problems, ElementsAre(kWhy));
}

TEST_F(DiscoveryTest, IsNotWholeWithoutNames) {
  answer("MetadataGlobal", {definitions(2)});
  source_.table_error = Error{.code = ErrorCode::kAccessDenied, .where = "names"};
  const auto inventory = take();
  EXPECT_EQ(inventory->gap, source_.table_error) << "no pattern matches what has no name";
}

TEST_F(DiscoveryTest, IsNotWholeIfPerfLibFailsToNameACounterset) {
  perflib_ = &fake_.source;
  fake_.countersets.push_back({.guid = kWaits, .name = u"Waits"});
  fake_.registration_status = OsCode::kAccessDenied;
  answer("OLD_MetadataGlobal", {definitions(2)});
  EXPECT_FALSE(take()->is_whole());
}

TEST_F(DiscoveryTest, AStopReachesTheSource) {
  StopSource stop;
  answer("MetadataGlobal", {definitions(2)});
  ASSERT_TRUE(take_inventory(source_, nullptr, {}, system_clocks(), stop.token()));
  stop.request_stop();
  EXPECT_TRUE(source_.stop.stop_requested());
}

TEST(Inventories, OfOtherMachinesAreAddedByName) {
  Inventory one{.countersets = {{.name = "System", .key = "2"}}};
  Inventory other{.countersets = {{.name = "SYSTEM", .key = "4"},
                                  {.name = "Shop", .key = "6"},
                                  {.name = "", .key = "8"},
                                  {.name = "", .key = "2"}}};
  add_to(one, other);
  EXPECT_THAT(names(one), ElementsAre("System", "Shop", ""));
}

TEST(Inventories, ThatAreNotWholeKeepWhatEarlierOnesHave) {
  const Inventory before{.countersets = {{.name = "Gone", .key = "8"},
                                         {.name = "Here", .local_name = "Hier", .key = "2"},
                                         {.name = "V2", .key = to_string(kWaits)}}};
  Inventory now{.countersets = {{.name = "", .key = "2"},
                                {.name = "New", .key = "4"},
                                {.name = "v2", .key = "5000"}}};
  keep_unseen(now, before);
  EXPECT_THAT(now.countersets,
              ElementsAre(KnownCounterset{.name = "Gone", .key = "8"},
                          KnownCounterset{.name = "Here", .local_name = "Hier", .key = "2"},
                          KnownCounterset{.name = "New", .key = "4"},
                          KnownCounterset{.name = "V2", .key = to_string(kWaits)}))
      << "one by two keys would be sampled twice";
}

TEST(Inventories, OfSeveralMachinesAreWholeIfAllAre) {
  Inventory one;
  add_to(one, {});
  EXPECT_TRUE(one.is_whole());
  constexpr Error kWhy{.code = ErrorCode::kTimedOut, .where = "provider"};
  add_to(one, {.gap = kWhy});
  add_to(one, {.gap = Error{}});
  EXPECT_EQ(one.gap, kWhy);
}

// Of every kind of provider, through the faces of the simulated machine.
class DiscoveredMachine : public ::testing::TestWithParam<bool> {
 protected:
  DiscoveredMachine() {
    simulator::furnish(machine_);
    machine_.supports_metadata = GetParam();
    machine_.add(simulator::crowd_provider(machine_, 1000, {}));
  }
  simulator::Machine machine_;
  simulator::RegistrySource source_{machine_, {}};
  simulator::PerflibFace face_{machine_};
  PerflibClient perflib_{face_, ""};
};

TEST_P(DiscoveredMachine, HasTheSameCountersetsWhateverItSupports) {
  const auto inventory = take_inventory(source_, &perflib_, {.costly = true}, system_clocks(), {});
  ASSERT_TRUE(inventory);
  EXPECT_EQ(inventory->supports_metadata, GetParam());
  EXPECT_THAT(names(*inventory), IsSupersetOf({"Crowd 0", "Crowd 999", "System", "Thing",
                                               "Costly Thing", "Processor Information"}));
  const auto registry_alone =
      take_inventory(source_, nullptr, {.costly = true}, system_clocks(), {});
  ASSERT_TRUE(registry_alone);
  EXPECT_EQ(names(*registry_alone), names(*inventory));
}

// Of servers whose objects have many instances, which is what makes collecting costly.
TEST(DiscoveryCost, WithMetadataIsASmallPartOfCollecting) {
  simulator::Machine machine;
  simulator::furnish(machine);
  machine.add(simulator::crowd_provider(machine, testing::tried(200, 1000), {}, 50));
  simulator::RegistrySource source(machine, {});
  const auto bytes = [&](bool metadata) {
    machine.supports_metadata = metadata;
    return take_inventory(source, nullptr, {}, system_clocks(), {}).value().bytes;
  };
  EXPECT_GT(bytes(false), 7 * bytes(true));
}

// So that everything that is registered for products that don't run isn't a failure each.
TEST_P(DiscoveredMachine, KnowsWhichV2CountersetsAreActive) {
  const auto active = [&](const std::string& name) {
    const auto inventory = take_inventory(source_, &perflib_, {}, system_clocks(), {});
    for (const KnownCounterset& known : inventory->countersets)
      if (known.name == name) return known.is_active;
    return false;
  };
  EXPECT_TRUE(active("Processor Information"));
  machine_.faults.fail(simulator::Point::kEnumerateInstances, 4201, 100);
  EXPECT_FALSE(active("Processor Information"));
  EXPECT_TRUE(active("System"));
}

INSTANTIATE_TEST_SUITE_P(Metadata, DiscoveredMachine, ::testing::Bool());

}  // namespace
}  // namespace winperf
