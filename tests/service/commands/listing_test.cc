// What `list` asks the registry for, and what it makes of replies with and without instances.
#include "service/commands/listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/standard_machine.h"
#include "tests/simulator/user_provider.h"

namespace winperf::simulator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kRawCount = 0x00010000;

enum Flag : unsigned { kV1Only = 1, kCostly = 2, kInstances = 4 };

ListOptions with(unsigned flags) {
  ListOptions options;
  options.v1_only = (flags & kV1Only) != 0;
  options.costly = (flags & kCostly) != 0;
  options.instances = (flags & kInstances) != 0;
  return options;
}

ListOptions named(const std::string& object) {
  ListOptions options;
  options.names = {object};
  return options;
}

class ListingTest : public ::testing::Test {
 protected:
  ListingTest() : system_(system_provider(machine_)), things_(thing_provider(machine_)) {
    machine_.add(system_);
    machine_.add(things_);
    machine_.add(
        std::make_shared<FormulaProvider>(machine_, kProcessorInformationProvider, u"Processors",
                                          std::vector<FormulaProvider::Set>{processor_set(2)}));
  }

  // Makes a listing; `asked_` is what it asked the registry for, name tables apart.
  Listing list(const ListOptions& options, bool with_perflib = false) {
    RegistrySource registry(machine_, {});
    PerflibFace face(machine_);
    PerflibClient perflib(face, "");
    const Catalog catalog = Catalog::load(registry, Language::kEnglish);
    const std::size_t before = registry.face().queries().size();
    auto listing = make_listing(
        {.registry = registry, .catalog = catalog, .perflib = with_perflib ? &perflib : nullptr},
        options);
    asked_.clear();
    for (const std::u16string& query : registry.face().queries()) asked_.push_back(utf8(query));
    asked_.erase(asked_.begin(), asked_.begin() + static_cast<std::ptrdiff_t>(before));
    // A buffer that is too small is asked for again.
    asked_.erase(std::ranges::unique(asked_).begin(), asked_.end());
    EXPECT_TRUE(listing) << listing.error();
    return listing.value_or(Listing{});
  }

  static const ListedObject& object(const Listing& listing, const std::string& name) {
    static const ListedObject kNone;
    for (const ListedObject& listed : listing.objects)
      if (listed.schema.name == name) return listed;
    ADD_FAILURE() << name << " is not listed";
    return kNone;
  }

  static std::vector<std::string> names(const Listing& listing) {
    std::vector<std::string> names;
    for (const ListedObject& listed : listing.objects) names.push_back(listed.schema.name);
    return names;
  }

  Machine machine_;
  std::shared_ptr<ObjectProvider> system_;
  std::shared_ptr<ObjectProvider> things_;
  std::vector<std::string> asked_;
};

TEST_F(ListingTest, AsksForMetadataWhereItIsSupportedAndForEverythingElsewhere) {
  struct Row {
    ListOptions options;
    bool perflib;
    const char* supported;
    const char* unsupported;
  };
  const Row rows[] = {
      {{}, false, "MetadataGlobal", "Global"},
      {with(kV1Only), false, "OLD_MetadataGlobal", "OLD_Global"},
      {{}, true, "OLD_MetadataGlobal", "OLD_Global"},
      {with(kV1Only), true, "OLD_MetadataGlobal", "OLD_Global"},
      {with(kCostly), true, "MetadataCostly", "Costly"},
      {with(kV1Only | kCostly), true, "OLD_MetadataCostly", "Costly"},
      // Instances are what metadata leaves out.
      {with(kInstances), false, "Global", "Global"},
      {with(kInstances), true, "OLD_Global", "OLD_Global"},
      {with(kInstances | kCostly), true, "Costly", "Costly"},
      {named("Thing"), true, "2000", "2000"},
  };
  for (const Row& row : rows) {
    for (const bool supported : {true, false}) {
      SCOPED_TRACE(std::string(row.supported) + (supported ? ", supported" : ", not supported"));
      machine_.supports_metadata = supported;
      list(row.options, row.perflib);
      EXPECT_THAT(asked_, ElementsAre(supported ? row.supported : row.unsupported));
    }
  }
}

TEST_F(ListingTest, EveryObjectIsListedWhateverIsSupported) {
  for (const bool supported : {true, false}) {
    machine_.supports_metadata = supported;
    EXPECT_THAT(names(list({})), ElementsAre("Processor Information", "System", "Thing"));
    EXPECT_THAT(names(list(with(kV1Only))), ElementsAre("System", "Thing"));
    EXPECT_THAT(names(list(with(kCostly))), ElementsAre("Costly Thing"));
  }
}

TEST_F(ListingTest, AReplyThatMixesBothKindsOfObjectsHasTheInstancesThatCame) {
  const Listing mixed = list({});
  EXPECT_THAT(things_->queries, ElementsAre(u"Global")) << "it has not opted in";
  EXPECT_THAT(system_->queries, ElementsAre(u"MetadataGlobal"));
  EXPECT_THAT(mixed.problems, IsEmpty());

  const ListedObject& thing = object(mixed, "Thing");
  EXPECT_TRUE(thing.instances_known);
  EXPECT_TRUE(thing.schema.multi_instance);
  EXPECT_THAT(thing.instances, ElementsAre("first", "second"));
  const ListedObject& processors = object(mixed, "Processor Information");
  EXPECT_FALSE(processors.instances_known);
  EXPECT_TRUE(processors.schema.multi_instance);
  EXPECT_THAT(processors.instances, IsEmpty());
  EXPECT_FALSE(object(mixed, "System").instances_known);
  EXPECT_FALSE(object(mixed, "System").schema.multi_instance);

  const Listing full = list(with(kInstances));
  EXPECT_THAT(object(full, "Thing").instances, ElementsAre("first", "second"));
  EXPECT_THAT(object(full, "Processor Information").instances,
              ElementsAre("_Total", "1,_Total", "1,1", "1,0", "0,_Total", "0,1", "0,0"));
  for (const char* name : {"Thing", "Processor Information", "System"}) {
    EXPECT_TRUE(object(full, name).instances_known);
    ASSERT_EQ(object(mixed, name).schema.counters.size(),
              object(full, name).schema.counters.size());
    for (std::size_t i = 0; i < object(full, name).schema.counters.size(); ++i) {
      const CounterSchema& without = object(mixed, name).schema.counters[i];
      const CounterSchema& with = object(full, name).schema.counters[i];
      EXPECT_EQ(without.name, with.name);
      EXPECT_EQ(without.type, with.type) << with.name;
      EXPECT_EQ(without.base_type, with.base_type) << with.name;
    }
  }
}

// The translation of a V2 counterset whose provider is not running has nothing to deliver.
TEST_F(ListingTest, MetadataHasTheCountersOfWhatHasNoInstances) {
  constexpr Guid kProvider{{1}};
  const auto asleep = std::make_shared<UserProvider>(
      kProvider, u"Sleeper",
      std::vector<CountersetDefinition>{
          {.guid = Guid{{2}},
           .name = u"Sleeping",
           .instance_type = v2::InstanceType::kMultiple,
           .counters = {{.id = 1, .name = u"Dreams", .type = kRawCount}}}});
  asleep->stop();
  machine_.add(asleep);
  const ListedObject listed = object(list({}), "Sleeping");
  ASSERT_EQ(listed.schema.counters.size(), 1u);
  EXPECT_EQ(listed.schema.counters[0].name, "Dreams");
  EXPECT_TRUE(listed.schema.multi_instance);
  EXPECT_FALSE(listed.instances_known);
  machine_.supports_metadata = false;
  EXPECT_THAT(names(list({})), ElementsAre("Processor Information", "System", "Thing"));
}

TEST_F(ListingTest, ManyInstancesAreNotCollectedForAListOfCounters) {
  int collected = 0;
  const auto build = [&collected](bool metadata) {
    testing::ObjectBuilder processes(230);
    processes.counter({.index = 232}).multi_instance();
    if (metadata) return processes.metadata();
    ++collected;
    for (std::uint64_t i = 0; i < 5'000; ++i)
      processes.instance({.name = u"svchost", .values = {i}});
    return processes;
  };
  machine_.add(std::make_shared<ObjectProvider>(
      PerformanceKey{.service = u"PerfProc", .object_list = {230}, .supports_metadata = true},
      std::vector<ObjectProvider::Object>{{.index = 230, .build = build}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{{230, u"Process"}, {232, u"Threads"}}));
  const Listing listing = list({});
  EXPECT_EQ(object(listing, "Process").schema.counters.at(0).name, "Threads");
  EXPECT_EQ(collected, 0);
  const Listing with_instances = list(with(kInstances));
  EXPECT_GT(collected, 0);
  EXPECT_EQ(object(with_instances, "Process").instances.size(), 5'000u);
}

TEST_F(ListingTest, NamesOfInstancesAreAskedForWithoutTheirData) {
  RegistrySource registry(machine_, {});
  PerflibFace face(machine_);
  PerflibClient perflib(face, "");
  const Catalog catalog = Catalog::load(registry, Language::kEnglish);
  const auto listing = make_listing({.registry = registry, .catalog = catalog, .perflib = &perflib},
                                    named("Processor Information"));
  ASSERT_TRUE(listing) << listing.error();
  EXPECT_THAT(object(*listing, "Processor Information").instances,
              ElementsAre("_Total", "1,_Total", "1,1", "1,0", "0,_Total", "0,1", "0,0"));
  EXPECT_EQ(face.calls().instances, 1);
  EXPECT_EQ(face.calls().open, 0);
  EXPECT_EQ(face.calls().data, 0);
}

TEST_F(ListingTest, WhatANamedObjectBringsAlongIsNotListed) {
  // The provider of Thing delivers another object beside the one that was asked for.
  const auto bring_along = [](bool) {
    return testing::ObjectBuilder(2020).counter({.index = 2022}).single({7});
  };
  machine_.add(std::make_shared<ObjectProvider>(
      PerformanceKey{.service = u"Beside"},
      std::vector<ObjectProvider::Object>{{.index = kThingObject, .build = bring_along}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{{2020, u"Beside"}, {2022, u"Count"}}));
  EXPECT_THAT(names(list(named("Thing"))), ElementsAre("Thing"));
  EXPECT_THAT(asked_, ElementsAre("2000"));
}

TEST(ListingOfAnotherSource, ThatLacksANamedObjectSaysSo) {
  winperf::testing::FakeSource source;
  source.names = {{2, u"System"}};
  source.every_reply = Reply{{testing::BlockBuilder().bytes()}};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  const auto named_one = make_listing({.registry = source, .catalog = catalog}, named("System"));
  ASSERT_FALSE(named_one);
  EXPECT_EQ(named_one.error(), "no provider on this machine delivers the requested objects");
  const auto all = make_listing({.registry = source, .catalog = catalog}, {});
  ASSERT_TRUE(all) << "a machine may have none";
  EXPECT_TRUE(all->objects.empty());
}

TEST(ListingOfAnotherSource, SaysWhatTheQueryFailedWith) {
  winperf::testing::FakeSource source;
  source.names = {{2, u"System"}};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  const auto listing = make_listing({.registry = source, .catalog = catalog}, named("System"));
  ASSERT_FALSE(listing);
  EXPECT_THAT(listing.error(), ::testing::HasSubstr("system error 2"));
}

}  // namespace
}  // namespace winperf::simulator
