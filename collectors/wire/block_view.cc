#include "collectors/wire/block_view.h"

#include "collectors/wire/text.h"

namespace winperf {
namespace {
constexpr std::uint32_t kLittleEndian = 1;
constexpr std::uint32_t kVersion = 1;
}  // namespace

std::expected<BlockView, Error> BlockView::parse(std::span<const std::byte> bytes,
                                                 const ParseLimits& limits) {
  const ByteView all(bytes, "block");
  const auto header = all.first(v1::block::kBytes, "block");
  if (!header) return std::unexpected(header.error());
  const auto signature = header->get(v1::block::kSignature);
  if (signature != v1::kPerfSignature)
    return std::unexpected(header->error(ErrorCode::kBadSignature, signature, v1::kPerfSignature));
  if (header->get(v1::block::kLittleEndian) == 0)
    return std::unexpected(header->error(ErrorCode::kBadVersion, 0, kLittleEndian));
  const auto version = header->get(v1::block::kVersion);
  if (version != kVersion)
    return std::unexpected(header->error(ErrorCode::kBadVersion, version, kVersion));

  const auto total = header->get(v1::block::kTotalByteLength);
  const auto header_length = header->get(v1::block::kHeaderLength);
  if (total > limits.block_bytes)
    return std::unexpected(header->error(ErrorCode::kLimitExceeded, total, limits.block_bytes));
  if (header_length < v1::block::kBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, header_length, v1::block::kBytes));
  if (total < header_length)
    return std::unexpected(header->error(ErrorCode::kBadLength, total, header_length));
  const auto view = all.first(total, "block");
  if (!view) return std::unexpected(view.error());
  return BlockView(*view, limits);
}

Clocks BlockView::clocks() const {
  Clocks clocks;
  clocks.perf_time.ticks = view_.get(v1::block::kPerfTime);
  clocks.perf_frequency.ticks_per_second = view_.get(v1::block::kPerfFreq);
  clocks.time_100ns.ticks = view_.get(v1::block::kPerfTime100nSec);
  return clocks;
}

std::string BlockView::computer_name() const {
  const auto length = view_.get(v1::block::kSystemNameLength);
  const auto offset = view_.get(v1::block::kSystemNameOffset);
  const auto header = view_.first(header_length(), "block");
  const auto name = header ? header->slice(offset, length, "block.computer_name") : header;
  return name ? decode_utf16le(name->bytes()).text : std::string();
}

ObjectWalk BlockView::objects() const {
  const ByteView rest(view_.bytes().subspan(header_length()), "object", header_length());
  return {rest, object_count(), limits_};
}

std::optional<std::expected<ObjectView, Error>> ObjectWalk::next() {
  if (over_) return std::nullopt;
  if (const auto problem = count_.done() ? uncounted() : count_.problem(rest_)) {
    over_ = true;
    return std::unexpected(*problem);
  }
  if (count_.done()) return std::nullopt;
  count_.take();
  auto object = ObjectView::parse(rest_, limits_);
  const auto length = rest_.read(v1::object::kTotalByteLength);
  const bool can_go_on = length && *length >= v1::object::kBytes && *length <= rest_.size();
  if (can_go_on) {
    rest_ = *rest_.from(*length, "object");
  } else {
    over_ = true;
  }
  return object;
}

std::optional<Error> ObjectWalk::uncounted() const {
  // Padding is no object; an object that the header doesn't count may be stale memory.
  if (!ObjectView::parse(rest_, limits_)) return std::nullopt;
  return rest_.error(ErrorCode::kBadCount, count_.taken() + 1ULL, count_.counted());
}

}  // namespace winperf
