#include "tests/simulator/processor_information.h"

#include <algorithm>
#include <array>
#include <string>

#include "collectors/model/guid.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t k100nsTimer = 0x20510500;
constexpr std::uint32_t k100nsTimerInverse = 0x21510500;
constexpr std::uint32_t kCounter = 0x10410400;
constexpr std::uint32_t kBulkCount = 0x10410500;
constexpr std::uint32_t kRawCount = 0x00010000;
constexpr std::uint32_t kPrecision100ns = 0x20570500;
constexpr std::uint32_t kPrecisionTimestamp = 0x40030500;
constexpr std::uint32_t kAverageBulk = 0x40020500;
constexpr std::uint32_t kAverageBulkBase = 0x40030402;

constexpr std::uint64_t kTimerStart = 50'000'000'000;

struct Row {
  std::uint32_t id;
  const char16_t* name;
  std::uint32_t type;
  std::uint8_t bytes;
};

constexpr std::array kRows{
    Row{0, u"% Processor Time", k100nsTimerInverse, 8},
    Row{1, u"% User Time", k100nsTimer, 8},
    Row{2, u"% Privileged Time", k100nsTimer, 8},
    Row{3, u"Interrupts/sec", kCounter, 4},
    Row{4, u"% DPC Time", k100nsTimer, 8},
    Row{5, u"% Interrupt Time", k100nsTimer, 8},
    Row{6, u"DPCs Queued/sec", kCounter, 4},
    Row{7, u"DPC Rate", kRawCount, 4},
    Row{8, u"% Idle Time", k100nsTimer, 8},
    Row{9, u"% C1 Time", k100nsTimer, 8},
    Row{10, u"% C2 Time", k100nsTimer, 8},
    Row{11, u"% C3 Time", k100nsTimer, 8},
    Row{12, u"C1 Transitions/sec", kBulkCount, 8},
    Row{13, u"C2 Transitions/sec", kBulkCount, 8},
    Row{14, u"C3 Transitions/sec", kBulkCount, 8},
    Row{15, u"% Priority Time", k100nsTimerInverse, 8},
    Row{16, u"Parking Status", kRawCount, 4},
    Row{17, u"Processor Frequency", kRawCount, 4},
    Row{18, u"% of Maximum Frequency", kRawCount, 4},
    Row{19, u"Processor State Flags", kRawCount, 4},
    Row{20, u"Clock Interrupts/sec", kCounter, 4},
    Row{21, u"Average Idle Time", kPrecision100ns, 8},
    Row{22, u"", kPrecisionTimestamp, 8},
    Row{23, u"Idle Break Events/sec", kBulkCount, 8},
    Row{24, u"% Processor Performance", kAverageBulk, 8},
    Row{25, u"", kAverageBulkBase, 4},
    Row{26, u"% Processor Utility", kAverageBulk, 8},
    Row{27, u"", kAverageBulkBase, 4},
    Row{28, u"% Privileged Utility", kAverageBulk, 8},
    Row{29, u"", kAverageBulkBase, 4},
    Row{30, u"% Performance Limit", kRawCount, 4},
    Row{31, u"Performance Limit Flags", kRawCount, 4},
    Row{32, u"", k100nsTimer, 8},
};

std::optional<std::uint32_t> base_id_of(std::uint32_t id) {
  if (id == 21) return 22;
  if (id == 24) return 25;
  if (id == 26 || id == 28) return 27;
  return std::nullopt;
}

// Since the clocks of a new machine.
std::uint64_t elapsed_100ns(const Now& now) {
  return static_cast<std::uint64_t>(now.time_100ns - Now{}.time_100ns);
}

std::uint64_t processor_value(const CounterDefinition& counter, std::size_t processor,
                              const Now& now) {
  const std::uint64_t elapsed = elapsed_100ns(now);
  const std::uint64_t idle = elapsed / (processor + 2);
  switch (counter.type) {
    case k100nsTimerInverse:
      return kTimerStart + idle;
    case k100nsTimer:
      return kTimerStart + (counter.id == 8 ? idle : (elapsed - idle) / (counter.id + 2));
    case kCounter:
    case kBulkCount:
      return 1'000'000 * (counter.id + 1) + elapsed / 10'000 * (processor + 1);
    case kPrecision100ns:
      return kTimerStart + idle;
    case kPrecisionTimestamp:
      return kTimerStart + elapsed;
    case kAverageBulk:
      return (1'000'000 + elapsed / 16) * 100 / (processor + 1);
    case kAverageBulkBase:
      // 625,000 a second, begun so that the first seconds see it wrap.
      return (0xFFFF'0000 + elapsed / 16) & 0xFFFF'FFFF;
    default:
      return counter.id == 17 ? 2'400 : counter.id;
  }
}

}  // namespace

const Guid kProcessorInformation = *parse_guid("b4fc721a-0378-476f-89ba-a5a79f810b36");
const Guid kProcessorInformationProvider = *parse_guid("383487a6-3676-4870-a4e7-d45b30c35629");

CountersetDefinition processor_information() {
  CountersetDefinition set{.guid = kProcessorInformation,
                           .name = u"Processor Information",
                           .help = u"Activity of the processors.",
                           .local_name = u"Prozessorinformationen",
                           .instance_type = v2::InstanceType::kMultiple,
                           .counters = {}};
  for (const Row& row : kRows) {
    set.counters.push_back({.id = row.id,
                            .name = row.name,
                            .type = row.type,
                            .bytes = row.bytes,
                            .base_id = base_id_of(row.id),
                            .help = row.name[0] == u'\0' ? u"" : u"What its name says.",
                            .local_name = row.id == 0 ? u"Prozessorzeit (%)" : u""});
  }
  return set;
}

FormulaProvider::Set processor_set(std::size_t processors) {
  FormulaProvider::Set set{
      .definition = processor_information(), .instances = {}, .value = processor_value};
  const auto add = [&](const std::u16string& name) {
    set.instances.push_back({name, static_cast<std::uint32_t>(set.instances.size())});
  };
  for (const std::u16string node : {u"0,", u"1,"}) {
    for (std::size_t i = 0; i < processors; ++i) {
      const std::string digits = std::to_string(i);
      add(node + std::u16string(digits.begin(), digits.end()));
    }
    add(node + u"_Total");
  }
  add(u"_Total");
  std::ranges::reverse(set.instances);
  return set;
}

}  // namespace winperf::simulator
