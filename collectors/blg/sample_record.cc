#include "collectors/blg/sample_record.h"

#include <algorithm>

#include "collectors/blg/format.h"
#include "collectors/blg/log_names.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/text.h"

namespace winperf::blg {
namespace {

constexpr std::uint32_t kSignature = 0x0003'4C42;  // "BL" 3, and 0 or the kind
constexpr std::uint32_t kSignatureMask = 0x00FF'FFFF;
// A record may be padded to a multiple of 8.
constexpr std::uint64_t kMaxPadding = 7;

// The names of one item. They may not share bytes, so that together they are no
// longer than the item.
class NameReader {
 public:
  // It is not documented whether offsets count from the names or from the body. Each item shows it,
  // because its lowest offset is that of the first name.
  [[nodiscard]] static std::expected<NameReader, Error> of(const ByteView& body,
                                                           const ByteView& entries) {
    const std::uint64_t start = instances_item::kBytes + entries.size();
    const auto names = body.from(start, "log.instances.name");
    if (!names) return std::unexpected(names.error());
    std::uint32_t lowest = entries.get(listed_instance::kName);
    for (std::size_t at = 0; at < entries.size(); at += listed_instance::kBytes)
      lowest = std::min(lowest, entries.get<std::uint32_t>(at + listed_instance::kName));
    if (lowest != 0 && lowest != start)
      return std::unexpected(names->error(ErrorCode::kBadOffset, lowest, start));
    return NameReader(*names, lowest);
  }

  [[nodiscard]] std::expected<std::string, Error> at(std::uint32_t offset) {
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
  std::uint32_t base_;  // the offset of the first name
  std::uint64_t read_ = 0;
};

}  // namespace

bool is_sample(std::span<const std::byte> record) { return ItemWalk::over(record).has_value(); }

std::expected<ItemWalk, Error> ItemWalk::over(std::span<const std::byte> record) {
  const ByteView all(record, "log.sample");
  const auto header = all.first(item_header::kBytes, "log.sample");
  if (!header) return std::unexpected(header.error());
  const auto signature = header->get(item_header::kSignature);
  if (signature != kSignature)
    return std::unexpected(header->error(ErrorCode::kBadSignature, signature, kSignature));
  const auto length = header->get(item_header::kLength);
  if (length < item_header::kBytes || length > all.size() || all.size() - length > kMaxPadding)
    return std::unexpected(header->error(ErrorCode::kBadLength, length, all.size()));
  return ItemWalk(*all.slice(item_header::kBytes, length - item_header::kBytes, "log.item"));
}

std::optional<std::expected<Item, Error>> ItemWalk::next() {
  if (rest_.size() == 0) return std::nullopt;
  const ByteView item = rest_;
  rest_ = {};
  const auto header = item.first(item_header::kBytes, "log.item");
  if (!header) return std::unexpected(header.error());
  const auto signature = header->get(item_header::kSignature);
  if ((signature & kSignatureMask) != kSignature)
    return std::unexpected(header->error(ErrorCode::kBadSignature, signature, kSignature));
  const auto length = header->get(item_header::kLength);
  if (length < item_header::kBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, length, item_header::kBytes));
  const auto body = item.slice(item_header::kBytes, length - item_header::kBytes, "log.item");
  if (!body) return std::unexpected(body.error());
  rest_ = *item.from(length, "log.item");
  return Item{header->get(item_header::kKind), *body};
}

std::expected<CounterItem, Error> read_counter_item(const ByteView& body) {
  const auto item = body.first(counter_item::kBytes, "log.counter");
  if (!item) return std::unexpected(item.error());
  return CounterItem{.value = {.status = item->get(counter_item::kStatus),
                               .first = item->get(counter_item::kFirst),
                               .second = item->get(counter_item::kSecond)},
                     .time = item->get(counter_item::kTime),
                     .multi_count = item->get(counter_item::kMultiCount)};
}

std::expected<InstancesItem, Error> read_instances_item(const ByteView& body) {
  const auto header = body.first(instances_item::kBytes, "log.instances");
  if (!header) return std::unexpected(header.error());
  InstancesItem item{.status = header->get(instances_item::kStatus),
                     .time = header->get(instances_item::kTime),
                     .instances = {}};
  const auto count = header->get(instances_item::kCount);
  if (count == 0) return item;
  const auto entries = body.slice(instances_item::kBytes,
                                  std::uint64_t{count} * listed_instance::kBytes, "log.instances");
  if (!entries) return std::unexpected(entries.error());
  auto names = NameReader::of(body, *entries);
  if (!names) return std::unexpected(names.error());
  for (std::size_t at = 0; at < entries->size(); at += listed_instance::kBytes) {
    const ByteView entry = *entries->slice(at, listed_instance::kBytes, "log.instances");
    auto name = names->at(entry.get(listed_instance::kName));
    if (!name) return std::unexpected(name.error());
    item.instances.push_back({.name = *std::move(name),
                              .value = {.status = entry.get(listed_instance::kStatus),
                                        .first = entry.get(listed_instance::kFirst),
                                        .second = entry.get(listed_instance::kSecond)}});
  }
  return item;
}

std::span<const std::byte> block_of(const ByteView& body) {
  const auto block = BlockView::parse(body.bytes());
  return block ? body.bytes().first(block->byte_length()) : body.bytes();
}

}  // namespace winperf::blg
