// The exporter's own counters on a simulated machine: both roads show the state that the section
// has, as long as it is fresh.
#include "tests/simulator/own_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectors/sampler/path_verifier.h"
#include "collectors/sources/perflib_client.h"
#include "exporter/counters/section_writer.h"
#include "tests/simulator/own_section.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

constexpr char kExporter[] = "winperf_exporter";
constexpr char kCountersets[] = "winperf_exporter counterset";

class OwnProviders : public ::testing::Test {
 protected:
  OwnProviders() : file_(fs::path(::testing::TempDir()) / ("own_" + case_name())) {
    furnish(machine_);
    add_own_counters(machine_, file_, [this] { return machine_.now().time_100ns; });
  }
  ~OwnProviders() override { fs::remove(file_); }

  static std::string case_name() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  // All values are different, and follow from the number.
  void publish() {
    const std::uint64_t number = writer_.next_number();
    own::OwnState state{.written_at = machine_.now().time_100ns};
    for (std::size_t i = 0; i < own::kExporterValues; ++i) state.exporter[i] = number * 1000 + i;
    for (const std::u16string& name : names_) {
      own::CountersetRow& row = state.countersets.emplace_back();
      row.name = name;
      for (std::size_t i = 0; i < own::kCountersetValues; ++i)
        row.values[i] = number * 500 + 100 * state.countersets.size() + i;
    }
    for (const auto& value : unknown_) state[value].reset();
    writer_.publish(state);
    write({reinterpret_cast<const char*>(memory_.get()), own::kSectionBytes});
  }
  void write(std::span<const char> bytes) {
    std::ofstream(file_, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  VerifiedCounterset verify(const std::string& name) {
    CatalogKeeper catalog(registry_, Language::kEnglish, {});
    PerflibConnection perflib(perflib_, Language::kEnglish, {});
    const ClockSource clocks{.steady_now = [] { return SteadyTime(); },
                             .wall_now = [] { return Ticks100ns{}; },
                             .pause_until = [](auto, const auto&) {}};
    PathVerifier verifier(registry_, catalog, via_perflib(perflib, clocks), clocks, 3);
    return verifier.verify(name, {});
  }

  const OwnExtension& extension() const {
    return dynamic_cast<const OwnExtension&>(*machine_.v1().back());
  }

  const fs::path file_;
  Machine machine_;
  PerflibFace face_{machine_};
  PerflibClient perflib_{face_, ""};
  RegistrySource registry_{machine_, {}};
  std::unique_ptr<own::Word[]> memory_ = std::make_unique<own::Word[]>(own::kSectionWords);
  own::SectionWriter writer_{std::span(memory_.get(), own::kSectionWords)};
  std::vector<own::ExporterValue> unknown_;
  std::vector<std::u16string> names_{u"System", u"Zähler", u"a b"};
};

// How many of an object's counters a reader of raw values sees, bases among them.
std::size_t raw_values(const own::ObjectRow& object) { return object.counters.size(); }

TEST_F(OwnProviders, BothRoadsShowOneState) {
  for (int states = 0; states < 3; ++states) {
    publish();
    for (const auto& [name, object, instances] :
         {std::tuple(kExporter, &own::kExporterObject, std::size_t{1}),
          std::tuple(kCountersets, &own::kCountersetObject, std::size_t{3})}) {
      const VerifiedCounterset result = verify(name);
      ASSERT_TRUE(result.delivered()) << name;
      EXPECT_THAT(result.comparison.differences, IsEmpty()) << name;
      EXPECT_THAT(result.problems, IsEmpty()) << name;
      EXPECT_EQ(result.comparison.compared, raw_values(*object) * instances) << name;
      EXPECT_EQ(result.comparison.moving, 0u) << name;
    }
  }
  EXPECT_THAT(extension().reports(), IsEmpty());
}

TEST_F(OwnProviders, WhatIsUnknownIsLeftOut) {
  unknown_ = {own::ExporterValue::kRecorderShare, own::ExporterValue::kRecorderShareBase};
  publish();
  SimulatedSampler sampler(machine_, {planned(kExporter, CounterPath::kRegistry)});
  sampler.round();
  ASSERT_TRUE(sampler.state().sample);
  for (const CounterSchema& counter : sampler.state().sample->schema->counters)
    EXPECT_NE(counter.name, "% Recorder Memory in Use");
  EXPECT_EQ(sampler.all_problems(), "");
  // The simulated PerfLib answers with ERROR_NO_DATA for what is by reference and null.
  EXPECT_TRUE(verify(kExporter).other_error);
  unknown_.clear();
  publish();
  EXPECT_TRUE(verify(kExporter).delivered());
}

TEST_F(OwnProviders, InstancesComeAndGo) {
  publish();
  EXPECT_EQ(verify(kCountersets).comparison.compared, raw_values(own::kCountersetObject) * 3);
  names_ = {u"System", u"Neu"};
  publish();
  const VerifiedCounterset fewer = verify(kCountersets);
  EXPECT_TRUE(fewer.agrees());
  EXPECT_EQ(fewer.comparison.compared, raw_values(own::kCountersetObject) * 2);
  names_ = {};
  publish();
  EXPECT_EQ(verify(kCountersets).comparison.compared, 0u);
  EXPECT_TRUE(verify(kExporter).delivered());
}

TEST_F(OwnProviders, TheRegistryHasTheExtensionsObject) {
  publish();
  SimulatedSampler sampler(machine_, {planned(kCountersets, CounterPath::kRegistry)});
  sampler.round();
  const auto& sample = *sampler.state().sample;
  EXPECT_EQ(value_of(sample.schema->index), extension().key.object_list.at(1));
  ASSERT_EQ(sample.instances->instances.size(), 3u);
  EXPECT_EQ(display_name(sample.instances->instances[1]), "Zähler");
  EXPECT_EQ(sampler.all_problems(), "");
}

TEST_F(OwnProviders, TheyAreGoneWithoutAFreshState) {
  const auto is_there = [this] {
    const VerifiedCounterset exporter = verify(kExporter);
    const VerifiedCounterset countersets = verify(kCountersets);
    EXPECT_TRUE(exporter.agrees());
    EXPECT_EQ(exporter.delivered(), !countersets.registry_error);
    // Through PerfLib, a counterset without a provider has no instances.
    EXPECT_EQ(exporter.delivered(), countersets.comparison.compared != 0);
    return exporter.delivered();
  };
  EXPECT_FALSE(is_there()) << "no section";
  EXPECT_THAT(extension().reports(), IsEmpty()) << "a service that is stopped is no trouble";
  publish();
  EXPECT_TRUE(is_there());
  machine_.advance(60);
  EXPECT_TRUE(is_there());
  machine_.advance(1);
  EXPECT_FALSE(is_there()) << "the state is a minute old";
  publish();
  EXPECT_TRUE(is_there());
  fs::remove(file_);
  EXPECT_FALSE(is_there());
  EXPECT_THAT(extension().reports(), IsEmpty());
}

TEST_F(OwnProviders, TheOthersOfTheMachineDontSuffer) {
  const std::string nonsense =
      "no section at all, but long enough to have the words of a head......";
  write(nonsense);
  EXPECT_FALSE(verify(kExporter).delivered());
  EXPECT_TRUE(verify("Every Type").delivered());
  SimulatedSampler sampler(machine_, {planned("System", CounterPath::kRegistry)});
  sampler.round();
  EXPECT_TRUE(sampler.state().sample);
}

TEST_F(OwnProviders, ANameAndItsHelpAreInTheTables) {
  const auto has = [](const std::vector<Machine::Title>& table, const char16_t* text) {
    std::size_t count = 0;
    for (const Machine::Title& title : table) count += title.text == text;
    return count;
  };
  EXPECT_EQ(has(machine_.counter_table(), u"State Number"), 2u) << "of both roads";
  EXPECT_EQ(has(machine_.counter_table(true), u"Zustandsnummer"), 2u);
  EXPECT_EQ(has(machine_.counter_table(true), u"State Number"), 0u);
  EXPECT_EQ(has(machine_.help_table(), u"Open HTTP connections."), 2u);
  // Each title is there once.
  std::vector<std::uint32_t> indices;
  for (const Machine::Title& title : machine_.counter_table()) indices.push_back(title.index);
  std::ranges::sort(indices);
  EXPECT_EQ(std::ranges::adjacent_find(indices), indices.end());
  EXPECT_EQ(indices.back(), machine_.last_counter());
}

}  // namespace
}  // namespace winperf::simulator
