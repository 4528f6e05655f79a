#include "collectors/blg/log_records.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/blg/format.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/registration.h"

namespace winperf::blg {
namespace {

// A decimal number as perfmon writes it.
std::optional<std::uint32_t> number_of(std::string_view digits) {
  const auto number = whole_decimal<std::uint32_t>(digits);
  return number && digits.front() != '0' ? number : std::nullopt;
}

}  // namespace

InstanceName parse_instance_name(std::string_view text, std::string_view parent) {
  InstanceName instance{.parent = std::string(parent), .name = {}};
  const std::size_t slash = parent.empty() ? text.find('/') : std::string_view::npos;
  if (slash != std::string_view::npos && slash != 0 && slash + 1 != text.size()) {
    instance.parent = text.substr(0, slash);
    text.remove_prefix(slash + 1);
  }
  const std::size_t hash = text.rfind('#');
  if (hash != std::string_view::npos && hash != 0) {
    if (const auto number = number_of(text.substr(hash + 1))) {
      instance.number = *number;
      text.remove_suffix(text.size() - hash);
    }
  }
  instance.name = text;
  return instance;
}

std::string numbered_name(const InstanceName& instance) {
  return instance.number == 0 ? instance.name
                              : instance.name + '#' + std::to_string(instance.number);
}

std::string key_of(const InstanceName& instance) {
  // NUL can't be part of a name.
  return ascii_lower(instance.parent) + '\0' + ascii_lower(numbered_name(instance));
}

std::string machine_name(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\\'), text.size()));
  return std::string(text);
}

std::expected<ByteView, Error> until_nul(const ByteView& text) {
  if (const auto end = find_nul(text)) return text.first(*end, text.where());
  return std::unexpected(text.error(ErrorCode::kBadText, 0, text.size()));
}

std::expected<NameRecord, Error> read_name_record(std::span<const std::byte> record) {
  const ByteView all(record, "log.name_table");
  const auto machine = until_nul(all);
  if (!machine) return std::unexpected(machine.error());
  const std::string name = decode_utf16le(machine->bytes()).text;
  NameRecord names{.machine = machine_name(name),
                   .pairs = record.subspan(machine->size() + sizeof(char16_t))};
  if (!name.starts_with("\\\\"))
    return std::unexpected(all.error(ErrorCode::kBadText, machine->size(), record.size()));
  if (names.pairs.size() % sizeof(char16_t) != 0)
    return std::unexpected(all.error(ErrorCode::kBadLength, record.size(), sizeof(char16_t)));
  if (!names.pairs.empty() && all.get<std::uint16_t>(record.size() - sizeof(char16_t)) != 0)
    return std::unexpected(all.error(ErrorCode::kBadText, record.size(), record.size()));
  return names;
}

namespace {

[[nodiscard]] std::expected<std::uint64_t, Error> count_values(const ByteView& result) {
  const auto view = v2::ResultView::parse(result, {});
  if (!view) return std::unexpected(view.error());
  std::uint64_t values = 0;
  v2::RowWalk rows = view->rows();
  v2::RowWalk::Row row;
  while (true) {
    const auto more = rows.next(row);
    if (!more) return std::unexpected(more.error());
    if (!*more) return values;
    for (const v2::CounterValue& value : row.values) values += value.number() ? 1U : 0U;
  }
}

[[nodiscard]] std::expected<V2Reply, Error> read_reply(std::span<const std::byte> bytes) {
  const auto data = v2::DataView::parse(bytes);
  if (!data) return std::unexpected(data.error());
  if (data->result_count() != 1)
    return std::unexpected(Error{.code = ErrorCode::kBadCount,
                                 .where = "log.v2_reply",
                                 .actual = data->result_count(),
                                 .limit = 1});
  const auto result = *data->result_bytes().next();
  if (!result) return std::unexpected(result.error());
  const auto values = count_values(*result);
  if (!values) return std::unexpected(values.error());
  return V2Reply{
      .header = bytes.first(v2::data_header::kBytes), .result = result->bytes(), .values = *values};
}

}  // namespace

std::expected<RegistrationRecord, Error> read_registration(std::span<const std::byte> record) {
  namespace field = registration_record;
  const ByteView all(record, "log.registration");
  const auto header = all.first(field::kBytes, "log.registration");
  if (!header) return std::unexpected(header.error());
  const auto length = header->get(field::kLength);
  if (length < field::kBytes || length > all.size())
    return std::unexpected(header->error(ErrorCode::kBadLength, length, all.size()));
  const ByteView whole = *all.first(length, "log.registration");
  std::uint64_t at = field::kBytes;
  const auto take = [&](Field<std::uint32_t> size) {
    const auto part = whole.slice(at, header->get(size), "log.registration");
    at += header->get(size);
    return part;
  };
  const auto registration = take(field::kRegistrationBytes);
  const auto counter_names = take(field::kCounterNamesBytes);
  const auto name_bytes = take(field::kNameBytes);
  for (const auto& part : {registration, counter_names, name_bytes})
    if (!part) return std::unexpected(part.error());
  const auto guid = v2::parse_guid_bytes(registration->bytes());
  if (!guid) return std::unexpected(guid.error());
  auto name = v2::parse_string(name_bytes->bytes());
  if (!name) return std::unexpected(name_bytes->error(ErrorCode::kBadText, 0, name_bytes->size()));
  const auto owned = [](const ByteView& part) {
    return std::vector(part.bytes().begin(), part.bytes().end());
  };
  return RegistrationRecord{.guid = *guid,
                            .name = *std::move(name),
                            .registration = owned(*registration),
                            .counter_names = owned(*counter_names),
                            .name_bytes = owned(*name_bytes)};
}

std::expected<V2Reply, Error> read_v2_reply(const ByteView& body) {
  auto reply = read_reply(body.bytes());
  if (!reply) reply.error().offset += body.offset();
  return reply;
}

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

  [[nodiscard]] std::expected<ByteView, Error> at(std::uint32_t offset) {
    const auto rest = names_.from(offset - base_, "log.instances.name");
    if (!rest) return std::unexpected(rest.error());
    const auto name = until_nul(*rest);
    if (!name) return std::unexpected(name.error());
    read_ += name->size() + sizeof(char16_t);
    if (read_ > names_.size())
      return std::unexpected(name->error(ErrorCode::kBadCount, read_, names_.size()));
    return *name;
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

std::string InstancesItem::Instance::name() const {
  return decode_utf16le(name_bytes.bytes()).text;
}

RawValue value_in(const ByteView& listed) {
  return {.status = listed.get(listed_instance::kStatus),
          .first = listed.get(listed_instance::kFirst),
          .second = listed.get(listed_instance::kSecond)};
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
  item.instances.reserve(count);
  for (std::size_t at = 0; at < entries->size(); at += listed_instance::kBytes) {
    const ByteView entry = *entries->slice(at, listed_instance::kBytes, "log.instances");
    const auto name = names->at(entry.get(listed_instance::kName));
    if (!name) return std::unexpected(name.error());
    item.instances.push_back({.name_bytes = *name, .value = value_in(entry)});
  }
  return item;
}

std::span<const std::byte> block_of(const ByteView& body) {
  const auto block = BlockView::parse(body.bytes());
  return block ? body.bytes().first(block->byte_length()) : body.bytes();
}

}  // namespace winperf::blg
