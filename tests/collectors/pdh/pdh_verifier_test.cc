// An honest PDH agrees with us about every type of counter, whether the machine's clocks move while
// we look or stand; and what it has alone, or lacks, is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "collectors/pdh/pdh_status.h"
#include "tests/collectors/pdh/pdh_on_machine.h"
#include "tests/simulator/v1_provider.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class PdhVerifierTest : public PdhOnMachine {};

TEST_F(PdhVerifierTest, FindsNothingOnAnHonestMachine) {
  for (const bool stands : {false, true}) {
    stands_ = stands;
    for (const char* const name :
         {"Every Type", "Every Type Single", "Every Type Sum", "Every Type And Sum",
          "Processor Information", "System", "Thing"}) {
      const VerifiedByPdh result = verify(name);
      EXPECT_TRUE(result.agrees()) << name << stands << ": " << text_of(result);
      ASSERT_TRUE(result.delivered()) << name;
      EXPECT_GT(result.comparison.compared, 4U) << name;
      if (stands) {
        EXPECT_EQ(result.comparison.moving, 0U) << name;
      }
    }
  }
}

TEST_F(PdhVerifierTest, ComparesANumberOfEachTypeThatHasOne) {
  const VerifiedByPdh result = verify("Every Type");
  ASSERT_TRUE(result.record);
  std::map<std::string, std::size_t> valid;
  for (const PdhValues& values : result.record->moments[1].counters)
    for (const PdhNumberItem& item : values.numbers)
      if (is_valid_pdh(item.number.status)) ++valid[values.name];
  for (const CounterTypeInfo& info : known_counter_types()) {
    if (info.is_base || info.formula == Formula::kNone || info.time_base == TimeBase::kObject)
      continue;
    EXPECT_EQ(valid[std::string(info.name.substr(5))], 3U) << info.name;
  }
}

TEST_F(PdhVerifierTest, ReadsTwoMomentsASecondApart) {
  EXPECT_TRUE(verify("Every Type").agrees());
  EXPECT_THAT(pauses_, ElementsAre(std::chrono::seconds(1))) << "one round will do";
  pauses_.clear();
  EXPECT_FALSE(verify("Every Type", {{"Every Type", "COUNTER_COUNTER", "value_less"}}).agrees());
  EXPECT_THAT(pauses_,
              ElementsAre(std::chrono::seconds(1), std::chrono::seconds(1), std::chrono::seconds(1),
                          std::chrono::seconds(1), std::chrono::seconds(1)));
}

TEST_F(PdhVerifierTest, SaysWhatOneSideAloneHas) {
  const VerifiedByPdh unknown = verify("Nothing");
  EXPECT_TRUE(unknown.agrees());
  EXPECT_FALSE(unknown.delivered());
  EXPECT_EQ(unknown.registry_error->code, ErrorCode::kNoSuchName);
  EXPECT_EQ(unknown.pdh_error->os_code, kPdhNoObject);
  EXPECT_EQ(describe_pdh(*unknown.pdh_error),
            "PDH could not list the object's counters and instances: "
            "PDH_CSTATUS_NO_OBJECT (0xc0000bb8)");
}

// A PDH that fails in one call.
class FailingPdh final : public PdhApi {
 public:
  // With a status of PDH's, or because its worker crashed.
  FailingPdh(simulator::Machine& machine, std::string call, std::uint32_t status = 0)
      : honest_(machine), call_(std::move(call)), status_(status) {}

  std::expected<std::vector<std::string>, Error> objects() override {
    if (call_ == "objects") return failed();
    return honest_.objects();
  }
  std::expected<PdhItems, Error> items(const PdhObject& object) override {
    asked = object;
    if (call_ == "items") return failed();
    return honest_.items(object);
  }
  std::expected<std::vector<PdhDefinition>, Error> open(const PdhQuery& query) override {
    if (call_ == "open") return failed();
    auto definitions = honest_.open(query);
    if (call_ == "add")
      for (PdhDefinition& one : *definitions)
        one.add_status = status_ == 0 ? kPdhNoCounter : status_;
    return definitions;
  }
  std::expected<PdhCollection, Error> collect() override {
    if (call_ == "collect") return failed();
    return honest_.collect();
  }
  void close() override { honest_.close(); }

  PdhObject asked{};  // of the last call of items()

 private:
  std::unexpected<Error> failed() const {
    if (status_ != 0)
      return std::unexpected(
          Error{.code = ErrorCode::kOsError, .where = "pdh.ask", .os_code = status_});
    return std::unexpected(Error{.code = ErrorCode::kWorkerCrashed, .where = "pdh.ask"});
  }

  simulator::SimulatedPdh honest_;
  std::string call_;
  std::uint32_t status_;
};

TEST_F(PdhVerifierTest, ACallThatFails_IsADifferenceWithItsReason) {
  for (const std::string call : {"items", "open", "collect"}) {
    FailingPdh pdh(machine_, call);
    const VerifiedByPdh result = verify_with(pdh, "Thing");
    EXPECT_FALSE(result.agrees()) << call;
    EXPECT_FALSE(result.registry_error) << call;
    EXPECT_EQ(result.pdh_error->code, ErrorCode::kWorkerCrashed) << call;
  }
  FailingPdh pdh(machine_, "add");
  const VerifiedByPdh result = verify_with(pdh, "Thing");
  EXPECT_FALSE(result.agrees());
  EXPECT_EQ(result.pdh_error->os_code, kPdhNoCounter);
}

// A counterset with instances, which has `instances` of them each time it is read, then the last
// number again.
class VaryingCount {
 public:
  VaryingCount(simulator::Machine& machine, std::vector<std::size_t> instances)
      : instances_(std::move(instances)) {
    const auto build = [this](bool metadata) {
      ObjectBuilder object(3000);
      object.counter({.index = 3002, .type = 0x00010000});
      object.multi_instance();
      if (metadata) return object.metadata();
      const std::size_t count = instances_.at(std::min(asked_++, instances_.size() - 1));
      for (std::size_t i = 0; i < count; ++i) object.instance({.name = u"one", .values = {7}});
      return object;
    };
    machine.add(std::make_shared<simulator::ObjectProvider>(
        simulator::PerformanceKey{.service = u"Jobs", .object_list = {3000}},
        std::vector<simulator::ObjectProvider::Object>{{.index = 3000, .build = build}},
        std::vector<std::pair<std::uint32_t, std::u16string>>{{3000, u"Job"},
                                                              {3002, u"Job Size"}}));
  }

 private:
  std::vector<std::size_t> instances_;
  std::size_t asked_ = 0;
};

using Emptiness = simulator::SimulatedPdh::Emptiness;

TEST_F(PdhVerifierTest, ACountersetWithoutInstancesIsOneHoweverPdhSaysIt) {
  const VaryingCount none(machine_, {0});
  for (const auto says : {Emptiness::kNoData, Emptiness::kNotAdded, Emptiness::kEmpty}) {
    simulator::SimulatedPdh pdh(machine_);
    pdh.say_of_no_instances(says);
    const VerifiedByPdh result = verify_with(pdh, "Job");
    EXPECT_FALSE(result.registry_error);
    EXPECT_TRUE(result.agrees()) << static_cast<int>(says) << text_of(result);
    EXPECT_TRUE(result.delivered()) << static_cast<int>(says);
  }
}

TEST_F(PdhVerifierTest, NoDataOfACountersetWithInstancesIsADifference) {
  const VaryingCount one(machine_, {1});
  for (const std::uint32_t status : {kPdhNoData, kPdhNoInstance}) {
    FailingPdh pdh(machine_, status == kPdhNoData ? "collect" : "add", status);
    const VerifiedByPdh result = verify_with(pdh, "Job");
    EXPECT_FALSE(result.agrees());
    EXPECT_EQ(result.pdh_error->os_code, status);
  }
}

TEST_F(PdhVerifierTest, WhatWeHaveNoValuesOfIsAskedForByNameAndIndex) {
  machine_.add(std::make_shared<simulator::ObjectProvider>(
      simulator::PerformanceKey{.service = u"Absent", .object_list = {3200}},
      std::vector<simulator::ObjectProvider::Object>{
          {.index = 3200,
           .build = [](bool) { return ObjectBuilder(3200); },
           .is_there = [] { return false; }}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{{3200, u"Absent Job"}}));
  for (const char* const name : {"Absent Job", "3200"}) {
    FailingPdh pdh(machine_, "nothing");
    const VerifiedByPdh result = verify_with(pdh, name);
    EXPECT_TRUE(result.registry_error) << name;
    EXPECT_EQ(pdh.asked.name, "Absent Job");
    EXPECT_EQ(pdh.asked.index, 3200U);
  }
}

TEST_F(PdhVerifierTest, OfAnotherObjectItSaysWhetherPdhHasValues) {
  const VaryingCount none(machine_, {0});
  simulator::SimulatedPdh pdh(machine_);
  simulator::RegistrySource registry(machine_, {});
  CatalogKeeper catalog(registry, Language::kEnglish, {});
  PdhVerifier verifier(registry, catalog, pdh, system_clocks(), 1);
  EXPECT_FALSE(verifier.ask_without_ours("Thing"));
  EXPECT_FALSE(verifier.ask_without_ours("System"));
  EXPECT_EQ(verifier.ask_without_ours("Job")->os_code, kPdhNoData);
  EXPECT_EQ(verifier.ask_without_ours("Nothing")->os_code, kPdhNoObject);
}

// Two processes with the ids 8 and 12 in an object that is called Thread, and without ids in one
// that is called Load.
void add_processes(simulator::Machine& machine) {
  const auto build = [](std::uint32_t object_index, bool has_id) {
    return [object_index, has_id](bool metadata) {
      ObjectBuilder object(object_index);
      object.counter({.index = 3102, .type = 0x00010000});
      object.counter({.index = 3104, .type = 0x00010000});
      if (has_id) object.counter({.index = 3106, .type = 0x00010000});
      object.multi_instance();
      if (metadata) return object.metadata();
      for (const std::uint32_t id : {8U, 12U}) {
        std::vector<std::uint64_t> values{5, 6};
        if (has_id) values.push_back(id);
        object.instance({.name = id == 8 ? u"reader" : u"other", .values = values});
      }
      return object;
    };
  };
  machine.add(std::make_shared<simulator::ObjectProvider>(
      simulator::PerformanceKey{.service = u"Processes", .object_list = {3100, 3110}},
      std::vector<simulator::ObjectProvider::Object>{{.index = 3100, .build = build(3100, true)},
                                                     {.index = 3110, .build = build(3110, false)}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{{3100, u"Thread"},
                                                            {3110, u"Load"},
                                                            {3102, u"Handles"},
                                                            {3104, u"Thread State"},
                                                            {3106, u"ID Process"}}));
}

TEST_F(PdhVerifierTest, WhatDiffersOfTheProcessesThatReadIsKnown) {
  add_processes(machine_);
  const auto found = [this](const std::string& object, const std::string& instance) {
    return verify(object, {{object, "Handles", "value_more", instance}}, 1);
  };
  EXPECT_FALSE(found("Thread", "reader").agrees());
  EXPECT_FALSE(found("Load", "reader").agrees());
  readers_ = {.ids = {8}, .name = "Reader"};
  for (const char* const object : {"Thread", "Load"}) {
    const VerifiedByPdh reader = found(object, "reader");
    EXPECT_TRUE(reader.agrees()) << object << text_of(reader);
    ASSERT_EQ(reader.comparison.known.size(), 1U);
    EXPECT_EQ(reader.comparison.known.front().reason, kKnownReader);
    EXPECT_FALSE(found(object, "other").agrees()) << object;
  }
  readers_.ids = {9};
  EXPECT_FALSE(found("Thread", "reader").agrees()) << "another process of that name";
}

TEST_F(PdhVerifierTest, TheStateOfThreadsIsKnownToFollowWhoReads) {
  add_processes(machine_);
  for (const char* const object : {"Thread", "Load"}) {
    const VerifiedByPdh result =
        verify(object, {{object, "Thread State", "value_more", "other"}}, 1);
    EXPECT_EQ(result.agrees(), std::string(object) == "Thread") << text_of(result);
    EXPECT_EQ(result.comparison.known.size(), result.agrees() ? 1U : 0U);
  }
}

// One whose first collection fails, and that is wrong in each later one.
class LateLiar final : public PdhApi {
 public:
  explicit LateLiar(simulator::Machine& machine)
      : pdh_(std::make_unique<simulator::SimulatedPdh>(machine),
             {{"Every Type", "COUNTER_COUNTER", "value_less"}}) {}

  std::expected<std::vector<std::string>, Error> objects() override { return pdh_.objects(); }
  std::expected<PdhItems, Error> items(const PdhObject& object) override {
    return pdh_.items(object);
  }
  std::expected<std::vector<PdhDefinition>, Error> open(const PdhQuery& query) override {
    return pdh_.open(query);
  }
  std::expected<PdhCollection, Error> collect() override {
    if (collected_++ == 0)
      return std::unexpected(Error{.code = ErrorCode::kWorkerCrashed, .where = "pdh.ask"});
    return pdh_.collect();
  }
  void close() override { pdh_.close(); }

 private:
  simulator::LyingPdh pdh_;
  std::size_t collected_ = 0;
};

TEST_F(PdhVerifierTest, AfterARoundWithoutValuesAFurtherRoundConfirms) {
  for (const std::size_t rounds : {2U, 3U}) {
    LateLiar pdh(machine_);
    const VerifiedByPdh result = verify_with(pdh, "Every Type", rounds);
    EXPECT_TRUE(result.delivered()) << rounds;
    EXPECT_FALSE(result.agrees()) << rounds;
    EXPECT_TRUE(has(result, "COUNTER_COUNTER", "raw value")) << text_of(result);
  }
}

TEST_F(PdhVerifierTest, ListsTheOtherObjects) {
  simulator::SimulatedPdh pdh(machine_);
  simulator::RegistrySource registry(machine_, {});
  CatalogKeeper catalog(registry, Language::kEnglish, {});
  PdhVerifier verifier(registry, catalog, pdh, system_clocks(), 1);
  const auto all = verifier.other_objects();
  ASSERT_TRUE(all);
  EXPECT_THAT(*all, ::testing::Contains("Thing"));
  const ClockSource quick{.steady_now = [] { return std::chrono::steady_clock::time_point(); },
                          .wall_now = [] { return Ticks100ns{}; },
                          .pause_until = [](auto, const auto&) {}};
  PdhVerifier second(registry, catalog, pdh, quick, 1);
  EXPECT_TRUE(second.verify("Thing", {}).delivered());
  const auto others = second.other_objects();
  ASSERT_TRUE(others);
  EXPECT_EQ(others->size(), all->size() - 1);
  EXPECT_THAT(*others, ::testing::Not(::testing::Contains("Thing")));
  EXPECT_THAT(second.unlisted_among(*all), IsEmpty());
  EXPECT_THAT(second.unlisted_among(*others), ::testing::ElementsAre("Thing"));
  second.leave_out("System");
  EXPECT_EQ(second.other_objects()->size(), all->size() - 2);
}

}  // namespace
}  // namespace winperf::testing
