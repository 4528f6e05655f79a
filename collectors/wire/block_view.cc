#include "collectors/wire/block_view.h"

#include "collectors/wire/text.h"

namespace winperf {
namespace {
constexpr std::uint32_t kHeaderBytes = 88;
constexpr std::uint32_t kSmallestObject = 64;
// "PERF" in UTF-16LE.
constexpr std::uint64_t kSignature = 0x0046'0052'0045'0050;
constexpr std::uint32_t kVersion = 1;
}  // namespace

std::expected<BlockView, Error> BlockView::parse(std::span<const std::byte> bytes,
                                                 const ParseLimits& limits) {
  const ByteView all(bytes, "block");
  const auto header = all.slice(0, kHeaderBytes, "block");
  if (!header) return std::unexpected(header.error());
  if (header->get<std::uint64_t>(0) != kSignature)
    return std::unexpected(
        header->error(ErrorCode::kBadSignature, header->get<std::uint64_t>(0), kSignature));
  if (header->get<std::uint32_t>(8) == 0)
    return std::unexpected(header->error(ErrorCode::kBadVersion, 0, 1));
  if (header->get<std::uint32_t>(12) != kVersion)
    return std::unexpected(
        header->error(ErrorCode::kBadVersion, header->get<std::uint32_t>(12), kVersion));

  const auto total = header->get<std::uint32_t>(20);
  const auto header_length = header->get<std::uint32_t>(24);
  if (total > limits.block_bytes)
    return std::unexpected(header->error(ErrorCode::kLimitExceeded, total, limits.block_bytes));
  if (header_length < kHeaderBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, header_length, kHeaderBytes));
  if (total < header_length)
    return std::unexpected(header->error(ErrorCode::kBadLength, total, header_length));
  const auto view = all.slice(0, total, "block");
  if (!view) return std::unexpected(view.error());
  return BlockView(*view, limits);
}

Clocks BlockView::clocks() const {
  Clocks clocks;
  clocks.perf_time.ticks = view_.get<std::int64_t>(56);
  clocks.perf_frequency.ticks_per_second = view_.get<std::int64_t>(64);
  clocks.time_100ns.ticks = view_.get<std::int64_t>(72);
  return clocks;
}

std::string BlockView::computer_name() const {
  const auto length = view_.get<std::uint32_t>(80);
  const auto offset = view_.get<std::uint32_t>(84);
  const auto header = view_.slice(0, header_length(), "block");
  const auto name = header ? header->slice(offset, length, "block.computer_name") : header;
  return name ? decode_utf16le(name->bytes()).text : std::string();
}

ObjectWalk BlockView::objects() const {
  const ByteView rest(view_.bytes().subspan(header_length()), "object", header_length());
  return {rest, object_count(), limits_};
}

std::optional<std::expected<ObjectView, Error>> ObjectWalk::next() {
  if (over_) return std::nullopt;
  const auto problem = check_counts();
  if (problem) {
    over_ = true;
    return std::unexpected(*problem);
  }
  if (left_ == 0) return std::nullopt;
  --left_;
  ++walked_;
  auto object = ObjectView::parse(rest_, limits_);
  const auto length = rest_.read<std::uint32_t>(0);
  const bool can_go_on = length && *length >= kSmallestObject && *length <= rest_.size();
  if (can_go_on) {
    rest_ = *rest_.from(*length, "object");
  } else {
    over_ = true;
  }
  return object;
}

std::optional<Error> ObjectWalk::check_counts() const {
  const std::uint64_t counted = std::uint64_t{walked_} + left_;
  if (left_ == 0) {
    // Padding is no object; one that the header does not count may be stale memory.
    const bool uncounted = ObjectView::parse(rest_, limits_).has_value();
    return uncounted ? std::optional(rest_.error(ErrorCode::kBadCount, walked_ + 1ull, counted))
                     : std::nullopt;
  }
  if (walked_ == limits_.objects)
    return rest_.error(ErrorCode::kLimitExceeded, counted, limits_.objects);
  if (rest_.size() == 0) return rest_.error(ErrorCode::kBadCount, counted, walked_);
  return std::nullopt;
}

}  // namespace winperf
