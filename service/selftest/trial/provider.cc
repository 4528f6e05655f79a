// winperf_exporter_trial.dll: a performance DLL that does harm when its object is asked for. It is
// called by the selftest's workers alone, and uses no C++ runtime beyond the language.
// Source: Learn, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC; "Performance Data Format".
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "service/selftest/trial/harm.h"
#include "service/selftest/trial/trial_words.h"

namespace winperf::trial {
namespace {

constexpr std::uint32_t kSuccess = 0;
constexpr std::uint32_t kMoreData = 234;

// PERF_OBJECT_TYPE, one PERF_COUNTER_DEFINITION, and the counter block.
struct Answer {
  std::uint32_t total_bytes, definition_bytes, header_bytes;
  std::uint32_t name_index, name, help_index, help;
  std::uint32_t detail, counters;
  std::int32_t default_counter, instances;
  std::uint32_t code_page;
  std::int64_t time, frequency;
  std::uint32_t counter_bytes, counter_name_index, counter_name, counter_help_index, counter_help;
  std::int32_t scale;
  std::uint32_t counter_detail, type, size, offset;
  std::uint32_t block_bytes, value;
};
constexpr std::uint32_t kHeaderBytes = 64;
constexpr std::uint32_t kCounterBytes = 40;
constexpr std::uint32_t kBlockBytes = 8;
static_assert(sizeof(Answer) == kHeaderBytes + kCounterBytes + kBlockBytes);

Answer answer_of(std::uint32_t index) {
  constexpr std::uint32_t kNovice = 100;
  constexpr std::uint32_t kRawCount = 0x00010000;  // PERF_COUNTER_RAWCOUNT
  constexpr std::int32_t kNoInstances = -1;        // PERF_NO_INSTANCES
  Answer answer{};
  answer.total_bytes = sizeof(Answer);
  answer.definition_bytes = kHeaderBytes + kCounterBytes;
  answer.header_bytes = kHeaderBytes;
  answer.name_index = index;
  answer.help_index = index + 1;
  answer.detail = answer.counter_detail = kNovice;
  answer.counters = 1;
  answer.instances = kNoInstances;
  answer.counter_bytes = kCounterBytes;
  answer.counter_name_index = index + 2;
  answer.counter_help_index = index + 3;
  answer.type = kRawCount;
  answer.size = sizeof answer.value;
  answer.offset = sizeof answer.block_bytes;
  answer.block_bytes = kBlockBytes;
  answer.value = 1;
  return answer;
}

// The first number of a query such as "1000004"; 0 if there is none.
std::uint32_t number_in(const char16_t* query) {
  constexpr std::uint32_t kMost = 100'000'000;
  std::uint32_t number = 0;
  for (; query != nullptr && *query >= u'0' && *query <= u'9' && number < kMost; ++query)
    number = number * 10 + static_cast<std::uint32_t>(*query - u'0');
  return number;
}

void write_to_nowhere() {
  volatile int* volatile nowhere = nullptr;  // volatile: otherwise the compiler removes the write
  *nowhere = 1;
}

void write_behind(std::byte* end) {
  constexpr std::size_t kFar = std::size_t{16} << 20;
  for (std::size_t i = 0; i < kFar; ++i) static_cast<volatile std::byte*>(end)[i] = std::byte{0xEE};
}

// Enough to exceed a limit of the selftest, and no more.
bool may_take() {
  constexpr int kMost = 3;
  static int taken = 0;
  return ++taken <= kMost;
}

void perform(Harm harm, std::byte* end) {
  const bool takes = harm == Harm::kMemory || harm == Harm::kHandles || harm == Harm::kThreads;
  if (takes && !may_take()) return;
  switch (harm) {
    case Harm::kCrash:
      return write_to_nowhere();
    case Harm::kExit:
      return end_process();
    case Harm::kHang:
      wait_forever();
    case Harm::kMemory:
      return keep_memory(kMemoryBytes);
    case Harm::kHandles:
      return open_handles(kHandles);
    case Harm::kThreads:
      return start_waiting_threads(kThreads);
    case Harm::kOverrun:
      return write_behind(end);
    case Harm::kNone:
    case Harm::kLie:
      return;
  }
}

std::uint32_t collect(const char16_t* query, void*& data, std::uint32_t& bytes,
                      std::uint32_t& objects) {
  const std::uint32_t room = bytes;
  bytes = objects = 0;
  const std::uint32_t index = number_in(query);
  if (index < kFirstIndex || index >= kFirstIndex + kHarms * kIndicesOfEach ||
      (index - kFirstIndex) % kIndicesOfEach != 0)
    return kSuccess;
  const auto harm = static_cast<Harm>((index - kFirstIndex) / kIndicesOfEach);
  auto* const to = static_cast<std::byte*>(data);
  perform(harm, to + room);
  if (room < sizeof(Answer)) return kMoreData;
  const Answer answer = answer_of(index);
  std::memcpy(to, &answer, sizeof answer);
  data = to + sizeof answer;
  bytes = harm == Harm::kLie ? room + sizeof answer : sizeof answer;
  objects = 1;
  return kSuccess;
}

}  // namespace
}  // namespace winperf::trial

// 64-bit Windows has one calling convention, and DWORD has 32 bits. trial.def exports them.
extern "C" {

std::uint32_t OpenTrial(char16_t* /*devices*/) { return winperf::trial::kSuccess; }

std::uint32_t CollectTrial(char16_t* query, void** data, std::uint32_t* bytes,
                           std::uint32_t* objects) {
  return winperf::trial::collect(query, *data, *bytes, *objects);
}

std::uint32_t CloseTrial() { return winperf::trial::kSuccess; }

}  // extern "C"
