// The simulated kernel keeps the contract of PCW_CALLBACK, and a driver's counterset is read
// through it by both paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/simulator/codes.h"
#include "tests/simulator/kernel_provider.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/pcw/kernel.h"

extern "C" NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath);
extern "C" NTSTATUS NTAPI KcsCallback(PCW_CALLBACK_TYPE Type, PPCW_CALLBACK_INFORMATION Info,
                                      PVOID Context);
extern "C" volatile LONG KcsFilters;

namespace winperf::simulator {
namespace {

using pcw::Kernel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const std::u16string kWaves = u"Geometric Waves";

class KcsDriver : public ::testing::Test {
 protected:
  KcsDriver() {
    kernel_.set_clock([this] { return machine_.now().time_100ns; });
    EXPECT_EQ(kernel_.load(DriverEntry), STATUS_SUCCESS);
    machine_.add(kcs_provider());
  }
  ~KcsDriver() override {
    kernel_.unload(DriverEntry);
    kernel_.set_clock({});
  }

  Machine machine_;
  Kernel& kernel_ = Kernel::instance();
};

TEST_F(KcsDriver, ItsWavesFollowTheTimeOfDay) {
  constexpr std::uint32_t kMinimum[] = {40, 30, 20};
  constexpr std::uint32_t kAmplitude[] = {20, 40, 60};
  for (int i = 0; i < 20; ++i) {
    const auto second = static_cast<int>(machine_.now().time_100ns / 10'000'000 % 10);
    const auto waves = kernel_.collect(kWaves, {});
    ASSERT_THAT(waves, SizeIs(3));
    for (std::size_t wave = 0; wave < 3; ++wave) {
      EXPECT_EQ(waves[wave].id, wave);
      const auto distance = static_cast<std::uint32_t>(std::abs(5 - second));
      EXPECT_EQ(waves[wave].values.at(1), kMinimum[wave] + kAmplitude[wave] * distance / 5);
      EXPECT_EQ(waves[wave].values.at(2), kMinimum[wave] + (second < 5 ? kAmplitude[wave] : 0));
    }
    machine_.advance(1);
  }
}

TEST_F(KcsDriver, RegistersWhatItsManifestDeclares) {
  std::ifstream file(WINPERF_KCS_MANIFEST);
  const std::string manifest((std::istreambuf_iterator<char>(file)), {});
  const CountersetDefinition set = geometric_waves();
  EXPECT_THAT(manifest, HasSubstr("guid=\"" + to_string(set.guid) + '"'));
  EXPECT_THAT(manifest, HasSubstr("providerGuid=\"" + to_string(kcs_provider()->guid()) + '"'));
  EXPECT_THAT(manifest,
              HasSubstr("name=\"" + utf8(set.name) + "\" description=\"" + utf8(set.help)));
  std::map<std::uint32_t, std::uint32_t> declared;
  for (const CounterDefinition& counter : set.counters) {
    const std::size_t at = manifest.find("<counter id=\"" + std::to_string(counter.id) + '"');
    ASSERT_NE(at, std::string::npos) << counter.id;
    const std::string element = manifest.substr(at, manifest.find("/>", at) - at);
    EXPECT_THAT(element, HasSubstr("name=\"" + utf8(counter.name) + '"'));
    EXPECT_THAT(element, HasSubstr("description=\"" + utf8(counter.help) + '"'));
    EXPECT_THAT(element, HasSubstr("type=\"perf_counter_rawcount\""));
    declared[counter.id] = counter.bytes;
  }
  EXPECT_EQ(kernel_.counters(kWaves), declared);
}

TEST_F(KcsDriver, EnumerationHasNamesWithoutValues) {
  const auto waves = kernel_.enumerate(kWaves, {});
  ASSERT_THAT(waves, SizeIs(3));
  EXPECT_EQ(utf8(waves[2].name), "Large Wave");
  EXPECT_THAT(waves[2].values, IsEmpty());
}

TEST_F(KcsDriver, TheSystemFiltersWhateverTheDriverAdds) {
  EXPECT_THAT(kernel_.collect(kWaves, {.instance_mask = u"*e wave"}), SizeIs(1));
  EXPECT_THAT(kernel_.collect(kWaves, {.instance_mask = u"?q*"}), IsEmpty());
  EXPECT_THAT(kernel_.collect(kWaves, {.instance_id = 1}), SizeIs(1));
  EXPECT_THAT(kernel_.collect(kWaves, {.instance_id = 7}), IsEmpty());
}

// The kernel filters once more, so that only what the driver itself adds shows whether it skips.
TEST_F(KcsDriver, SkipsTheInstancesThatWereNotAskedFor) {
  const auto waves = kernel_.added(kWaves, {.instance_id = 1});
  ASSERT_THAT(waves, SizeIs(1));
  EXPECT_EQ(waves[0].id, 1u);
  EXPECT_EQ(utf8(waves[0].name), "Medium Wave");
  EXPECT_THAT(kernel_.added(kWaves, {.instance_id = 7}), IsEmpty());
  EXPECT_THAT(kernel_.added(kWaves, {.instance_mask = u"?q*"}), SizeIs(3))
      << "the mask of names is left to the kernel";
}

TEST_F(KcsDriver, CountersThatNobodyWantsMayBeZero) {
  const auto waves = kernel_.collect(kWaves, {.counter_mask = 1u << 2});
  EXPECT_EQ(waves[0].values.at(1), 0u);
  EXPECT_NE(waves[0].values.at(2), 0u);
}

TEST_F(KcsDriver, KnowsHowManyFiltersThereAre) {
  {
    SimulatedSampler sampler(machine_, {planned("Geometric Waves")});
    sampler.round();
    EXPECT_EQ(KcsFilters, 1);
  }
  EXPECT_EQ(KcsFilters, 0) << "the query was closed";
}

// The driver itself, without the kernel's locks between the calls. What is lost without them shows
// in the count where both threads really run at once, and always under the thread sanitizer.
TEST_F(KcsDriver, CountsItsFiltersWhateverThreadTheyComeFrom) {
  std::atomic<int> ready{0};  // std::latch loses wake-ups with mingw-w64's GCC 12
  const auto come_and_go = [&ready] {
    PCW_CALLBACK_INFORMATION info{};
    ++ready;
    while (ready != 2) std::this_thread::yield();
    for (int i = 0; i < 200'000; ++i) {
      KcsCallback(PcwCallbackAddCounter, &info, nullptr);
      KcsCallback(PcwCallbackRemoveCounter, &info, nullptr);
    }
  };
  {
    const std::jthread one(come_and_go);
    const std::jthread other(come_and_go);
  }
  EXPECT_EQ(KcsFilters, 0);
}

// The driver leaves the triangle at 0, which is no value of it.
TEST_F(KcsDriver, EndsWithTheFirstInstanceThatItCannotAdd) {
  PCW_CALLBACK_INFORMATION info{};  // with no buffer
  info.EnumerateInstances.InstanceId = PCW_ANY_INSTANCE_ID;
  EXPECT_EQ(KcsCallback(PcwCallbackEnumerateInstances, &info, nullptr), STATUS_INVALID_PARAMETER);
}

TEST_F(KcsDriver, ACounterThatWasNotAskedForHasNoValue) {
  PlannedCounterset square = planned("Geometric Waves", CounterPath::kPerflib);
  square.selection.one_counter = "Square Wave";
  SimulatedSampler sampler(machine_, {square});
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  ASSERT_THAT(sampler.perflib().masks(), SizeIs(1));
  EXPECT_EQ(sampler.perflib().masks()[0].counter_id, 2u);
  const CountersetSample& sample = *sampler.state().sample;
  ASSERT_EQ(sample.rows(), 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(sample.reason[sample.cell(row, 0)], NoValue::kNotDelivered) << row;
    EXPECT_EQ(sample.reason[sample.cell(row, 1)], NoValue::kNone) << row;
    EXPECT_GE(sample.raw[sample.cell(row, 1)], 20u) << row;
  }
}

TEST_F(KcsDriver, BothPathsReadTheSame) {
  SimulatedSampler registry(machine_, {planned("Geometric Waves", CounterPath::kRegistry)});
  SimulatedSampler perflib(machine_, {planned("Geometric Waves")});
  for (int i = 0; i < 12; ++i) {
    registry.round();
    perflib.round();
    ASSERT_TRUE(registry.state().success && perflib.state().success) << perflib.all_problems();
    EXPECT_EQ(perflib.state().sample->schema->path, CounterPath::kPerflib);
    EXPECT_EQ(perflib.state().sample->raw, registry.state().sample->raw);
    EXPECT_EQ(perflib.state().sample->cooked, registry.state().sample->cooked);
    machine_.advance(1);
  }
}

TEST_F(KcsDriver, WithoutTheDriverTheCountersetIsEmpty) {
  SimulatedSampler sampler(machine_, {planned("Geometric Waves", CounterPath::kPerflib)});
  kernel_.unload(DriverEntry);
  sampler.round();
  ASSERT_TRUE(sampler.state().success);
  EXPECT_EQ(sampler.state().sample->rows(), 0u);
  kernel_.load(DriverEntry);
  sampler.round();
  EXPECT_EQ(sampler.state().sample->rows(), 3u);
}

TEST_F(KcsDriver, RegisteredTwiceItReportsTwice) {
  PPCW_REGISTRATION again = nullptr;
  PCW_COUNTER_DESCRIPTOR counters[] = {{1, 0, 0, 4}, {2, 0, 4, 4}};
  UNICODE_STRING name = RTL_CONSTANT_STRING(u"Geometric Waves");
  PCW_REGISTRATION_INFORMATION info{PCW_CURRENT_VERSION, &name, 2, counters, nullptr, nullptr,
                                    PcwRegistrationNone};
  ASSERT_EQ(PcwRegister(&again, &info), STATUS_SUCCESS);
  const std::uint32_t values[] = {11, 12};
  PCW_DATA data{values, sizeof values};
  UNICODE_STRING made = RTL_CONSTANT_STRING(u"Small Wave");
  PPCW_INSTANCE instance = nullptr;
  ASSERT_EQ(PcwCreateInstance(&instance, again, &made, 1, &data), STATUS_SUCCESS);
  EXPECT_THAT(kernel_.collect(kWaves, {}), SizeIs(4));
  // The same name and id twice: two rows of one name, told apart as perfmon does.
  SimulatedSampler sampler(machine_, {planned("Geometric Waves")});
  sampler.round();
  ASSERT_EQ(sampler.state().sample->rows(), 4u);
  EXPECT_EQ(display_name(sampler.state().sample->instances->instances[3]), "Small Wave#1");
  EXPECT_EQ(sampler.state().sample->raw[sampler.state().sample->cell(3, 1)], 12u);
  PcwCloseInstance(instance);
  EXPECT_THAT(kernel_.collect(kWaves, {}), SizeIs(3));
  PcwUnregister(again);
}

TEST(Pcw, RefusesWhatDoesNotFit) {
  UNICODE_STRING name = RTL_CONSTANT_STRING(u"Misfits");
  PCW_COUNTER_DESCRIPTOR odd[] = {{1, 0, 0, 3}};
  PPCW_REGISTRATION registration = nullptr;
  PCW_REGISTRATION_INFORMATION info{PCW_CURRENT_VERSION, &name, 1, odd, nullptr, nullptr,
                                    PcwRegistrationNone};
  EXPECT_EQ(PcwRegister(&registration, &info), STATUS_INVALID_PARAMETER_2);
  PCW_COUNTER_DESCRIPTOR sound[] = {{1, 1, 4, 8}};
  info.Counters = sound;
  info.Version = 0x7777;
  EXPECT_EQ(PcwRegister(&registration, &info), STATUS_INVALID_PARAMETER_2);
  info.Version = PCW_CURRENT_VERSION;
  ASSERT_EQ(PcwRegister(&registration, &info), STATUS_SUCCESS);

  const std::uint64_t values[2] = {1, 2};
  PPCW_INSTANCE instance = nullptr;
  PCW_DATA too_few[] = {{values, 16}};
  EXPECT_EQ(PcwCreateInstance(&instance, registration, &name, 1, too_few),
            STATUS_INVALID_PARAMETER_4);
  PCW_DATA too_short[] = {{values, 16}, {values, 11}};
  EXPECT_EQ(PcwCreateInstance(&instance, registration, &name, 2, too_short),
            STATUS_INVALID_BUFFER_SIZE);
  PCW_DATA nothing[] = {{values, 16}, {nullptr, 16}};
  EXPECT_EQ(PcwCreateInstance(&instance, registration, &name, 2, nothing),
            STATUS_INVALID_BUFFER_SIZE);
  EXPECT_EQ(PcwAddInstance(nullptr, &name, 0, 0, nullptr), STATUS_INVALID_PARAMETER);
  PcwUnregister(registration);
}

NTSTATUS NTAPI failing_callback(PCW_CALLBACK_TYPE type, PPCW_CALLBACK_INFORMATION info, PVOID) {
  if (type != PcwCallbackCollectData) return STATUS_UNSUCCESSFUL;
  UNICODE_STRING name = RTL_CONSTANT_STRING(u"one");
  const std::uint32_t value = 5;
  PCW_DATA data{&value, sizeof value};
  PcwAddInstance(info->CollectData.Buffer, &name, 1, 1, &data);
  return STATUS_UNSUCCESSFUL;
}

TEST(Pcw, TheStatusOfACallbackIsForInformationOnly) {
  UNICODE_STRING name = RTL_CONSTANT_STRING(u"Failing");
  PCW_COUNTER_DESCRIPTOR counters[] = {{1, 0, 0, 4}};
  PCW_REGISTRATION_INFORMATION info{
      PCW_CURRENT_VERSION, &name, 1, counters, failing_callback, nullptr, PcwRegistrationNone};
  PPCW_REGISTRATION registration = nullptr;
  ASSERT_EQ(PcwRegister(&registration, &info), STATUS_SUCCESS);
  const auto found = Kernel::instance().collect(u"Failing", {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].values, ElementsAre(Pair(1u, 5u)));
  PcwUnregister(registration);
}

TEST_F(KcsDriver, ManyConsumersCollectWhileAnotherRegistrationComesAndGoes) {
  std::atomic<bool> done = false;
  std::vector<std::jthread> consumers;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 2; ++i)
    consumers.emplace_back([&] {
      while (!done) wrong += kernel_.collect(kWaves, {}).size() != 3;
    });
  for (int i = 0; i < 200; ++i) {
    UNICODE_STRING name = RTL_CONSTANT_STRING(u"Passing");
    PCW_COUNTER_DESCRIPTOR counters[] = {{1, 0, 0, 4}};
    PCW_REGISTRATION_INFORMATION info{
        PCW_CURRENT_VERSION, &name, 1, counters, failing_callback, nullptr, PcwRegistrationNone};
    PPCW_REGISTRATION registration = nullptr;
    EXPECT_EQ(PcwRegister(&registration, &info), STATUS_SUCCESS);
    EXPECT_THAT(kernel_.collect(u"Passing", {}), SizeIs(1));
    PcwUnregister(registration);
  }
  done = true;
  consumers.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace winperf::simulator
