// verify finds nothing on an honest machine, and exactly what a lying one was told to change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/sampler/path_verifier.h"
#include "collectors/sources/perflib_client.h"
#include "tests/simulator/every_type.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Verify : public ::testing::Test {
 protected:
  Verify() : perflib_face_(machine_), registry_(machine_, {}) { furnish(machine_); }

  VerifiedCounterset verify(const std::string& name) {
    CatalogKeeper catalog(registry_, Language::kEnglish, {});
    PerflibConnection perflib(perflib_, Language::kEnglish, {});
    const ClockSource clocks{.steady_now = [this] { return now_; },
                             .wall_now = [] { return Ticks100ns{}; },
                             .pause_until =
                                 [this](auto time, const auto&) {
                                   pauses_.push_back(time - now_);
                                   now_ = time;
                                   if (stops_in_pause_) stop_.request_stop();
                                 }};
    PathVerifier verifier(registry_, catalog, via_perflib(perflib, clocks), clocks, 3);
    return verifier.verify(name, stop_.token());
  }

  std::chrono::steady_clock::time_point now_;
  std::vector<std::chrono::steady_clock::duration> pauses_;
  StopSource stop_;
  bool stops_in_pause_ = false;
  Machine machine_;
  PerflibFace perflib_face_;
  PerflibClient perflib_{perflib_face_, ""};
  RegistrySource registry_;
};

TEST_F(Verify, FindsNothingOnAnHonestMachine) {
  for (const auto& provider : machine_.v2()) {
    for (const CountersetDefinition& counterset : provider->countersets()) {
      const VerifiedCounterset result = verify(utf8(counterset.name));
      EXPECT_TRUE(result.agrees()) << result.name;
      EXPECT_TRUE(result.delivered()) << result.name;
      EXPECT_GT(result.comparison.compared, 20u) << result.name;
      EXPECT_EQ(result.comparison.moving, 0u) << "its clocks stand";
    }
  }
}

TEST_F(Verify, FindsNothingWhileTheCountersMove) {
  // Each call sees the machine a bit later.
  std::int64_t calls = 0;
  Machine moving([&calls] {
    Now now;
    now.perf_time += ++calls * 100'000;
    now.time_100ns += calls * 100'000;
    return now;
  });
  furnish(moving);
  PerflibFace face(moving);
  RegistrySource registry(moving, {});
  CatalogKeeper catalog(registry, Language::kEnglish, {});
  PerflibClient source(face, "");
  PerflibConnection perflib(source, Language::kEnglish, {});
  PathVerifier verifier(registry, catalog, via_perflib(perflib, system_clocks()), system_clocks(),
                        3);
  for (const char* const name : {"Processor Information", "Every Type", "Every Type Single"}) {
    const VerifiedCounterset result = verifier.verify(name, {});
    EXPECT_TRUE(result.agrees()) << name << ": " << result.comparison.differences.front().counter;
    EXPECT_GT(result.comparison.compared, result.comparison.moving);
  }
}

TEST_F(Verify, FindsOneLie) {
  for (const Lie::Path path : {Lie::Path::kPerflib, Lie::Path::kRegistry}) {
    machine_.faults.clear();
    machine_.faults.tell({.path = path,
                          .counterset = kProcessorInformation,
                          .counter_id = 20,
                          .instance = u"0,1",
                          .added = -1});
    const VerifiedCounterset result = verify("Processor Information");
    ASSERT_THAT(result.comparison.differences, SizeIs(1));
    const PathDifference& found = result.comparison.differences.front();
    EXPECT_EQ(found.instance, "0,1");
    EXPECT_EQ(found.counter, "Clock Interrupts/sec");
    EXPECT_EQ(found.what, "raw value");
    EXPECT_NE(found.registry, found.other);
    EXPECT_THAT(verify("Every Type").comparison.differences, IsEmpty());
  }
}

TEST_F(Verify, FindsALieOfABaseAtEveryCounterThatUsesIt) {
  machine_.faults.tell({.path = Lie::Path::kRegistry,
                        .counterset = kProcessorInformation,
                        .counter_id = 27,
                        .instance = u"_Total",
                        .added = 3});
  const VerifiedCounterset result = verify("Processor Information");
  ASSERT_THAT(result.comparison.differences, SizeIs(2));
  EXPECT_EQ(result.comparison.differences[0].what, "base");
  EXPECT_EQ(result.comparison.differences[0].counter, "% Privileged Utility");
  EXPECT_EQ(result.comparison.differences[1].counter, "% Processor Utility");
}

TEST_F(Verify, FindsAHiddenInstance) {
  machine_.faults.tell(
      {.counterset = kProcessorInformation, .instance = u"1,0", .hides_instance = true});
  const VerifiedCounterset result = verify("Processor Information");
  ASSERT_THAT(result.comparison.differences, SizeIs(1));
  EXPECT_EQ(result.comparison.differences.front(),
            (PathDifference{"1,0", "", "instance only through the registry", "", ""}));
}

TEST_F(Verify, ACountersetOfOnePathAlone) {
  const VerifiedCounterset result = verify("System");
  EXPECT_FALSE(result.agrees());
  EXPECT_FALSE(result.registry_error.has_value());
  EXPECT_EQ(result.other_error->code, ErrorCode::kNotRegistered);
  EXPECT_TRUE(verify("Nothing").agrees()) << "what neither path has is not a difference";
}

TEST_F(Verify, WhatIsThereOnceIsNotADifference) {
  // PerfLib's first reply is spoilt, the following ones are not.
  machine_.faults.fail(Point::kData, 5, 1);
  EXPECT_TRUE(verify("Processor Information").agrees());
  EXPECT_THAT(pauses_, ElementsAre(std::chrono::seconds(1)));
}

TEST_F(Verify, ItsRoundsAreASecondApart) {
  verify("Processor Information");
  EXPECT_THAT(pauses_, IsEmpty()) << "one round will do where nothing differs";
  machine_.faults.tell({.counterset = kProcessorInformation, .counter_id = 3, .added = 1});
  const int before = perflib_face_.calls().data;
  EXPECT_FALSE(verify("Processor Information").agrees());
  EXPECT_THAT(pauses_, ElementsAre(std::chrono::seconds(1), std::chrono::seconds(1)));
  EXPECT_EQ(perflib_face_.calls().data - before, 3);
}

TEST_F(Verify, AStopEndsThePause) {
  stops_in_pause_ = true;
  machine_.faults.tell({.counterset = kProcessorInformation, .counter_id = 3, .added = 1});
  EXPECT_FALSE(verify("Processor Information").agrees());
  EXPECT_EQ(pauses_.size(), 1u);
  EXPECT_EQ(perflib_face_.calls().data, 1) << "no round after the stop";
}

}  // namespace
}  // namespace winperf::simulator
