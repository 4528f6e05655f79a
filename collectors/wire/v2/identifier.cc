#include "collectors/wire/v2/identifier.h"

#include <cstring>

#include "collectors/wire/byte_view.h"

namespace winperf::v2 {
namespace {

template <class Integer>
void put(std::vector<std::byte>& bytes, std::size_t offset, Integer value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

std::u16string name_in(const ByteView& block) {
  std::u16string name;
  for (std::size_t at = kIdentifierBytes; block.holds<char16_t>(at); at += sizeof(char16_t)) {
    const auto unit = block.get<char16_t>(at);
    if (unit == u'\0') break;
    name += unit;
  }
  return name;
}

}  // namespace

std::vector<std::byte> build_identifiers(std::span<const CounterRequest> requests) {
  std::vector<std::byte> bytes;
  for (const CounterRequest& request : requests) {
    const std::u16string name = request.instance_name.substr(0, kLongestInstanceName);
    const std::size_t name_bytes = name.empty() ? 0 : (name.size() + 1) * sizeof(char16_t);
    const std::size_t size = aligned(kIdentifierBytes + name_bytes);
    const std::size_t start = bytes.size();
    bytes.resize(start + size);
    put(bytes, start, request.counterset.bytes);
    put(bytes, start + 20, static_cast<std::uint32_t>(size));
    put(bytes, start + 24, request.counter_id);
    put(bytes, start + 28, request.instance_id);
    if (!name.empty())
      std::memcpy(bytes.data() + start + kIdentifierBytes, name.data(),
                  name.size() * sizeof(char16_t));
  }
  return bytes;
}

Identifiers parse_identifiers(std::span<const std::byte> bytes) {
  Identifiers result;
  ByteView rest(bytes, "v2.identifier");
  while (rest.size() != 0) {
    const auto header = rest.slice(0, kIdentifierBytes, "v2.identifier");
    if (!header) {
      result.problem = header.error();
      break;
    }
    const auto size = header->get<std::uint32_t>(20);
    if (size < kIdentifierBytes || size % kAlignment != 0) {
      result.problem = rest.error(ErrorCode::kBadLength, size, kIdentifierBytes);
      break;
    }
    const auto block = rest.slice(0, size, "v2.identifier");
    if (!block) {
      result.problem = block.error();
      break;
    }
    Identifier& identifier = result.all.emplace_back();
    identifier.request.counterset = guid_at(*block, 0);
    identifier.status = block->get<std::uint32_t>(16);
    identifier.request.counter_id = block->get<std::uint32_t>(24);
    identifier.request.instance_id = block->get<std::uint32_t>(28);
    identifier.index = block->get<std::uint32_t>(32);
    identifier.request.instance_name = name_in(*block);
    rest = *rest.from(size, "v2.identifier");
  }
  return result;
}

}  // namespace winperf::v2
