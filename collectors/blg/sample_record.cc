#include "collectors/blg/sample_record.h"

#include <algorithm>

#include "collectors/blg/terminated.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/text.h"

namespace winperf::blg {
namespace {

constexpr std::uint32_t kSignature = 0x0003'4C42;  // "BL" 3, and 0 or the kind
constexpr std::uint32_t kSignatureMask = 0x00FF'FFFF;
constexpr std::uint32_t kHeaderBytes = 8;
constexpr std::size_t kLengthAt = 4;
// A record may be padded to a multiple of 8.
constexpr std::uint64_t kLongestPadding = 7;

constexpr std::uint32_t kCounterItemBytes = 36;
constexpr std::uint32_t kInstancesHeaderBytes = 24;
constexpr std::uint32_t kInstanceBytes = 24;

// The names of one item. No more is read than there is, in sum: names may not share their bytes.
class NameReader {
 public:
  // Whether offsets count from the names or from the body is not known; an item tells it, since
  // its lowest name is the first one.
  static std::expected<NameReader, Error> of(const ByteView& body, const ByteView& entries) {
    const std::uint64_t start = kInstancesHeaderBytes + entries.size();
    const auto names = body.from(start, "log.instances.name");
    if (!names) return std::unexpected(names.error());
    std::uint32_t lowest = entries.get<std::uint32_t>(0);
    for (std::size_t at = 0; at < entries.size(); at += kInstanceBytes)
      lowest = std::min(lowest, entries.get<std::uint32_t>(at));
    if (lowest != 0 && lowest != start)
      return std::unexpected(names->error(ErrorCode::kBadOffset, lowest, start));
    return NameReader(*names, lowest);
  }

  std::expected<std::string, Error> at(std::uint32_t offset) {
    const auto rest = names_.from(offset - base_, "log.instances.name");
    if (!rest) return std::unexpected(rest.error());
    const auto name = until_nul(*rest);
    if (!name) return std::unexpected(name.error());
    read_ += name->size() + sizeof(char16_t);
    if (read_ > names_.size())
      return std::unexpected(name->error(ErrorCode::kBadCount, read_, names_.size()));
    return decode_utf16le(name->bytes()).text;
  }

 private:
  NameReader(const ByteView& names, std::uint32_t base) : names_(names), base_(base) {}

  ByteView names_;
  std::uint32_t base_;  // the offset of their first byte
  std::uint64_t read_ = 0;
};

}  // namespace

std::expected<ItemWalk, Error> ItemWalk::over(std::span<const std::byte> record) {
  const ByteView all(record, "log.sample");
  const auto header = all.slice(0, kHeaderBytes, "log.sample");
  if (!header) return std::unexpected(header.error());
  const auto signature = header->get<std::uint32_t>(0);
  if (signature != kSignature)
    return std::unexpected(header->error(ErrorCode::kBadSignature, signature, kSignature));
  const auto length = header->get<std::uint32_t>(kLengthAt);
  if (length < kHeaderBytes || length > all.size() || all.size() - length > kLongestPadding)
    return std::unexpected(header->error(ErrorCode::kBadLength, length, all.size()));
  return ItemWalk(*all.slice(kHeaderBytes, length - kHeaderBytes, "log.item"));
}

std::optional<std::expected<Item, Error>> ItemWalk::next() {
  if (rest_.size() == 0) return std::nullopt;
  const ByteView item = rest_;
  rest_ = {};
  const auto header = item.slice(0, kHeaderBytes, "log.item");
  if (!header) return std::unexpected(header.error());
  const auto signature = header->get<std::uint32_t>(0);
  if ((signature & kSignatureMask) != kSignature)
    return std::unexpected(header->error(ErrorCode::kBadSignature, signature, kSignature));
  const auto length = header->get<std::uint32_t>(kLengthAt);
  if (length < kHeaderBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, length, kHeaderBytes));
  const auto body = item.slice(kHeaderBytes, length - kHeaderBytes, "log.item");
  if (!body) return std::unexpected(body.error());
  rest_ = *item.from(length, "log.item");
  return Item{header->get<std::uint8_t>(3), *body};
}

std::expected<CounterItem, Error> read_counter_item(const ByteView& body) {
  const auto item = body.slice(0, kCounterItemBytes, "log.counter");
  if (!item) return std::unexpected(item.error());
  return CounterItem{.value = {.status = item->get<std::uint32_t>(0),
                               .first = item->get<std::uint64_t>(16),
                               .second = item->get<std::uint64_t>(24)},
                     .time = item->get<std::uint64_t>(4),
                     .multi_count = item->get<std::uint32_t>(32)};
}

std::expected<InstancesItem, Error> read_instances_item(const ByteView& body) {
  const auto header = body.slice(0, kInstancesHeaderBytes, "log.instances");
  if (!header) return std::unexpected(header.error());
  InstancesItem item{.status = header->get<std::uint32_t>(8),
                     .time = header->get<std::uint64_t>(16),
                     .instances = {}};
  const auto count = header->get<std::uint32_t>(4);
  if (count == 0) return item;
  const auto entries =
      body.slice(kInstancesHeaderBytes, std::uint64_t{count} * kInstanceBytes, "log.instances");
  if (!entries) return std::unexpected(entries.error());
  auto names = NameReader::of(body, *entries);
  if (!names) return std::unexpected(names.error());
  for (std::size_t at = 0; at < entries->size(); at += kInstanceBytes) {
    auto name = names->at(entries->get<std::uint32_t>(at));
    if (!name) return std::unexpected(name.error());
    item.instances.push_back({.name = *std::move(name),
                              .value = {.status = entries->get<std::uint32_t>(at + 4),
                                        .first = entries->get<std::uint64_t>(at + 8),
                                        .second = entries->get<std::uint64_t>(at + 16)}});
  }
  return item;
}

std::span<const std::byte> block_of(const ByteView& body) {
  const auto block = BlockView::parse(body.bytes());
  return block ? body.bytes().first(block->byte_length()) : body.bytes();
}

}  // namespace winperf::blg
