#include "collectors/facts/process_list.h"

#include <cstring>

#include "collectors/wire/byte_view.h"

namespace winperf {
namespace {

constexpr Field<std::uint32_t> kNextEntry{0};  // from this one; 0: it's the last
constexpr Field<std::uint64_t> kCreateTime{32};
constexpr Field<std::uint16_t> kNameBytes{56};
constexpr Field<std::uint64_t> kNameAddress{64};
constexpr Field<std::uint64_t> kProcessId{80};
constexpr Field<std::uint64_t> kParentId{88};
constexpr Field<std::uint32_t> kSessionId{100};
constexpr std::size_t kEntryBytes = 104;  // what is read of it

// The entry has kEntryBytes.
std::u16string name_of(const ByteView& entry, const ByteView& list, std::uint64_t address) {
  const std::uint64_t begin = entry.get(kNameAddress);
  if (begin < address) return {};
  const auto name = list.slice(begin - address, entry.get(kNameBytes), list.where());
  if (!name) return {};
  std::u16string text(name->size() / sizeof(char16_t), u'\0');
  std::memcpy(text.data(), name->bytes().data(), text.size() * sizeof(char16_t));
  return text;
}

}  // namespace

std::expected<std::vector<ProcessEntry>, Error> parse_process_list(std::span<const std::byte> bytes,
                                                                   std::uint64_t address) {
  const ByteView list(bytes, "process_list");
  std::vector<ProcessEntry> processes;
  for (ByteView entry = list;;) {
    if (entry.size() < kEntryBytes)
      return std::unexpected(entry.error(ErrorCode::kTruncated, entry.size(), kEntryBytes));
    processes.push_back({.file_name = name_of(entry, list, address),
                         .created = entry.get(kCreateTime),
                         .process_id = entry.get(kProcessId),
                         .parent_id = entry.get(kParentId),
                         .session_id = entry.get(kSessionId)});
    const auto next = entry.get(kNextEntry);
    if (next == 0) return processes;
    if (next < kEntryBytes)
      return std::unexpected(entry.error(ErrorCode::kBadLength, next, kEntryBytes));
    const auto rest = entry.from(next, entry.where());
    if (!rest) return std::unexpected(entry.error(ErrorCode::kBadOffset, next, entry.size()));
    entry = *rest;
  }
}

}  // namespace winperf
