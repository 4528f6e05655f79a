#include "collectors/provider/provider_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/clock.h"
#include "collectors/base/os_code.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v1_format.h"

namespace winperf {
namespace {

constexpr std::string_view kOld = "OLD_";
constexpr std::string_view kMetadata = "Metadata";
constexpr std::size_t kReplyUnit = 4;  // of a reply's length

std::unexpected<Error> failed(const char* where, std::uint32_t os_code) {
  return std::unexpected(Error{.code = ErrorCode::kOsError, .where = where, .os_code = os_code});
}

std::unexpected<Error> wrong(ErrorCode code, const char* where, std::uint64_t actual,
                             std::uint64_t limit) {
  return std::unexpected(Error{.code = code, .where = where, .actual = actual, .limit = limit});
}

bool begins_with(std::string_view text, std::string_view word) {
  return ascii_lower(text.substr(0, word.size())) == ascii_lower(word);
}

// The strings as the registry has them: each with its NUL, and one more at the end. An empty list
// has two, the second of which is the text's own end.
std::u16string multi_sz(const std::vector<std::u16string>& strings) {
  std::u16string text;
  for (const std::u16string& string : strings) text += string + u'\0';
  return text + u'\0';
}

// The number of objects whose lengths lead exactly to the end; nothing if they lead elsewhere.
std::optional<std::uint32_t> count_objects(ByteView rest) {
  std::uint32_t count = 0;
  while (rest.size() != 0) {
    const auto length = rest.read(v1::object::kTotalByteLength);
    if (!length || *length < v1::object::kBytes) return std::nullopt;
    const auto next = rest.from(*length, "provider.collect");
    if (!next) return std::nullopt;
    rest = *next;
    ++count;
  }
  return count;
}

// Checks Collect's results against the limits.
std::expected<HostedProvider::Objects, Error> checked(std::span<const std::byte> room,
                                                      const void* data, std::uint32_t bytes,
                                                      std::uint32_t objects) {
  if (bytes == 0 && objects == 0) return HostedProvider::Objects{};
  const auto moved =
      reinterpret_cast<std::uintptr_t>(data) - reinterpret_cast<std::uintptr_t>(room.data());
  if (bytes > room.size())
    return wrong(ErrorCode::kBadLength, "provider.collect.bytes", bytes, room.size());
  if (moved != bytes) return wrong(ErrorCode::kBadLength, "provider.collect.data", moved, bytes);
  if (bytes % kReplyUnit != 0)
    return wrong(ErrorCode::kBadLength, "provider.collect.bytes", bytes,
                 bytes / kReplyUnit * kReplyUnit);
  const auto reply = room.first(bytes);
  const auto count = count_objects(ByteView(reply, "provider.collect"));
  if (!count) return wrong(ErrorCode::kBadLength, "provider.collect.objects", bytes, bytes);
  if (*count != objects)
    return wrong(ErrorCode::kBadCount, "provider.collect.objects", objects, *count);
  return HostedProvider::Objects{.bytes = reply, .count = objects};
}

}  // namespace

std::expected<void, Error> HostedProvider::load_and_open() {
  if (library_ == nullptr) {
    auto library = machine_.load(registration_);
    if (!library) return std::unexpected(library.error());
    library_ = *std::move(library);
  }
  const auto& devices = registration_.devices;
  const std::u16string names = devices ? multi_sz(*devices) : u"";
  const std::uint32_t os_code = library_->open(devices ? names.c_str() : nullptr);
  if (OsCode{os_code} != OsCode::kSuccess) return failed("provider.open", os_code);
  return {};
}

std::expected<void, Error> HostedProvider::open() {
  if (!opened_) opened_ = load_and_open();
  return *opened_;
}

void HostedProvider::close() {
  if (std::exchange(opened_, std::nullopt).value_or(std::unexpected(Error{}))) library_->close();
}

std::u16string HostedProvider::query_for(std::string_view value_name) const {
  if (begins_with(value_name, kOld)) value_name.remove_prefix(kOld.size());
  if (begins_with(value_name, kMetadata) && !registration_.supports_metadata)
    value_name.remove_prefix(kMetadata.size());
  return to_utf16(value_name);
}

std::expected<HostedProvider::Objects, Error> HostedProvider::collect(std::string_view value_name,
                                                                      std::size_t room) {
  if (const auto opened = open(); !opened) return std::unexpected(opened.error());
  const std::size_t bytes = room / GuardedRoom::kAlignment * GuardedRoom::kAlignment;
  if (room_.bytes().size() != bytes) {
    room_ = {};
    room_ = GuardedRoom(bytes);
  } else {
    std::ranges::fill(room_.bytes(), std::byte{});
  }
  const std::u16string query = query_for(value_name);
  void* data = room_.bytes().data();
  auto written = static_cast<std::uint32_t>(bytes);
  std::uint32_t objects = 0;
  const std::uint32_t os_code = library_->collect(query.c_str(), data, written, objects);
  if (OsCode{os_code} == OsCode::kMoreData)
    return wrong(ErrorCode::kBufferLimit, "provider.collect", bytes, bytes);
  if (OsCode{os_code} != OsCode::kSuccess) return failed("provider.collect", os_code);
  return checked(room_.bytes(), data, written, objects);
}

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kRevision = 1;
constexpr std::int32_t kProcessor = 238;  // the default object of perfmon
constexpr std::size_t kHeadUnit = 8;

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
  return (v1::block::kBytes + name_bytes(computer_name) + kHeadUnit - 1) / kHeadUnit * kHeadUnit;
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

// The policy handles the system's codes; other errors are stored separately.
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
