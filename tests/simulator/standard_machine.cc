#include "tests/simulator/standard_machine.h"

#include "tests/simulator/every_type.h"
#include "tests/simulator/processor_information.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kLevelType = 0x00010000;
constexpr std::uint32_t kRateType = 0x10410400;
constexpr std::uint32_t kWideLevelType = 0x00010100;

std::uint64_t seconds_since_start(const Now& now) {
  return static_cast<std::uint64_t>(now.time_100ns - Now{}.time_100ns) / 10'000'000;
}

}  // namespace

std::shared_ptr<ObjectProvider> system_provider(const Machine& machine) {
  const auto build = [&machine](bool metadata) {
    testing::ObjectBuilder object(kSystemObject);
    object.counter({.index = 4, .type = kRateType});
    object.counter({.index = 6, .type = kLevelType});
    if (metadata) return object.metadata();
    const std::uint64_t seconds = seconds_since_start(machine.now());
    return object.single({1'000 + 25 * seconds, 17});
  };
  return std::make_shared<ObjectProvider>(
      PerformanceKey{
          .service = u"PerfOS", .object_list = {kSystemObject}, .supports_metadata = true},
      std::vector<ObjectProvider::Object>{{.index = kSystemObject, .build = build}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{
          {2, u"System"}, {4, u"System Calls/sec"}, {6, u"Processor Queue Length"}});
}

std::shared_ptr<ObjectProvider> thing_provider(const Machine& machine) {
  const auto build = [&machine](bool metadata) {
    testing::ObjectBuilder object(kThingObject);
    object.counter({.index = 2002, .type = kWideLevelType, .size = 8});
    if (metadata) return object.multi_instance().metadata();
    const std::uint64_t seconds = seconds_since_start(machine.now());
    object.instance({.name = u"first", .values = {10 + seconds}});
    return object.instance({.name = u"second", .values = {20 + seconds}});
  };
  const auto costly = [](bool metadata) {
    testing::ObjectBuilder object(2010);
    object.counter({.index = 2012, .type = kLevelType});
    return metadata ? object.metadata() : object.single({5});
  };
  return std::make_shared<ObjectProvider>(
      PerformanceKey{.service = u"Things", .object_list = {}, .devices = {{u"first", u"second"}}},
      std::vector<ObjectProvider::Object>{{.index = kThingObject, .build = build},
                                          {.index = 2010, .costly = true, .build = costly}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{{2000, u"Thing"},
                                                            {2002, u"Thing Size"},
                                                            {2010, u"Costly Thing"},
                                                            {2012, u"Costly Size"}});
}

void furnish(Machine& machine) {
  machine.add(system_provider(machine));
  machine.add(thing_provider(machine));
  machine.add(std::make_shared<FormulaProvider>(
      machine, kProcessorInformationProvider, u"Microsoft-Windows-Kernel-Power",
      std::vector<FormulaProvider::Set>{processor_set(2)}));
  machine.add(std::make_shared<FormulaProvider>(machine, kEveryTypeProvider, u"Every Type Provider",
                                                every_type_sets()));
}

}  // namespace winperf::simulator
