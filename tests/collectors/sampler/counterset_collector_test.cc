// Which name and path a counterset is read by, and which error its state shows if that fails.
#include "collectors/sampler/counterset_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampler/two_paths.h"

namespace winperf {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kPerflibValue;
using testing::kRegistryValue;
using testing::TwoPaths;

PlannedCounterset planned(CounterPath path, std::vector<std::string> names = {"Shop"}) {
  PlannedCounterset counterset;
  counterset.label = "the shop";
  counterset.names = std::move(names);
  counterset.path = path;
  return counterset;
}

// Sets one path up to fail; `code` is the error that it then gives, nothing if it works.
struct Fault {
  const char* name;
  void (*set_up)(TwoPaths&);
  std::optional<ErrorCode> code{};
};

const std::vector<Fault> kRegistryFaults{
    {"works", [](TwoPaths&) {}},
    {"unknown name", [](TwoPaths& machine) { machine.source.names = {{102, u"Open"}}; },
     ErrorCode::kNoSuchName},
    {"not delivered",
     [](TwoPaths& machine) { machine.source.replies["100"] = {testing::BlockBuilder().bytes()}; },
     ErrorCode::kNoSuchObject},
    {"refused",
     [](TwoPaths& machine) {
       machine.source.replies["100"] = {
           std::unexpected(Error{.code = ErrorCode::kAccessDenied, .where = "query"})};
     },
     ErrorCode::kAccessDenied},
    {"too slow",
     [](TwoPaths& machine) {
       machine.source.replies["100"] = {
           std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"})};
     },
     ErrorCode::kTimedOut},
    {"corrupt", [](TwoPaths& machine) { machine.source.replies["100"] = {Bytes(200)}; },
     ErrorCode::kBadSignature},
};

const std::vector<Fault> kPerflibFaults{
    {"works", [](TwoPaths&) {}},
    {"not registered", [](TwoPaths& machine) { machine.perflib.countersets[0].name = u"Other"; },
     ErrorCode::kNotRegistered},
    {"not running",
     [](TwoPaths& machine) {
       machine.perflib.result = [](const v2::CounterRequest&) {
         return simulator::error_result(value_of(OsCode::kInstanceNotFound));
       };
     },
     ErrorCode::kNotRunning},
    {"no active instance",
     [](TwoPaths& machine) {
       machine.perflib.result = [](const v2::CounterRequest&) {
         return simulator::error_result(value_of(OsCode::kNoData));
       };
     },
     ErrorCode::kNotRunning},
    {"refused", [](TwoPaths& machine) { machine.perflib.open_status = OsCode::kNotReady; },
     ErrorCode::kOsError},
    {"no list", [](TwoPaths& machine) { machine.perflib.list_status = OsCode::kNotSupported; },
     ErrorCode::kUnsupported},
    {"corrupt", [](TwoPaths& machine) { machine.perflib.spoils_data = true; },
     ErrorCode::kTruncated},
};

// What the state has to show.
struct Expected {
  std::optional<std::uint64_t> value{};
  std::optional<ErrorCode> error{}, preferred_path_error{};
  std::vector<ErrorCode> problems{};
  bool asks_registry = false;
};

Expected expected(CounterPath path, const Fault& registry, const Fault& perflib) {
  Expected through_registry{.error = registry.code, .asks_registry = true};
  if (registry.code)
    through_registry.problems = {*registry.code};
  else
    through_registry.value = kRegistryValue;
  Expected via_perflib{.error = perflib.code};
  if (perflib.code)
    via_perflib.problems = {*perflib.code};
  else
    via_perflib.value = kPerflibValue;
  const bool to_registry = perflib.code && *perflib.code != ErrorCode::kNotRunning;
  if (path == CounterPath::kRegistry) return through_registry;
  if (path == CounterPath::kPerflib || !to_registry) return via_perflib;
  if (perflib.code == ErrorCode::kNotRegistered) return through_registry;
  if (!registry.code) {
    through_registry.preferred_path_error = perflib.code;
    through_registry.problems = {*perflib.code};
    return through_registry;
  }
  // Both fail: PerfLib's error is the reason, and the registry's isn't lost.
  return {
      .error = perflib.code, .problems = {*registry.code, *perflib.code}, .asks_registry = true};
}

std::optional<ErrorCode> code_of(const std::optional<Error>& error) {
  return error ? std::optional(error->code) : std::nullopt;
}

TEST(CountersetCollector, ShowsTheErrorOfThePathThatIsMeant) {
  for (const CounterPath path :
       {CounterPath::kRegistry, CounterPath::kPerflib, CounterPath::kAuto}) {
    for (const Fault& registry : kRegistryFaults) {
      for (const Fault& perflib : kPerflibFaults) {
        SCOPED_TRACE(std::string(name_of(path)) + ", registry " + registry.name + ", PerfLib " +
                     perflib.name);
        TwoPaths machine;
        registry.set_up(machine);
        perflib.set_up(machine);
        CountersetCollector collector(planned(path));
        const std::vector<Error> problems = collector.collect(
            {machine.source, machine.catalog(), &machine.connection()}, machine.clocks(), {});
        const Expected wanted = expected(path, registry, perflib);
        const CountersetState& state = collector.state();
        EXPECT_EQ(state.success ? std::optional(state.sample->raw.at(0)) : std::nullopt,
                  wanted.value);
        EXPECT_EQ(code_of(state.error), wanted.error);
        EXPECT_EQ(code_of(state.preferred_path_error), wanted.preferred_path_error);
        std::vector<ErrorCode> codes;
        for (const Error& problem : problems) codes.push_back(problem.code);
        EXPECT_EQ(codes, wanted.problems);
        const bool known = registry.code != ErrorCode::kNoSuchName;
        EXPECT_EQ(!machine.source.asked.empty(), wanted.asks_registry && known);
      }
    }
  }
}

class CountersetCollectorTest : public ::testing::Test {
 protected:
  std::vector<Error> collect(CountersetCollector& collector) {
    machine_.connection().begin_round(machine_.now);
    return collector.collect(paths(), machine_.clocks(), {});
  }
  Paths paths() { return {machine_.source, machine_.catalog(), &machine_.connection()}; }

  TwoPaths machine_;
};

TEST_F(CountersetCollectorTest, WithoutPerflibOnlyItsOwnPathFails) {
  for (const CounterPath path :
       {CounterPath::kRegistry, CounterPath::kAuto, CounterPath::kPerflib}) {
    CountersetCollector collector(planned(path));
    (void)collector.collect({machine_.source, machine_.catalog(), nullptr}, machine_.clocks(), {});
    const bool works = path != CounterPath::kPerflib;
    EXPECT_EQ(collector.state().success, works);
    EXPECT_EQ(code_of(collector.state().error),
              works ? std::nullopt : std::optional(ErrorCode::kUnsupported));
  }
}

TEST_F(CountersetCollectorTest, APerflibThatFailedIsTriedAgainAfterAMinute) {
  CountersetCollector collector(planned(CounterPath::kAuto));
  machine_.perflib.open_status = OsCode::kAccessDenied;
  EXPECT_EQ(collect(collector).size(), 1U);
  machine_.perflib.open_status = OsCode::kSuccess;
  machine_.now += minutes(1) - seconds(1);
  EXPECT_THAT(collect(collector), IsEmpty()) << "the reason was reported when PerfLib failed";
  EXPECT_EQ(collector.state().sample->raw[0], kRegistryValue);
  EXPECT_EQ(code_of(collector.state().preferred_path_error), ErrorCode::kAccessDenied);
  machine_.now += seconds(1);
  EXPECT_THAT(collect(collector), IsEmpty());
  EXPECT_EQ(collector.state().sample->raw[0], kPerflibValue);
  EXPECT_EQ(collector.state().preferred_path_error, std::nullopt);
}

TEST_F(CountersetCollectorTest, MeanwhileAFailureOfTheRegistryDoesNotHidePerflibs) {
  CountersetCollector collector(planned(CounterPath::kAuto));
  machine_.perflib.open_status = OsCode::kAccessDenied;
  collect(collector);
  machine_.source.replies["100"] = {
      std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"})};
  machine_.now += seconds(5);
  const auto problems = collect(collector);
  EXPECT_EQ(code_of(collector.state().error), ErrorCode::kAccessDenied);
  EXPECT_EQ(collector.state().preferred_path_error, std::nullopt) << "no path was read";
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].code, ErrorCode::kTimedOut);
  EXPECT_EQ(problems[1].code, ErrorCode::kAccessDenied);
}

TEST_F(CountersetCollectorTest, ANewListOfCountersetsIsWorthAnotherTryAtOnce) {
  CountersetCollector collector(planned(CounterPath::kAuto));
  machine_.perflib.open_status = OsCode::kAccessDenied;
  collect(collector);
  machine_.perflib.open_status = OsCode::kSuccess;
  machine_.perflib.countersets.push_back({.guid = {{9}}, .name = u"New"});
  ASSERT_TRUE(machine_.connection().catalog().refresh());
  collect(collector);
  EXPECT_EQ(collector.state().sample->raw[0], kPerflibValue);
}

TEST_F(CountersetCollectorTest, AnAnswerThatIsStillToComeChangesNothing) {
  CountersetCollector collector(planned(CounterPath::kAuto));
  machine_.perflib.refused[v2::kAllCounters] = OsCode::kAccessDenied;
  EXPECT_EQ(collect(collector).size(), 1U);
  EXPECT_FALSE(collector.is_waiting());
  const Error fell_back = collector.state().preferred_path_error.value();

  machine_.source.replies["100"] = {
      std::unexpected(Error{.code = ErrorCode::kPending, .where = "query"})};
  machine_.now += seconds(5);
  EXPECT_THAT(collect(collector), IsEmpty());
  EXPECT_TRUE(collector.is_waiting());
  EXPECT_EQ(collector.state().attempts, 1U);
  EXPECT_TRUE(collector.state().success);
  EXPECT_EQ(collector.state().preferred_path_error, fell_back);

  machine_.source.replies["100"] = {testing::TwoPaths::block(100, kRegistryValue)};
  machine_.now += seconds(1);
  EXPECT_THAT(collect(collector), IsEmpty());
  EXPECT_FALSE(collector.is_waiting());
  EXPECT_EQ(collector.state().attempts, 2U);
  EXPECT_EQ(collector.state().duration_seconds, 1);
}

TEST_F(CountersetCollectorTest, WhilePerflibsFailureWaitsForTheOtherPath_ItCountsOnce) {
  CountersetCollector collector(planned(CounterPath::kAuto));
  machine_.perflib.refused[v2::kAllCounters] = OsCode::kAccessDenied;
  machine_.source.replies["100"] = {
      std::unexpected(Error{.code = ErrorCode::kPending, .where = "query"}),
      testing::TwoPaths::block(100, kRegistryValue)};
  EXPECT_EQ(collect(collector).size(), 1U);
  EXPECT_TRUE(collector.is_waiting());
  EXPECT_EQ(collector.state().preferred_path_error, std::nullopt);
  EXPECT_THAT(collect(collector), IsEmpty());
  EXPECT_EQ(code_of(collector.state().preferred_path_error), ErrorCode::kAccessDenied);
}

TEST_F(CountersetCollectorTest, AFailureOfWhatItSharesEndsItsWait) {
  CountersetCollector collector(planned(CounterPath::kRegistry));
  machine_.source.replies["100"] = {
      std::unexpected(Error{.code = ErrorCode::kPending, .where = "query"})};
  EXPECT_THAT(collect(collector), IsEmpty());
  collector.fail({.code = ErrorCode::kTimedOut, .where = "query"}, seconds(2));
  EXPECT_FALSE(collector.is_waiting());
  EXPECT_EQ(code_of(collector.state().error), ErrorCode::kTimedOut);
}

TEST_F(CountersetCollectorTest, AnotherNameIsNotHeldUpByOneThatFailed) {
  auto second = machine_.perflib.countersets[0];
  second.guid = {{2}};
  second.name = u"Market";
  machine_.perflib.countersets.push_back(second);
  CountersetCollector collector(planned(CounterPath::kAuto, {"Shop", "Market"}));
  machine_.perflib.refused[v2::kAllCounters] = OsCode::kAccessDenied;
  collect(collector);
  EXPECT_EQ(collector.state().sample->raw[0], kRegistryValue) << "Shop, through the registry";
  machine_.perflib.refused.clear();
  machine_.source.replies["100"] = {testing::BlockBuilder().bytes()};
  machine_.perflib.countersets.erase(machine_.perflib.countersets.begin());
  ASSERT_TRUE(machine_.connection().catalog().refresh());
  collect(collector);
  EXPECT_EQ(collector.state().sample->schema->name, "Market");
  EXPECT_EQ(collector.state().sample->raw[0], kPerflibValue);
}

TEST_F(CountersetCollectorTest, ANameThatFailedHoldsNoOtherNameUp) {
  auto market = machine_.perflib.countersets[0];
  market.guid = {{2}};
  market.name = u"Market";
  market.counters[0].id = 2;
  machine_.perflib.countersets.push_back(market);
  bool market_runs = false;
  machine_.perflib.result = [&](const v2::CounterRequest& request) {
    if (request.counterset == market.guid && market_runs)
      return simulator::table_result({.counterset = market,
                                      .columns = {0},
                                      .rows = {{.values = {kPerflibValue}}},
                                      .has_instances = false});
    return simulator::error_result(value_of(
        request.counterset == market.guid ? OsCode::kInstanceNotFound : OsCode::kAccessDenied));
  };
  CountersetCollector collector(planned(CounterPath::kAuto, {"Market", "Shop"}));
  collect(collector);
  EXPECT_EQ(collector.state().sample->schema->name, "Shop");
  EXPECT_EQ(code_of(collector.state().preferred_path_error), ErrorCode::kAccessDenied);
  market_runs = true;
  machine_.now += seconds(5);
  collect(collector);
  EXPECT_EQ(collector.state().sample->schema->name, "Market") << "within Shop's minute";
}

TEST_F(CountersetCollectorTest, AProviderThatIsNotRunningIsAskedAgainInTheNextRound) {
  CountersetCollector collector(planned(CounterPath::kAuto));
  machine_.perflib.refused[v2::kAllCounters] = OsCode::kPathNotFound;
  EXPECT_EQ(collect(collector).size(), 1U);
  EXPECT_EQ(code_of(collector.state().error), ErrorCode::kNotRunning);
  machine_.perflib.refused.clear();
  machine_.now += seconds(5);
  collect(collector);
  EXPECT_EQ(collector.state().sample->raw[0], kPerflibValue);
  EXPECT_THAT(machine_.source.asked, IsEmpty());
}

TEST_F(CountersetCollectorTest, OfSeveralNamesTheFirstThatIsThereIsTaken) {
  struct Row {
    std::vector<std::string> names;
    std::optional<std::string> found;
    std::optional<ErrorCode> error{};
  };
  machine_.source.names.emplace_back(300, u"Closed");
  machine_.source.replies["300"] = {testing::BlockBuilder().bytes()};
  machine_.source.names.emplace_back(400, u"Slow");
  machine_.source.replies["400"] = {
      std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"})};
  for (const Row& row : {Row{{"Shop"}, "Shop"}, Row{{"Bakery", "Shop"}, "Bakery"},
                         Row{{"Unheard of", "Closed", "Shop"}, "Shop"},
                         Row{{"Unheard of"}, {}, ErrorCode::kNoSuchName},
                         Row{{"Closed"}, {}, ErrorCode::kNoSuchObject},
                         Row{{"Closed", "Unheard of"}, {}, ErrorCode::kNoSuchObject},
                         Row{{"Unheard of", "Closed"}, {}, ErrorCode::kNoSuchObject},
                         Row{{"Slow", "Shop"}, {}, ErrorCode::kTimedOut}}) {
    CountersetCollector collector(planned(CounterPath::kRegistry, row.names));
    collect(collector);
    const CountersetState& state = collector.state();
    EXPECT_EQ(state.success ? std::optional(state.sample->schema->name) : std::nullopt, row.found);
    EXPECT_EQ(code_of(state.error), row.error) << row.names.front();
  }
  CountersetCollector perflib(planned(CounterPath::kPerflib, {"Unheard of", "Shop"}));
  collect(perflib);
  EXPECT_TRUE(perflib.state().success);
}

TEST_F(CountersetCollectorTest, WhatNeitherPathHasMakesTheListOfCountersetsBeReadAgain) {
  struct Row {
    CounterPath path;
    std::string name;
    bool reads_again;
  };
  machine_.source.names.emplace_back(400, u"Slow");
  machine_.source.replies["400"] = {
      std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"})};
  for (const Row& row :
       {Row{CounterPath::kAuto, "Unheard of", true}, Row{CounterPath::kAuto, "Slow", false},
        Row{CounterPath::kPerflib, "Unheard of", true}, Row{CounterPath::kAuto, "Bakery", false},
        Row{CounterPath::kPerflib, "Bakery", true},
        Row{CounterPath::kRegistry, "Unheard of", false}}) {
    CountersetCollector collector(planned(row.path, {row.name}));
    collect(collector);
    const int before = machine_.perflib.enumerated;
    machine_.now += minutes(1);
    machine_.connection().begin_round(machine_.now);
    EXPECT_EQ(machine_.perflib.enumerated - before, row.reads_again ? 1 : 0)
        << row.name << " by " << name_of(row.path);
  }
}

TEST_F(CountersetCollectorTest, TheStateSaysWhatTheAttemptWas) {
  CountersetCollector collector(planned(CounterPath::kRegistry), "HOST");
  EXPECT_EQ(collector.state().name, "the shop");
  EXPECT_EQ(collector.state().machine, "HOST");
  EXPECT_EQ(collector.state().attempts, 0U);
  ClockSource clocks = machine_.clocks();
  clocks.steady_now = [this] { return machine_.now += std::chrono::milliseconds(250); };
  clocks.wall_now = [] { return Ticks100ns{42}; };
  (void)collector.collect(paths(), clocks, {});
  EXPECT_EQ(collector.state().duration_seconds, 0.25);
  EXPECT_EQ(collector.state().bytes, TwoPaths::block(100, 0).size());
  EXPECT_EQ(collector.state().sampled_at.wall.ticks, 42);
  const SteadyTime taken = machine_.now;
  EXPECT_EQ(collector.state().sampled_at.steady, taken);
  EXPECT_EQ(collector.state().attempts, 1U);
  EXPECT_EQ(collector.state().failures, 0U);
  const auto sample = collector.state().sample;
  machine_.source.replies["100"] = {Bytes(200)};
  clocks.wall_now = [] { return Ticks100ns{43}; };
  (void)collector.collect(paths(), clocks, {});
  EXPECT_EQ(code_of(collector.state().error), ErrorCode::kBadSignature);
  EXPECT_EQ(collector.state().sample, sample);
  EXPECT_EQ(collector.state().sampled_at.wall.ticks, 42) << "of the sample, not of the attempt";
  EXPECT_EQ(collector.state().sampled_at.steady, taken);
  EXPECT_EQ(collector.state().bytes, TwoPaths::block(100, 0).size());
  EXPECT_EQ(collector.state().attempts, 2U);
  EXPECT_EQ(collector.state().failures, 1U);
  machine_.source.replies["100"] = {TwoPaths::block(100, 9)};
  (void)collector.collect(paths(), clocks, {});
  EXPECT_EQ(collector.state().error, std::nullopt);
  EXPECT_EQ(collector.state().failures, 1U);
  collector.count_skipped_ticks(2);
  collector.count_skipped_ticks(3);
  EXPECT_EQ(collector.state().skipped_ticks, 5U);
}

TEST_F(CountersetCollectorTest, TheNearestNameIsForNamesThatNothingHas) {
  CountersetCollector collector(planned(CounterPath::kRegistry, {"Shopp"}));
  collect(collector);
  EXPECT_EQ(collector.state().nearest, "Shop");
  // A new catalog is compared again; it has the name now, but no provider delivers the object.
  machine_.source.names.emplace_back(500, u"Shopp");
  machine_.source.providers = 1;
  machine_.catalog().refresh(machine_.now);
  machine_.source.replies["500"] = {testing::BlockBuilder().bytes()};
  collect(collector);
  EXPECT_EQ(collector.state().nearest, "");
  machine_.source.replies["500"] = {TwoPaths::block(500, 1)};
  collect(collector);
  EXPECT_TRUE(collector.state().success);
  // An error that isn't about the name has no suggestion.
  CountersetCollector perflib(planned(CounterPath::kPerflib, {"Shopp"}));
  machine_.perflib.list_status = OsCode::kNotSupported;
  TwoPaths other;
  other.perflib.list_status = OsCode::kNotSupported;
  (void)perflib.collect({other.source, other.catalog(), &other.connection()}, other.clocks(), {});
  EXPECT_EQ(code_of(perflib.state().error), ErrorCode::kUnsupported);
  EXPECT_EQ(perflib.state().nearest, "");
}

TEST_F(CountersetCollectorTest, TheNearestNameGoesWithTheFailureThatItBelongsTo) {
  machine_.source.names.emplace_back(400, u"Away");
  machine_.source.replies["400"] = {
      testing::BlockBuilder().bytes(), testing::BlockBuilder().bytes(),
      std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"}),
      testing::BlockBuilder().bytes(), TwoPaths::block(400, 1)};
  CountersetCollector collector(planned(CounterPath::kRegistry, {"Shopp", "Away"}));
  for (const char* const nearest : {"Shop", "Shop", "", "Shop", ""}) {
    collect(collector);
    EXPECT_EQ(collector.state().nearest, nearest);
  }
  EXPECT_TRUE(collector.state().success);
}

TEST_F(CountersetCollectorTest, TheNearestNameIsLookedForOncePerCatalog) {
  CountersetCollector collector(planned(CounterPath::kRegistry, {"Shopp"}));
  collect(collector);
  machine_.source.names = {{100, u"Shopper"}, {102, u"Open"}};
  collect(collector);
  EXPECT_EQ(collector.state().nearest, "Shop");
  machine_.source.providers = 1;
  machine_.catalog().refresh(machine_.now);
  collect(collector);
  EXPECT_EQ(collector.state().nearest, "Shopper");
}

PlannedCounterset timed(seconds interval) {
  PlannedCounterset planned;
  planned.interval = interval;
  planned.stale_after = interval + seconds(30);
  return planned;
}

// A recording has the times of its samples.
TEST_F(CountersetCollectorTest, TheStateHasTheIntervalOfALiveMachine) {
  CountersetCollector collector(planned(CounterPath::kRegistry));
  collect(collector);
  EXPECT_EQ(collector.state().interval, seconds(0));
  machine_.source.live = true;
  collect(collector);
  EXPECT_EQ(collector.state().interval, seconds(5));
  EXPECT_EQ(collector.state().stale_after, std::chrono::milliseconds(12'500));
  collector.change_plan(nullptr, timed(seconds(60)));
  EXPECT_EQ(collector.state().stale_after, seconds(90)) << "also of the sample that there is";
  collect(collector);
  EXPECT_EQ(collector.state().interval, seconds(60));
}

TEST_F(CountersetCollectorTest, ItsRequestMovesWithTheIntervalAndIsWithdrawn) {
  CountersetCollector collector(planned(CounterPath::kAuto));
  collect(collector);
  PerflibConnection& connection = machine_.connection();
  EXPECT_FALSE(connection.session(seconds(5)).empty());
  collector.change_plan(&connection, timed(seconds(60)));
  EXPECT_TRUE(connection.session(seconds(5)).empty());
  EXPECT_FALSE(connection.session(seconds(60)).empty());
  collector.leave(&connection);
  EXPECT_TRUE(connection.session(seconds(60)).empty());
  collector.change_plan(nullptr, timed(seconds(5)));
  collector.leave(nullptr);
}

}  // namespace
}  // namespace winperf
