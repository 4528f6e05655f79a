// Logs of single and wildcard counters: what a replay makes of them, up to the cooked values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "collectors/blg/log_index.h"
#include "collectors/blg/log_source.h"
#include "collectors/catalog/catalog.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::BlgBuilder;
using testing::counter_body;
using testing::counter_list_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::instances_body;
using testing::InstanceValueSpec;
using ::testing::IsEmpty;
using testing::ItemSpec;
using testing::ListedCounter;
using testing::RawSpec;
using testing::sample_bytes;

constexpr std::uint32_t kRaw = 0x0001'0100;     // PERF_COUNTER_LARGE_RAWCOUNT
constexpr std::uint32_t kRaw32 = 0x0001'0000;   // PERF_COUNTER_RAWCOUNT
constexpr std::uint32_t kRate32 = 0x1041'0400;  // PERF_COUNTER_COUNTER
constexpr std::uint32_t kText = 0x0000'0B00;    // PERF_COUNTER_TEXT
constexpr std::uint32_t kRawFraction = 0x2002'0400;
constexpr std::uint32_t kAverageTimer = 0x3002'0400;
constexpr std::uint32_t kMultiTimer = 0x2251'0500;  // PERF_100NSEC_MULTI_TIMER
constexpr std::uint32_t kTimer100ns = 0x2051'0500;
constexpr std::uint32_t kElapsed = 0x3024'0500;
constexpr std::uint32_t kNoInstance = 0x8000'07D1;  // PDH_CSTATUS_NO_INSTANCE
constexpr std::uint64_t kTime = 128'315'796'000'000'000;
constexpr std::uint64_t kTicksPerHour = 36'000'000'000;

ListedCounter single(std::u16string object, std::optional<std::u16string> instance,
                     std::u16string counter, std::uint32_t type) {
  return {.object = std::move(object),
          .instance = std::move(instance),
          .counter = std::move(counter),
          .wildcard = 0,
          .type = type,
          .time_base = 10};
}

ListedCounter every(std::u16string object, std::u16string counter, std::uint32_t type) {
  ListedCounter listed = single(std::move(object), u"*", std::move(counter), type);
  listed.wildcard = 1;
  return listed;
}

ListedCounter on(std::u16string machine, ListedCounter counter) {
  counter.machine = std::move(machine);
  return counter;
}

ItemSpec value(std::uint64_t first, std::uint64_t second = 0, std::uint32_t multi_count = 1) {
  return {1, counter_body({.first = first, .second = second}, kTime, multi_count)};
}

ItemSpec missing(std::uint32_t status = kNoInstance) {
  return {1, counter_body({.status = status, .first = 99, .second = 99}, kTime, 1)};
}

ItemSpec values(const std::vector<InstanceValueSpec>& instances) {
  return {2, instances_body(instances, kTime, true)};
}

class Log {
 public:
  explicit Log(const std::vector<ListedCounter>& counters) { list(counters); }

  Log& list(const std::vector<ListedCounter>& counters) {
    builder_.new_buffer().record(32, counter_list_bytes(counters));
    return *this;
  }
  Log& sample(const std::vector<ItemSpec>& items) {
    builder_.record(34, sample_bytes(items));
    return *this;
  }
  BlgBuilder& builder() { return builder_; }

  std::expected<BlgSource::Sources, SourceError> open() const { return open(builder_.build()); }
  static std::expected<BlgSource::Sources, SourceError> open(const testing::BuiltLog& log) {
    return BlgSource::open(std::make_unique<std::istringstream>(log.text()), "the.blg");
  }

 private:
  BlgBuilder builder_{4096};
};

std::string number(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

// "object(instance)\counter=value" of each cell, or "=reason".
std::vector<std::string> cells_of(const CountersetSample& sample) {
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      const std::size_t cell = sample.cell(row, column);
      std::string text = sample.schema->name;
      if (sample.schema->multi_instance)
        text += '(' + display_name(sample.instances->instances[row]) + ')';
      text += '\\' + sample.schema->counters[column].name + '=';
      cells.push_back(text + (sample.reason[cell] == NoValue::kNone
                                  ? number(sample.cooked[cell])
                                  : std::string(name_of(sample.reason[cell]))));
    }
  }
  return cells;
}

// One machine of a log, sampled.
class Sampled {
 public:
  explicit Sampled(BlgSource& source, Selection selection = {})
      : source_(source), catalog_(source, Language::kEnglish, {}), sampler_(std::move(selection)) {}

  std::vector<std::shared_ptr<const CountersetSample>> next() {
    const auto reply = source_.query("Global", {});
    if (!reply) {
      ADD_FAILURE() << describe(reply.error());
      return {};
    }
    SampledObjects taken = sampler_.take(*reply, catalog_.catalog(), catalog_.generation(), {});
    problems.insert(problems.end(), taken.problems.begin(), taken.problems.end());
    return std::move(taken.samples);
  }
  std::vector<std::string> cells() {
    std::vector<std::string> all;
    for (const auto& sample : next())
      for (std::string& cell : cells_of(*sample)) all.push_back(std::move(cell));
    return all;
  }

  std::vector<Error> problems;

 private:
  BlgSource& source_;
  CatalogKeeper catalog_;
  ObjectSampler sampler_;
};

// Of a log of one machine: the cells of each sample.
std::vector<std::vector<std::string>> all_cells(const Log& log, Selection selection = {}) {
  const auto machines = log.open();
  if (!machines) return {{machines.error().text}};
  EXPECT_EQ(machines->size(), 1U);
  Sampled sampled(*machines->front(), std::move(selection));
  std::vector<std::vector<std::string>> samples;
  for (std::size_t i = 0; i < machines->front()->sample_count(); ++i)
    samples.push_back(sampled.cells());
  EXPECT_THAT(sampled.problems, IsEmpty());
  return samples;
}

TEST(CounterLog, PutsSomeCountersOfAnObjectTogetherAndTheFirstSampleToo) {
  Log log({single(u"Memory", {}, u"Available Bytes", kRaw),
           single(u"System", {}, u"Processes", kRaw32),
           single(u"Memory", {}, u"Faults/sec", kRate32)});
  log.sample({value(1000), value(5), value(100, 1000)});
  log.sample({value(2000), value(6), value(150, 1100)});
  EXPECT_THAT(all_cells(log),
              ElementsAre(ElementsAre("Memory\\Available Bytes=1000",
                                      "Memory\\Faults/sec=first_sample", "System\\Processes=5"),
                          ElementsAre("Memory\\Available Bytes=2000", "Memory\\Faults/sec=5",
                                      "System\\Processes=6")));
}

TEST(CounterLog, CooksEachTypeFromTheValuesThatPdhKeeps) {
  Log log({single(u"A", {}, u"fraction", kRawFraction), single(u"A", {}, u"average", kAverageTimer),
           single(u"A", {}, u"multi", kMultiTimer), single(u"A", {}, u"timer", kTimer100ns),
           single(u"A", {}, u"elapsed", kElapsed)});
  log.sample({value(1, 4), value(100, 10), value(0, kTime, 2), value(0, kTime), value(500, 700)});
  log.sample({value(3, 4), value(160, 14), value(100, kTime + 100, 2), value(25, kTime + 100),
              value(500, 800)});
  const auto samples = all_cells(log);
  ASSERT_EQ(samples.size(), 2U);
  // ((160-100)/10) / (14-10); 100 * (100/100) / 2; 100 * 25/100; (800-500)/10
  EXPECT_THAT(samples[1], ElementsAre("A\\fraction=75", "A\\average=1.5", "A\\multi=50",
                                      "A\\timer=25", "A\\elapsed=30"));
}

TEST(CounterLog, ReadsSignsAndMarksAsTheNamesSay) {
  Log log({single(u"A", {}, u"n", kRaw),
           single(u"Network Interface", {}, u"Current Bandwidth", kRaw),
           single(u"Network Interface", {}, u"Output Queue Length", kRaw)});
  log.sample({value(~1ULL), value(0x7FFF'FFFF'FFFF'FFFF), value(~0ULL)});
  EXPECT_THAT(all_cells(log), ElementsAre(ElementsAre(
                                  "A\\n=-2", "Network Interface\\Current Bandwidth=marked_unknown",
                                  "Network Interface\\Output Queue Length=-1")));
}

TEST(CounterLog, GoesOnAcrossAWrapOf32BitsAndKnowsAWideValueFromOne) {
  Log log({single(u"A", {}, u"narrow", kRate32), single(u"A", {}, u"wide", kRate32)});
  log.sample({value(0xFFFF'FFF6, 0), value(0x1'0000'0000, 0)});
  log.sample({value(10, 10), value(0x1'0000'0014, 10)});
  log.sample({value(10, 20), value(5, 20)});
  EXPECT_THAT(all_cells(log),
              ElementsAre(ElementsAre("A\\narrow=first_sample", "A\\wide=first_sample"),
                          ElementsAre("A\\narrow=20", "A\\wide=20"),
                          ElementsAre("A\\narrow=0", "A\\wide=counter_reset")));
}

TEST(CounterLog, JoinsTheInstancesOfWildcardAndSingleCounters) {
  Log log({every(u"Disk", u"Reads", kRaw), every(u"disk", u"Writes", kRaw),
           single(u"Disk", u"_total", u"Idle", kRaw)});
  log.sample({values({{u"C:", {.first = 1}}, {u"_Total", {.first = 2}}}),
              values({{u"_Total", {.first = 4}}, {u"D:", {.first = 3}}}), value(9)});
  EXPECT_THAT(
      all_cells(log),
      ElementsAre(ElementsAre(
          "Disk(_total)\\Reads=2", "Disk(_total)\\Writes=4", "Disk(_total)\\Idle=9",
          "Disk(C:)\\Reads=1", "Disk(C:)\\Writes=not_delivered", "Disk(C:)\\Idle=not_delivered",
          "Disk(D:)\\Reads=not_delivered", "Disk(D:)\\Writes=3", "Disk(D:)\\Idle=not_delivered")));
}

TEST(CounterLog, OfTwoEntriesForOneValueTheFirstCounts) {
  Log log({single(u"A", u"x", u"n", kRaw), every(u"A", u"n", kRaw)});
  log.sample({value(1), values({{u"x", {.first = 2}}, {u"y", {.first = 3}}})});
  EXPECT_THAT(all_cells(log), ElementsAre(ElementsAre("A(x)\\n=1", "A(y)\\n=3")));
}

TEST(CounterLog, TellsParentsAndNumbersOfInstances) {
  Log log({every(u"Thread", u"n", kRaw), single(u"Thread", u"svchost/3", u"m", kRaw)});
  log.sample({values({{u"svchost/3", {.first = 1}},
                      {u"svchost/3#1", {.first = 2}},
                      {u"x", {}},
                      {u"x", {.first = 7}}}),
              value(5)});
  const auto machines = log.open();
  ASSERT_TRUE(machines);
  Sampled sampled(*machines->front());
  const auto samples = sampled.next();
  ASSERT_EQ(samples.size(), 1U);
  std::vector<std::string> names;
  for (const InstanceSchema& instance : samples[0]->instances->instances)
    names.push_back(instance.parent + '|' + instance.name);
  EXPECT_THAT(names, ElementsAre("svchost|3", "svchost|3#1", "|x", "|x#1"));
  EXPECT_EQ(samples[0]->cooked[samples[0]->cell(0, 1)], 5) << "the same instance by both entries";
  EXPECT_EQ(samples[0]->cooked[samples[0]->cell(3, 0)], 7);
}

TEST(CounterLog, ProcessesAreToldApartByTheIdsThatTheLogHas) {
  Log log({every(u"Process", u"ID Process", kRaw32), every(u"Process", u"Faults/sec", kRate32)});
  log.sample(
      {values({{u"a", {.first = 10}}, {u"a#1", {.first = 20}}}),
       values({{u"a", {.first = 100, .second = 0}}, {u"a#1", {.first = 500, .second = 0}}})});
  // The first one has ended, and perfmon numbers the second one anew.
  log.sample({values({{u"a", {.first = 20}}}), values({{u"a", {.first = 510, .second = 10}}})});
  const auto machines = log.open();
  ASSERT_TRUE(machines);
  Sampled sampled(*machines->front());
  sampled.next();
  const auto second = sampled.next();
  EXPECT_EQ(second.at(0)->instances->instances.at(0).process_id, 20U);
  EXPECT_EQ(second.at(0)->reason.at(1), NoValue::kFirstSample)
      << "not 410 less than another process had";
}

TEST(CounterLog, SelectsByNameWithoutPerfmonsNumber) {
  Log log({every(u"Process", u"n", kRaw), every(u"Process", u"m", kRaw)});
  log.sample({values({{u"a", {.first = 1}}, {u"b", {}}, {u"a#1", {.first = 2}}}), values({})});
  const Selection selection{.instances = [](std::string_view name) { return name == "a"; },
                            .counters = [](const CounterSchema& c) { return c.name == "n"; }};
  EXPECT_THAT(all_cells(log, selection),
              ElementsAre(ElementsAre("Process(a)\\n=1", "Process(a#1)\\n=2")));
}

TEST(CounterLog, SaysWhereAValueWasMissingAndGoesOnBehindIt) {
  Log log({single(u"Memory", {}, u"Faults/sec", kRate32), single(u"Disk", u"C:", u"Reads", kRaw),
           every(u"Net", u"Bytes", kRaw)});
  log.sample(
      {value(100, 0), value(1), values({{u"a", {.first = 1}}, {u"b", {.status = kNoInstance}}})});
  log.sample({missing(), missing(), {2, instances_body({}, kTime, true)}});
  log.sample({value(100, 10), value(3)});
  log.sample({value(150, 20), value(4), values({{u"a", {.status = 1, .first = 6}}})});
  EXPECT_THAT(
      all_cells(log),
      ElementsAre(ElementsAre("Memory\\Faults/sec=first_sample", "Disk(C:)\\Reads=1",
                              "Net(a)\\Bytes=1", "Net(b)\\Bytes=not_delivered"),
                  ElementsAre("Memory\\Faults/sec=not_delivered", "Disk(C:)\\Reads=not_delivered"),
                  ElementsAre("Memory\\Faults/sec=first_sample", "Disk(C:)\\Reads=3"),
                  ElementsAre("Memory\\Faults/sec=50", "Disk(C:)\\Reads=4", "Net(a)\\Bytes=6")));
  const auto machines = log.open();
  ASSERT_TRUE(machines);
  EXPECT_EQ(machines->front()->summary().values, 8U);
  EXPECT_THAT(describe_losses(machines->front()->summary()),
              HasSubstr("3 values were missing when the log was recorded (the first: "
                        "\\\\HOST-01\\Net(b)\\Bytes, status 0x800007d1)"));
}

TEST(CounterLog, CountsOneMissingValueAsOne) {
  Log log({single(u"A", {}, u"n", kRaw)});
  log.sample({missing(0xC000'0BB9)});
  const auto machines = log.open();
  ASSERT_TRUE(machines) << machines.error().text;
  EXPECT_THAT(describe_losses(machines->front()->summary()),
              HasSubstr("1 value was missing when the log was recorded (the first: "
                        "\\\\HOST-01\\A\\n, status 0xc0000bb9)"));
}

TEST(CounterLog, HasNoNumberForTextAndNoBaseWhereTheLogHasNone) {
  Log log({single(u"A", {}, u"text", kText), every(u"B", u"multi", kMultiTimer)});
  log.sample({value(1), values({{u"x", {.first = 5, .second = kTime}}})});
  EXPECT_THAT(all_cells(log),
              ElementsAre(ElementsAre("A\\text=not_numeric", "B(x)\\multi=no_base")));
}

TEST(CounterLog, KeepsNamesInAnyLanguage) {
  Log log({single(u"Prozessor", u"_Gesamt", u"Prozessorzeit (%)", kRaw),
           single(u"\u30E1\u30E2\u30EA", {}, u"\u00FCbrig", kRaw)});
  log.sample({value(1), value(2)});
  EXPECT_THAT(all_cells(log), ElementsAre(ElementsAre("Prozessor(_Gesamt)\\Prozessorzeit (%)=1",
                                                      "\u30E1\u30E2\u30EA\\\u00FCbrig=2")));
  const auto machines = log.open();
  const CatalogKeeper catalog(*machines->front(), Language::kEnglish, {});
  EXPECT_EQ(catalog.objects_named("prozessor").size(), 1U);
  EXPECT_EQ(catalog.objects_named("\u30E1\u30E2\u30EA").size(), 1U);
}

TEST(CounterLog, AnEntryWhoseItemsAreBlocksHasNoValuesBesideThem) {
  Log log({single(u"Processor", u"_Total", u"% Processor Time", kTimer100ns)});
  const auto block = testing::BlockBuilder().add(testing::ObjectBuilder(238)).bytes();
  log.sample({{5, block}});
  const auto machines = log.open();
  ASSERT_TRUE(machines) << machines.error().text;
  const auto reply = machines->front()->query("Global", {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->blocks.size(), 1U);
  EXPECT_THAT(reply->logged, IsEmpty());
}

TEST(CounterLog, FollowsACounterListThatChangesPartWay) {
  Log log({single(u"A", {}, u"n/sec", kRate32), single(u"B", {}, u"m", kRaw)});
  log.sample({value(100, 0), value(1)});
  log.list({single(u"C", {}, u"k", kRaw), single(u"A", {}, u"n/sec", kRate32)});
  log.sample({value(7), value(150, 10)});
  EXPECT_THAT(all_cells(log), ElementsAre(ElementsAre("A\\n/sec=first_sample", "B\\m=1"),
                                          ElementsAre("C\\k=7", "A\\n/sec=50")));
}

TEST(CounterLog, SkipsAndCountsValuesThatTheListDoesNotName) {
  Log log({single(u"A", {}, u"n", kRaw), single(u"A", {}, u"m", kRaw)});
  log.sample({value(1), value(2), values({{u"x", {}}, {u"y", {}}})});
  log.sample({value(3)});
  EXPECT_THAT(all_cells(log), ElementsAre(ElementsAre("A\\n=1", "A\\m=2"),
                                          ElementsAre("A\\n=3", "A\\m=not_delivered")));
  EXPECT_THAT(describe_losses(log.open()->front()->summary()),
              HasSubstr("2 values of counters that the log does not list skipped"));
}

TEST(CounterLog, AnUnsoundEntryCostsItselfAndItsValues) {
  Log log(
      {single(u"A", {}, u"n", kRaw), single(u"B", {}, u"m", kRaw), single(u"C", {}, u"k", kRaw)});
  log.sample({value(1), value(2), value(3)});
  const testing::BuiltLog built = log.builder().build();
  std::uint32_t first = 0;
  std::memcpy(&first, built.bytes.data() + built.events[0] + 72 + 8, sizeof first);
  const auto machines = Log::open(built.with(built.events[0] + 72 + 8 + first + 32, 5000));
  ASSERT_TRUE(machines) << machines.error().text;
  EXPECT_THAT(Sampled(*machines->front()).cells(), ElementsAre("A\\n=1", "C\\k=3"));
  EXPECT_THAT(describe_losses(machines->front()->summary()),
              HasSubstr("1 value of a counter that the log does not list skipped"));
}

TEST(CounterLog, AnUnsoundItemCostsItsValuesAndIsAProblemOfItsObject) {
  Log log({single(u"A", {}, u"n", kRaw), every(u"B", u"m", kRaw), single(u"C", {}, u"k", kRaw)});
  log.sample({value(1), {2, testing::ByteVector(10)}, value(3)});
  const auto machines = log.open();
  ASSERT_TRUE(machines) << machines.error().text;
  Sampled sampled(*machines->front());
  EXPECT_THAT(sampled.cells(), ElementsAre("A\\n=1", "C\\k=3"));
  ASSERT_EQ(sampled.problems.size(), 1U);
  EXPECT_EQ(sampled.problems[0].code, ErrorCode::kTruncated);
  EXPECT_EQ(machines->front()->summary().first_damage, sampled.problems[0]);
  EXPECT_EQ(machines->front()->summary().damaged, 1U);
}

TEST(CounterLog, HasASourceForEachMachine) {
  Log log({on(u"\\\\ONE", single(u"Memory", {}, u"n", kRaw)),
           on(u"\\\\TWO", single(u"Memory", {}, u"n", kRaw)),
           on(u"\\\\one", single(u"Memory", {}, u"m", kRaw)),
           on(u"\\\\TWO", every(u"Disk", u"r", kRaw)),
           {.machine = u"\\\\TWO", .object = u"Processor", .instance = u"*"}});
  const auto block = testing::BlockBuilder()
                         .add(testing::ObjectBuilder(238).counter({.index = 6}).single({1}))
                         .bytes();
  log.builder().record(36, testing::name_record_bytes(u"\\\\TWO", {u"238", u"Processor"}));
  log.sample({value(1), value(2), value(3), values({{u"C:", {.first = 4}}}), {5, block}});
  const auto machines = log.open();
  ASSERT_TRUE(machines) << machines.error().text;
  ASSERT_EQ(machines->size(), 2U);
  EXPECT_EQ((*machines)[0]->machine(), "ONE");
  EXPECT_EQ((*machines)[1]->machine(), "TWO");
  Sampled one(*(*machines)[0]);
  Sampled two(*(*machines)[1]);
  const auto of_one = one.next();
  ASSERT_EQ(of_one.size(), 1U);
  EXPECT_THAT(cells_of(*of_one[0]), ElementsAre("Memory\\n=1", "Memory\\m=3"));
  EXPECT_EQ(of_one[0]->schema->machine, "ONE");
  const auto of_two = two.next();
  ASSERT_EQ(of_two.size(), 3U);
  EXPECT_EQ(of_two[0]->schema->name, "Processor") << "by the name table of that machine";
  EXPECT_EQ(of_two[0]->schema->machine, "TWO");
  EXPECT_THAT(cells_of(*of_two[1]), ElementsAre("Memory\\n=2"));
  EXPECT_THAT(cells_of(*of_two[2]), ElementsAre("Disk(C:)\\r=4"));
  EXPECT_EQ(CatalogKeeper(*(*machines)[0], Language::kEnglish, {}).objects_named("Disk").size(),
            0U);
}

TEST(CounterLog, TellsUtcByTheTimeOfAnyValueInIt) {
  Log log({single(u"A", {}, u"timer", kTimer100ns), single(u"A", {}, u"n", kRaw)});
  log.builder().at(kTime);
  log.sample({missing(), value(1)});
  log.sample({value(1, kTime + 10'000'000 - 2 * kTicksPerHour + 12'345), value(1)});
  log.sample({missing(), value(1)});
  const auto machines = log.open();
  ASSERT_TRUE(machines);
  for (const std::uint64_t seconds : {0U, 1U, 2U}) {
    const auto reply = machines->front()->query("Global", {});
    ASSERT_TRUE(reply && reply->time);
    EXPECT_EQ(static_cast<std::uint64_t>(reply->time->ticks),
              kTime + seconds * 10'000'000 - 2 * kTicksPerHour);
    EXPECT_EQ(reply->logged.at(0).values->clocks.time_100ns, *reply->time);
  }
}

TEST(CounterLog, TellsUtcByItsTraceHeaderOtherwise) {
  BlgBuilder builder(4096);
  builder.trace_header({.bias = 300}).new_buffer().at(kTime);
  builder.record(32, counter_list_bytes({single(u"A", {}, u"n", kRaw)}));
  builder.at(kTime).record(34, sample_bytes({value(1)}));
  const auto machines = Log::open(builder.build());
  ASSERT_TRUE(machines);
  EXPECT_TRUE(machines->front()->summary().utc_known);
  // In August, in daylight time: 300 - 60 minutes.
  EXPECT_EQ(static_cast<std::uint64_t>(machines->front()->query("Global", {})->time->ticks),
            kTime + 4 * kTicksPerHour);
}

TEST(CounterLog, SaysThatItsTimeZoneIsNotKnown) {
  Log log({single(u"A", {}, u"n", kRaw)});
  log.builder().at(kTime);
  log.sample({value(1)});
  const auto machines = log.open();
  ASSERT_TRUE(machines);
  EXPECT_EQ(describe_losses(machines->front()->summary()),
            "the log's time zone is unknown: its local times are shown as if they were UTC");
  EXPECT_EQ(static_cast<std::uint64_t>(machines->front()->query("Global", {})->time->ticks), kTime);
}

TEST(CounterLog, LimitsTheCellsOfASample) {
  // 1500 instances of 1500 counters with one instance each: 2.25 million cells from 100 KB.
  std::vector<ListedCounter> counters;
  std::vector<ItemSpec> items;
  for (int i = 0; i < 1500; ++i) {
    const std::string name = std::to_string(i);
    const std::u16string wide(name.begin(), name.end());
    counters.push_back(every(u"A", wide, kRaw));
    items.push_back(values({{wide, {.first = 1}}}));
  }
  Log log(counters);
  log.sample(items);
  const auto machines = log.open();
  ASSERT_TRUE(machines) << machines.error().text;
  const auto reply = machines->front()->query("Global", {});
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->logged.size(), 1U);
  EXPECT_EQ(reply->logged[0].values->rows(), (std::size_t{1} << 21) / 1500);
  ASSERT_EQ(reply->logged[0].problems.size(), 1U);
  EXPECT_EQ(reply->logged[0].problems[0].code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(reply->logged[0].problems[0].actual, 1500U * 1500U);
}

TEST(CounterLog, LimitsTheMachines) {
  std::vector<ListedCounter> counters;
  std::vector<ItemSpec> items;
  for (std::size_t i = 0; i < kMaxMachines + 3; ++i) {
    const std::string name = "M" + std::to_string(i);
    counters.push_back(on({name.begin(), name.end()}, single(u"A", {}, u"n", kRaw)));
    items.push_back(value(i));
  }
  Log log(counters);
  log.sample(items);
  const auto machines = log.open();
  ASSERT_TRUE(machines) << machines.error().text;
  EXPECT_EQ(machines->size(), kMaxMachines);
  EXPECT_THAT(describe_losses(machines->front()->summary()), HasSubstr("3 values"))
      << "those of the others are counted";
}

TEST(CounterLog, SharesSchemasAndInstancesThatStayTheSame) {
  Log log({every(u"A", u"n", kRaw)});
  for (int i = 0; i < 3; ++i) log.sample({values({{u"x", {}}, {i < 2 ? u"y" : u"z", {}}})});
  const auto machines = log.open();
  ASSERT_TRUE(machines);
  Sampled sampled(*machines->front());
  const auto first = sampled.next();
  const auto second = sampled.next();
  const auto third = sampled.next();
  EXPECT_EQ(first.at(0)->schema, second.at(0)->schema);
  EXPECT_EQ(first.at(0)->instances, second.at(0)->instances);
  EXPECT_EQ(second.at(0)->schema, third.at(0)->schema);
  EXPECT_NE(second.at(0)->instances, third.at(0)->instances);
}

}  // namespace
}  // namespace winperf::blg
