// Drivers that break the rules for the names and ids of their instances: ids that are all the same,
// reserved or not stable, names that are blank or differ by case alone. Each costs no more than it
// has to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/simulator/kernel_provider.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/pcw/kernel.h"

namespace winperf::simulator {
namespace {

using ::testing::ElementsAre;

struct OddInstance {
  std::u16string name;
  ULONG id = 0;
  std::uint32_t jobs = 0;
};

const Guid kOdd = *parse_guid("33333333-0000-0000-0000-000000000001");
const std::u16string kOddName = u"Odd Jobs";

// A driver with one counter, a rate, which reports the instances that a test sets.
class OddInstances : public ::testing::Test {
 protected:
  OddInstances() {
    UNICODE_STRING name{static_cast<USHORT>(2 * kOddName.size()),
                        static_cast<USHORT>(2 * kOddName.size()),
                        const_cast<WCHAR*>(kOddName.data())};
    std::array<PCW_COUNTER_DESCRIPTOR, 1> counters{{{1, 0, 0, sizeof(std::uint32_t)}}};
    PCW_REGISTRATION_INFORMATION info{PCW_CURRENT_VERSION, &name, 1, counters.data(), called, this,
                                      PcwRegistrationNone};
    EXPECT_EQ(PcwRegister(&registration_, &info), STATUS_SUCCESS);
    const CountersetDefinition definition{
        .guid = kOdd,
        .name = kOddName,
        .counters = {{.id = 1, .name = u"Jobs/sec", .type = 0x10410400, .bytes = 4}}};
    machine_.add(
        std::make_shared<KernelProvider>(*parse_guid("33333333-0000-0000-0000-0000000000ff"),
                                         u"Odd", std::vector<CountersetDefinition>{definition}));
  }
  ~OddInstances() override { PcwUnregister(registration_); }

  // One round with these instances, a second after the last one.
  const CountersetSample& sampled(SimulatedSampler& sampler, std::vector<OddInstance> instances) {
    instances_ = std::move(instances);
    machine_.advance(1);
    sampler.round();
    EXPECT_TRUE(sampler.state().success) << sampler.all_problems();
    EXPECT_EQ(sampler.state().sample->schema->path, CounterPath::kPerflib);
    return *sampler.state().sample;
  }

  static std::vector<std::string> names(const CountersetSample& sample) {
    std::vector<std::string> shown;
    for (const InstanceSchema& instance : sample.instances->instances)
      shown.push_back(display_name(instance));
    return shown;
  }

  Machine machine_;

 private:
  static NTSTATUS NTAPI called(PCW_CALLBACK_TYPE type, PPCW_CALLBACK_INFORMATION info,
                               PVOID context) {
    if (type != PcwCallbackCollectData) return STATUS_SUCCESS;
    for (const OddInstance& instance : static_cast<OddInstances*>(context)->instances_) {
      const auto bytes = static_cast<USHORT>(2 * instance.name.size());
      const UNICODE_STRING name{bytes, bytes, const_cast<WCHAR*>(instance.name.data())};
      PCW_DATA data{&instance.jobs, sizeof instance.jobs};
      PcwAddInstance(info->CollectData.Buffer, &name, instance.id, 1, &data);
    }
    return STATUS_SUCCESS;
  }

  PPCW_REGISTRATION registration_ = nullptr;
  std::vector<OddInstance> instances_;
};

TEST_F(OddInstances, WithOneIdForAllTheNameTellsThemApart) {
  SimulatedSampler sampler(machine_, {planned("Odd Jobs")});
  sampled(sampler, {{u"a", 0, 10}, {u"b", 0, 200}});
  const CountersetSample& sample = sampled(sampler, {{u"b", 0, 207}, {u"a", 0, 13}});
  EXPECT_THAT(names(sample), ElementsAre("b", "a"));
  EXPECT_THAT(sample.cooked, ElementsAre(7, 3));
}

// 0xFFFFFFFF is also how a consumer says that it wants any id, 0xFFFFFFFE is reserved.
TEST_F(OddInstances, ReservedIdsAreIdsLikeOthers) {
  const std::vector<OddInstance> instances{{u"a", 0xFFFF'FFFE, 10}, {u"b", 0xFFFF'FFFF, 20}};
  PlannedCounterset one = planned("Odd Jobs");
  one.selection.instance_id = 0xFFFF'FFFE;
  SimulatedSampler sampler(machine_, {planned("Odd Jobs"), one});
  sampled(sampler, instances);
  const CountersetSample& all =
      sampled(sampler, {{u"b", 0xFFFF'FFFF, 29}, {u"a", 0xFFFF'FFFE, 14}});
  EXPECT_THAT(names(all), ElementsAre("b", "a"));
  EXPECT_THAT(all.cooked, ElementsAre(9, 4));
  EXPECT_EQ(all.instances->instances[0].unique_id, 0xFFFF'FFFFu);
  EXPECT_THAT(names(*sampler.state(1).sample), ElementsAre("a"));
  EXPECT_THAT(sampler.state(1).sample->cooked, ElementsAre(4));
}

TEST_F(OddInstances, WithAnIdThatIsNotStableEachSampleIsTheFirst) {
  SimulatedSampler sampler(machine_, {planned("Odd Jobs")});
  sampled(sampler, {{u"a", 1, 10}});
  const CountersetSample& sample = sampled(sampler, {{u"a", 2, 30}});
  EXPECT_THAT(sample.reason, ElementsAre(NoValue::kFirstSample));
  EXPECT_THAT(sample.raw, ElementsAre(30));
}

TEST_F(OddInstances, ABlankNameIsShownAsTheId) {
  SimulatedSampler sampler(machine_, {planned("Odd Jobs")});
  sampled(sampler, {{u"", 7, 10}, {u"", 9, 20}, {u"a", 8, 30}});
  const CountersetSample& sample = sampled(sampler, {{u"", 9, 22}, {u"", 7, 11}, {u"a", 8, 34}});
  EXPECT_THAT(names(sample), ElementsAre("9", "7", "a"));
  EXPECT_THAT(sample.cooked, ElementsAre(2, 1, 4));
  const CountersetSample& alike = sampled(sampler, {{u"", 0, 1}, {u"", 0, 2}});
  EXPECT_THAT(names(alike), ElementsAre("0", "0#1"));
}

TEST_F(OddInstances, NamesThatDifferByCaseAloneAreNumbered) {
  SimulatedSampler sampler(machine_, {planned("Odd Jobs")});
  sampled(sampler, {{u"Job", 1, 10}, {u"JOB", 1, 20}});
  const CountersetSample& sample = sampled(sampler, {{u"JOB", 1, 26}, {u"Job", 1, 15}});
  EXPECT_THAT(names(sample), ElementsAre("JOB", "Job#1"));
  EXPECT_THAT(sample.cooked, ElementsAre(6, 5)) << "matched by their exact names";
}

}  // namespace
}  // namespace winperf::simulator
