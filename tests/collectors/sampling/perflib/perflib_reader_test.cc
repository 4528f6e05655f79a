// Which counterset a name stands for via PerfLib, what is requested of it, and why it has no
// sample.
#include "collectors/sampling/perflib/perflib_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/perflib/fake_perflib.h"
#include "tests/support/narrowed.h"

namespace winperf {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::FakePerflib;
using ::testing::IsEmpty;
using testing::kBakery;
using testing::kShop;
using testing::narrowed;
using v2::InstanceType;

constexpr PerflibConnection::Time kEpoch{};

simulator::CountersetDefinition shop(InstanceType type = InstanceType::kMultiple) {
  constexpr std::uint32_t kGauge = 0x00010000, kFraction = 0x20020400, kRawBase = 0x40030403;
  return {.guid = kShop,
          .name = u"Shop",
          .instance_type = type,
          .counters = {{.id = 1, .name = u"Open", .type = kGauge},
                       {.id = 2, .name = u"% Full", .type = kFraction, .base_id = 3},
                       {.id = 3, .name = u"Full Base", .type = kRawBase}}};
}

V2Counterset parsed(const simulator::CountersetDefinition& definition) {
  V2Counterset set;
  set.registration = v2::parse_counterset(simulator::counterset_info(definition)).value();
  for (const auto& counter : definition.counters)
    set.counter_names[counter.id] = narrowed(counter.name);
  return set;
}

TEST(MakeRequest, AsksForOneCounterOnlyIfItsValueNeedsNoOther) {
  const auto counter_of = [](std::string name, const simulator::CountersetDefinition& set) {
    return make_request(parsed(set), {.one_counter = std::move(name)}).counter_id;
  };
  EXPECT_EQ(counter_of("Open", shop()), 1U);
  EXPECT_EQ(counter_of("% Full", shop()), v2::kAllCounters) << "it has a base";
  EXPECT_EQ(counter_of("Unheard of", shop()), v2::kAllCounters);
  EXPECT_EQ(make_request(parsed(shop()), {}).counter_id, v2::kAllCounters);
  for (auto member :
       {&simulator::CounterDefinition::perf_time_id, &simulator::CounterDefinition::perf_freq_id,
        &simulator::CounterDefinition::multi_id, &simulator::CounterDefinition::base_id}) {
    auto set = shop();
    set.counters[0].*member = 3;
    EXPECT_EQ(counter_of("Open", set), v2::kAllCounters);
  }
}

TEST(MakeRequest, NamesInstancesAsTheTypeOfTheCountersetAllows) {
  struct Row {
    InstanceType type;
    std::u16string everything, filtered;  // without a selection, and with one
    std::uint32_t id;
  };
  for (const Row& row :
       {Row{InstanceType::kSingle, u"", u"", v2::kAnyInstance},
        Row{InstanceType::kMultiple, u"*", u"a*", 7},
        Row{InstanceType::kSingleAggregate, u"*", u"*", v2::kAnyInstance},
        Row{InstanceType::kMultipleAggregate, u"*", u"*", v2::kAnyInstance},
        Row{InstanceType::kSingleAggregateHistory, u"*", u"*", v2::kAnyInstance}}) {
    const V2Counterset set = parsed(shop(row.type));
    const auto all = make_request(set, {});
    EXPECT_EQ(all.counterset, kShop);
    EXPECT_EQ(all.instance_name, row.everything);
    EXPECT_EQ(all.instance_id, v2::kAnyInstance);
    const auto some = make_request(set, {.instance_id = 7, .instance_pattern = "a*"});
    EXPECT_EQ(some.instance_name, row.filtered);
    EXPECT_EQ(some.instance_id, row.id);
    EXPECT_EQ(make_request(set, {.instance_pattern = ""}).instance_name, row.everything);
  }
}

class PerflibReaderTest : public ::testing::Test {
 protected:
  PerflibReaderTest() {
    api_.countersets = {shop()};
    api_.result = [this](const v2::CounterRequest& request) {
      const auto set = std::ranges::find(api_.countersets, request.counterset,
                                         &simulator::CountersetDefinition::guid);
      return simulator::table_result({.counterset = *set,
                                      .columns = columns_,
                                      .rows = rows_,
                                      .has_instances = set->instance_type != InstanceType::kSingle,
                                      .padding = padding_});
    };
  }
  ReadResult read(std::string_view name = "Shop") {
    now_ += seconds(1);
    connection().begin_round(now_);
    return reader_.read(connection(), name);
  }
  PerflibConnection& connection() {
    if (!connection_) connection_.emplace(api_.source, Language::kEnglish, kEpoch);
    return *connection_;
  }
  // Waits until the list of countersets is read again.
  void refresh() { now_ += minutes(5); }

  FakePerflib api_;
  std::vector<std::size_t> columns_{0, 1, 2};
  std::vector<simulator::InstanceValues> rows_{{u"a", 1, {10, 25, 200}}, {u"b", 2, {20, 50, 200}}};
  simulator::Padding padding_ = simulator::Padding::kCounted;
  PerflibConnection::Time now_ = kEpoch;
  std::optional<PerflibConnection> connection_;
  PlannedCounterset planned_;  // every five seconds
  PerflibReader reader_{planned_};
};

TEST_F(PerflibReaderTest, ReadsACountersetByItsNameOrItsGuid) {
  const auto reading = read();
  ASSERT_TRUE(reading);
  EXPECT_THAT(reading->sample->raw, ElementsAre(10, 20, 25, 50));
  EXPECT_THAT(reading->problems, IsEmpty());
  constexpr std::size_t kDataHeader = 48;
  EXPECT_EQ(reading->bytes, kDataHeader + api_.result({.counterset = kShop}).size());
  EXPECT_TRUE(read("SHOP"));
  EXPECT_TRUE(read(to_string(kShop)));
  EXPECT_EQ(api_.requests().size(), 1U) << "it is the same counterset";
}

TEST_F(PerflibReaderTest, OfTwoCountersetsWithOneNameTheFirstInTheListIsTaken) {
  auto other = shop();
  other.guid = kBakery;
  other.counters[0].name = u"Other";
  api_.countersets = {other, shop()};
  const auto reading = read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->sample->schema->guid, kBakery);
}

TEST_F(PerflibReaderTest, AnUnknownNameIsNotRegisteredUnlessTheListOrANameCouldNotBeRead) {
  EXPECT_EQ(read("Gadgets").error().error.code, ErrorCode::kNotRegistered);
  api_.list_status = OsCode::kAccessDenied;
  refresh();
  EXPECT_EQ(read("Gadgets").error().error.code, ErrorCode::kNotRegistered)
      << "the list that was read before holds";
  EXPECT_TRUE(read());
  connection_.reset();
  EXPECT_EQ(read("Gadgets").error().error.code, ErrorCode::kAccessDenied) << "there is none";
  api_.list_status = OsCode::kSuccess;
  api_.registration_status = OsCode::kRpcServerUnavailable;
  connection_.reset();
  const auto nameless = read("Shop");
  ASSERT_FALSE(nameless);
  EXPECT_EQ(nameless.error().error.os_code, value_of(OsCode::kRpcServerUnavailable))
      << "it may be the one whose name is missing";
}

TEST_F(PerflibReaderTest, ARegistrationThatCannotBeReadIsTheReason) {
  connection();
  api_.registration_status = OsCode::kAccessDenied;
  EXPECT_EQ(read().error().error.code, ErrorCode::kAccessDenied);
}

TEST_F(PerflibReaderTest, ProblemsOfTheRegistrationComeWithTheFirstSample) {
  auto broken = shop();
  broken.counters.push_back(broken.counters[0]);
  api_.countersets = {broken};
  const auto first = read();
  ASSERT_TRUE(first);
  std::vector<std::string_view> places;
  for (const Error& problem : first->problems) {
    EXPECT_EQ(problem.code, ErrorCode::kDuplicateCounter);
    places.emplace_back(problem.where);
  }
  EXPECT_THAT(places, ElementsAre("v2.registration.counter", "v2.strings"))
      << "and in the table of names";
  EXPECT_THAT(read()->problems, IsEmpty());
}

TEST_F(PerflibReaderTest, WhatIsNotRunningHasNoInstancesOrNoSample) {
  const auto not_running = [](const v2::CounterRequest&) {
    return simulator::error_result(value_of(OsCode::kInstanceNotFound));
  };
  api_.result = not_running;
  const auto none = read();
  ASSERT_TRUE(none);
  EXPECT_EQ(none->sample->rows(), 0U);
  // The same where the system refuses the request itself.
  api_.refused[v2::kAllCounters] = OsCode::kPathNotFound;
  reader_.stop(connection());
  const auto refused = read();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->sample->rows(), 0U);
  for (const OsCode status : {OsCode::kPathNotFound, OsCode::kSuccess}) {
    api_.countersets = {shop(InstanceType::kSingle)};
    api_.refused[v2::kAllCounters] = status;
    connection_.reset();
    reader_ = PerflibReader(planned_);
    EXPECT_EQ(read().error().error.code, ErrorCode::kNotRunning);
  }
}

TEST_F(PerflibReaderTest, AnErrorOfTheQueryIsTheReason) {
  ASSERT_TRUE(read());
  api_.data_status = OsCode::kAccessDenied;
  EXPECT_EQ(read().error().error.code, ErrorCode::kAccessDenied);
  api_.data_status = OsCode::kSuccess;
  EXPECT_TRUE(read());
}

TEST_F(PerflibReaderTest, PaddingThatIsLeftOutIsReportedOnce) {
  columns_ = {0};
  padding_ = simulator::Padding::kCounted;
  ASSERT_TRUE(read());
  // An odd number of ids ends within eight bytes.
  padding_ = simulator::Padding::kLeftOut;
  const auto first = read();
  ASSERT_TRUE(first);
  ASSERT_EQ(first->problems.size(), 1U);
  EXPECT_EQ(first->problems[0].code, ErrorCode::kPaddingLeftOut);
  EXPECT_THAT(read()->problems, IsEmpty());
}

TEST_F(PerflibReaderTest, DataThatDoesNotFitItsRegistrationMakesTheListBeReadAgain) {
  ASSERT_TRUE(read());
  now_ += minutes(1);
  ASSERT_TRUE(read());
  EXPECT_EQ(api_.enumerated, 1);
  api_.result = [](const v2::CounterRequest&) {
    return simulator::error_result(value_of(OsCode::kInvalidRegistration));
  };
  EXPECT_FALSE(read());
  EXPECT_FALSE(read());
  EXPECT_EQ(api_.enumerated, 2);
}

TEST_F(PerflibReaderTest, ACountersetThatIsRegisteredAnewTheSameGoesOn) {
  api_.countersets[0].counters[0].type = 0x10410400;  // a rate needs the sample before
  ASSERT_TRUE(read());
  refresh();
  const auto same = read();
  ASSERT_TRUE(same);
  EXPECT_EQ(api_.enumerated, 2);
  EXPECT_NE(same->sample->reason[0], NoValue::kFirstSample);
  api_.countersets[0].counters[0].name = u"Closed";
  refresh();
  const auto renamed = read();
  ASSERT_TRUE(renamed);
  EXPECT_EQ(renamed->sample->schema->counters[0].name, "Closed");
  EXPECT_EQ(renamed->sample->reason[0], NoValue::kFirstSample);
  EXPECT_EQ(api_.requests().size(), 1U) << "the old request was withdrawn";
}

TEST_F(PerflibReaderTest, AnotherNameFollowsAnotherCounterset) {
  auto bakery = shop();
  bakery.guid = kBakery;
  bakery.name = u"Bakery";
  api_.countersets.push_back(bakery);
  ASSERT_TRUE(read());
  const auto other = read("Bakery");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->sample->schema->name, "Bakery");
  EXPECT_THAT(api_.requests(), ElementsAre(make_request(parsed(bakery), {})));
}

TEST_F(PerflibReaderTest, StopWithdrawsTheRequestAndTheNextReadStartsAnew) {
  reader_.stop(connection());
  ASSERT_TRUE(read());
  EXPECT_FALSE(connection().session(seconds(5)).empty());
  reader_.stop(connection());
  EXPECT_TRUE(connection().session(seconds(5)).empty());
  EXPECT_THAT(api_.requests(), IsEmpty());
  EXPECT_TRUE(read());
}

TEST_F(PerflibReaderTest, MovedToAnotherIntervalItGoesOnThere) {
  api_.countersets[0].counters[0].type = 0x10410400;
  ASSERT_TRUE(read());
  reader_.move_to(connection(), seconds(60));
  EXPECT_TRUE(connection().session(seconds(5)).empty());
  EXPECT_FALSE(connection().session(seconds(60)).empty());
  const auto moved = read();
  ASSERT_TRUE(moved);
  EXPECT_NE(moved->sample->reason[0], NoValue::kFirstSample);
  // Before its first sample, it only remembers where to go.
  PerflibReader fresh(planned_);
  fresh.move_to(connection(), seconds(7));
  EXPECT_TRUE(connection().session(seconds(7)).empty());
  ASSERT_TRUE(fresh.read(connection(), "Shop"));
  EXPECT_FALSE(connection().session(seconds(7)).empty());
}

}  // namespace
}  // namespace winperf
