#include "collectors/provider/provider_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "collectors/base/ascii.h"
#include "collectors/base/clock.h"
#include "collectors/base/os_code.h"
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

std::expected<void, Error> ProviderSource::find_provider() {
  if (provider_) return {};
  for (ProviderRegistration& registration : machine_->registrations()) {
    if (ascii_lower(registration.service) != ascii_lower(service_)) continue;
    provider_.emplace(*machine_, std::move(registration));
    return {};
  }
  return std::unexpected(Error{.code = ErrorCode::kNotRegistered, .where = "provider"});
}

std::expected<std::size_t, Error> ProviderSource::fill(std::string_view value_name,
                                                       std::span<std::byte> buffer) {
  const std::u16string name = machine_->computer_name();
  const std::size_t head = block_head_bytes(name);
  if (buffer.size() < head)
    return std::unexpected(Error{.code = ErrorCode::kBufferLimit, .where = "provider.collect"});
  const BlockMoment moment = machine_->now();
  const auto objects = provider_->collect(value_name, buffer.size() - head);
  if (!objects) return std::unexpected(objects.error());
  std::ranges::copy(objects->bytes, buffer.subspan(head).begin());
  const std::size_t size = head + objects->bytes.size();
  write_block_head(buffer.first(size), moment, name, objects->count);
  return size;
}

// The policy knows the system's codes; what else was wrong is kept beside it.
std::expected<std::size_t, Error> ProviderSource::ask(std::string_view value_name,
                                                      const Query& query) {
  if (const auto found = find_provider(); !found) return std::unexpected(found.error());
  std::optional<Error> wrong;
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) {
    const auto filled = fill(value_name, buffer);
    if (filled) size = *filled;
    if (filled) return value_of(OsCode::kSuccess);
    if (filled.error().code == ErrorCode::kBufferLimit) return value_of(OsCode::kMoreData);
    wrong = filled.error();
    return value_of(OsCode::kInvalidData);
  };
  calls.close = [this] { provider_->close(); };
  auto result = query(calls);
  if (!result && wrong) return std::unexpected(*wrong);
  return result;
}

std::vector<std::expected<Bytes, Error>> ProviderSource::text_tables(TextTable, Language) {
  return {std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "provider.text_tables"})};
}

}  // namespace winperf
