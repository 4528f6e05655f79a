#include "collectors/wire/v2/instance_header.h"

#include "collectors/wire/text.h"
#include "collectors/wire/v2/blocks.h"

namespace winperf::v2 {
namespace {

bool has_end(const ByteView& header) {
  for (std::size_t at = instance_header::kBytes; header.holds<char16_t>(at); at += sizeof(char16_t))
    if (header.get<char16_t>(at) == u'\0') return true;
  return false;
}

}  // namespace

std::expected<InstanceHeader, Error> InstanceHeader::parse(const ByteView& rest,
                                                           const ParseLimits& limits) {
  const auto header = rest.first(instance_header::kBytes, "v2.instance");
  if (!header) return std::unexpected(header.error());
  const auto size = header->get(instance_header::kSize);
  if (size < instance_header::kBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, size, instance_header::kBytes));
  if (size - instance_header::kBytes > limits.name_bytes)
    return std::unexpected(
        rest.error(ErrorCode::kLimitExceeded, size - instance_header::kBytes, limits.name_bytes));
  const auto bytes = rest.first(size, "v2.instance");
  if (!bytes) return std::unexpected(bytes.error());
  return InstanceHeader{*bytes, bytes->get(instance_header::kInstanceId)};
}

std::string InstanceHeader::name() const {
  return decode_utf16le(bytes.bytes().subspan(instance_header::kBytes)).text;
}

std::optional<Error> InstanceHeader::name_problem() const {
  if (has_end(bytes)) return std::nullopt;
  return bytes.error(ErrorCode::kBadText, bytes.size(), bytes.size());
}

InstanceList parse_instances(std::span<const std::byte> bytes, const ParseLimits& limits) {
  InstanceList list;
  ByteView rest(bytes, "v2.instance");
  while (rest.size() != 0) {
    const auto header = InstanceHeader::parse(rest, limits);
    if (!header) {
      list.problems.push_back(header.error());
      break;
    }
    if (list.all.size() == limits.instances_per_object) {
      list.problems.push_back(
          rest.error(ErrorCode::kLimitExceeded, list.all.size() + 1, limits.instances_per_object));
      break;
    }
    list.all.push_back({header->id, header->name()});
    if (const auto problem = header->name_problem()) list.problems.push_back(*problem);
    rest = *rest.from(header->byte_length(), "v2.instance");
  }
  return list;
}

}  // namespace winperf::v2
