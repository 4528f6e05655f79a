#include "collectors/provider/hosted_provider.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v1_format.h"

namespace winperf {
namespace {

constexpr std::string_view kOld = "OLD_";
constexpr std::string_view kMetadata = "Metadata";
constexpr std::size_t kUnit = 4;  // of a reply's length

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

// What Collect reports, against what it may.
std::expected<HostedProvider::Objects, Error> checked(std::span<const std::byte> room,
                                                      const void* data, std::uint32_t bytes,
                                                      std::uint32_t objects) {
  if (bytes == 0 && objects == 0) return HostedProvider::Objects{};
  const auto moved =
      reinterpret_cast<std::uintptr_t>(data) - reinterpret_cast<std::uintptr_t>(room.data());
  if (bytes > room.size())
    return wrong(ErrorCode::kBadLength, "provider.collect.bytes", bytes, room.size());
  if (moved != bytes) return wrong(ErrorCode::kBadLength, "provider.collect.data", moved, bytes);
  if (bytes % kUnit != 0)
    return wrong(ErrorCode::kBadLength, "provider.collect.bytes", bytes, bytes / kUnit * kUnit);
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

}  // namespace winperf
