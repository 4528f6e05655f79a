#include "collectors/wire/v2/identifier.h"

#include "collectors/base/ascii.h"
#include "collectors/wire/text.h"

namespace winperf::v2 {
namespace {

// Up to the NUL or, as the block's size is even, to its end.
std::u16string name_in(const ByteView& block) {
  const std::size_t end = find_nul(block, identifier::kBytes).value_or(block.size());
  const auto bytes = block.bytes().subspan(identifier::kBytes, end - identifier::kBytes);
  std::u16string name(bytes.size() / sizeof(char16_t), u'\0');
  std::memcpy(name.data(), bytes.data(), bytes.size());
  return name;
}

}  // namespace

bool alike(const CounterRequest& a, const CounterRequest& b) {
  return a.counterset == b.counterset && a.counter_id == b.counter_id &&
         a.instance_id == b.instance_id && equal_names(a.instance_name, b.instance_name);
}

std::vector<std::byte> build_identifiers(std::span<const CounterRequest> requests) {
  std::vector<std::byte> bytes;
  for (const CounterRequest& request : requests) {
    const std::u16string name = request.instance_name.substr(0, kMaxInstanceName);
    const std::size_t name_bytes = name.empty() ? 0 : (name.size() + 1) * sizeof(char16_t);
    const std::size_t size = aligned(identifier::kBytes + name_bytes);
    const std::size_t start = bytes.size();
    bytes.resize(start + size);
    const std::span block = std::span(bytes).subspan(start);
    std::memcpy(&block[identifier::kCounterSetGuid], request.counterset.bytes.data(), Guid::kBytes);
    put(block, identifier::kSize, static_cast<std::uint32_t>(size));
    put(block, identifier::kCounterId, request.counter_id);
    put(block, identifier::kInstanceId, request.instance_id);
    if (!name.empty())
      std::memcpy(&block[identifier::kBytes], name.data(), name.size() * sizeof(char16_t));
  }
  return bytes;
}

Identifiers parse_identifiers(std::span<const std::byte> bytes) {
  Identifiers result;
  ByteView rest(bytes, "v2.identifier");
  while (rest.size() != 0) {
    const auto header = rest.first(identifier::kBytes, "v2.identifier");
    if (!header) {
      result.problem = header.error();
      break;
    }
    const auto size = header->get(identifier::kSize);
    if (size < identifier::kBytes || size % kAlignment != 0) {
      result.problem = rest.error(ErrorCode::kBadLength, size, identifier::kBytes);
      break;
    }
    const auto block = rest.first(size, "v2.identifier");
    if (!block) {
      result.problem = block.error();
      break;
    }
    Identifier& read = result.all.emplace_back();
    read.request.counterset = guid_at(*block, identifier::kCounterSetGuid);
    read.status = block->get(identifier::kStatus);
    read.request.counter_id = block->get(identifier::kCounterId);
    read.request.instance_id = block->get(identifier::kInstanceId);
    read.index = block->get(identifier::kIndex);
    read.request.instance_name = name_in(*block);
    rest = *rest.from(size, "v2.identifier");
  }
  return result;
}

}  // namespace winperf::v2
