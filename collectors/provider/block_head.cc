#include "collectors/provider/block_head.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "collectors/base/clock.h"
#include "collectors/wire/v1_format.h"

namespace winperf {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kRevision = 1;
constexpr std::int32_t kProcessor = 238;  // what perfmon would show first
constexpr std::size_t kUnit = 8;

constexpr std::int64_t kTicksPerMillisecond = 10'000;

// SYSTEMTIME: year, month, day of the week, day, hour, minute, second, milliseconds.
std::array<std::uint16_t, 8> system_time(std::int64_t time_100ns) {
  using namespace std::chrono;
  const sys_time<milliseconds> time{
      milliseconds(time_100ns / kTicksPerMillisecond - kUnixEpoch100ns / kTicksPerMillisecond)};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  const auto u16 = [](auto number) { return static_cast<std::uint16_t>(number); };
  return {u16(static_cast<int>(date.year())), u16(static_cast<unsigned>(date.month())),
          u16(weekday(day).c_encoding()),     u16(static_cast<unsigned>(date.day())),
          u16(clock.hours().count()),         u16(clock.minutes().count()),
          u16(clock.seconds().count()),       u16(clock.subseconds().count())};
}

std::size_t name_bytes(std::u16string_view name) { return (name.size() + 1) * sizeof(char16_t); }

}  // namespace

std::size_t block_head_bytes(std::u16string_view computer_name) {
  return (v1::block::kBytes + name_bytes(computer_name) + kUnit - 1) / kUnit * kUnit;
}

void write_block_head(std::span<std::byte> block, const BlockMoment& moment,
                      std::u16string_view computer_name, std::uint32_t object_count) {
  namespace field = v1::block;
  const std::size_t head = block_head_bytes(computer_name);
  std::ranges::fill(block.first(head), std::byte{});
  put(block, field::kSignature, v1::kPerfSignature);
  put(block, field::kLittleEndian, 1);
  put(block, field::kVersion, kVersion);
  put(block, field::kRevision, kRevision);
  put(block, field::kTotalByteLength, static_cast<std::uint32_t>(block.size()));
  put(block, field::kHeaderLength, static_cast<std::uint32_t>(head));
  put(block, field::kNumObjectTypes, object_count);
  put(block, field::kDefaultObject, kProcessor);
  const auto time = system_time(moment.time_100ns);
  std::ranges::copy(std::as_bytes(std::span(time)), block.subspan(field::kSystemTime).begin());
  put(block, field::kPerfTime, moment.perf_time);
  put(block, field::kPerfFreq, moment.perf_frequency);
  put(block, field::kPerfTime100nSec, moment.time_100ns);
  put(block, field::kSystemNameLength, static_cast<std::uint32_t>(name_bytes(computer_name)));
  put(block, field::kSystemNameOffset, v1::block::kBytes);
  std::ranges::copy(std::as_bytes(std::span(computer_name)),
                    block.subspan(v1::block::kBytes).begin());
}

}  // namespace winperf
