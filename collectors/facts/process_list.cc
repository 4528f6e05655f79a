#include "collectors/facts/process_list.h"

#include <cstring>

namespace winperf {
namespace {

constexpr const char* kWhere = "process_list";

template <class Number>
struct Field {
  std::size_t offset = 0;
};
constexpr Field<std::uint32_t> kNextEntry{0};  // from this one; 0: it's the last
constexpr Field<std::uint64_t> kCreateTime{32};
constexpr Field<std::uint16_t> kNameBytes{56};
constexpr Field<std::uint64_t> kNameAddress{64};
constexpr Field<std::uint64_t> kProcessId{80};
constexpr Field<std::uint64_t> kParentId{88};
constexpr Field<std::uint32_t> kSessionId{100};
constexpr std::size_t kEntryBytes = 104;  // what is read of it

// The entry is as long as kEntryBytes.
template <class Number>
Number get(std::span<const std::byte> entry, Field<Number> field) {
  Number number = 0;
  std::memcpy(&number, entry.data() + field.offset, sizeof number);
  return number;
}

std::u16string name_of(std::span<const std::byte> entry, std::span<const std::byte> bytes,
                       std::uint64_t address) {
  const std::size_t length = get(entry, kNameBytes);
  const std::uint64_t begin = get(entry, kNameAddress);
  if (begin < address || begin - address > bytes.size()) return {};
  const auto name = bytes.subspan(static_cast<std::size_t>(begin - address));
  if (length > name.size()) return {};
  std::u16string text(length / sizeof(char16_t), u'\0');
  std::memcpy(text.data(), name.data(), text.size() * sizeof(char16_t));
  return text;
}

Error error(ErrorCode code, std::size_t offset, std::uint64_t actual, std::uint64_t limit) {
  return {.code = code, .where = kWhere, .offset = offset, .actual = actual, .limit = limit};
}

}  // namespace

std::expected<std::vector<ProcessEntry>, Error> parse_process_list(std::span<const std::byte> bytes,
                                                                   std::uint64_t address) {
  std::vector<ProcessEntry> processes;
  for (std::size_t at = 0;;) {
    const auto entry = bytes.subspan(at);
    if (entry.size() < kEntryBytes)
      return std::unexpected(error(ErrorCode::kTruncated, at, entry.size(), kEntryBytes));
    processes.push_back({.file_name = name_of(entry, bytes, address),
                         .created = get(entry, kCreateTime),
                         .process_id = get(entry, kProcessId),
                         .parent_id = get(entry, kParentId),
                         .session_id = get(entry, kSessionId)});
    const std::size_t next = get(entry, kNextEntry);
    if (next == 0) return processes;
    if (next < kEntryBytes)
      return std::unexpected(error(ErrorCode::kBadLength, at, next, kEntryBytes));
    if (next > entry.size())
      return std::unexpected(error(ErrorCode::kBadOffset, at, next, entry.size()));
    at += next;
  }
}

}  // namespace winperf
