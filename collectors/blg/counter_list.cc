#include "collectors/blg/counter_list.h"

#include <expected>
#include <optional>
#include <utility>

#include "collectors/blg/log_names.h"
#include "collectors/blg/terminated.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/text.h"

namespace winperf::blg {
namespace {

constexpr std::uint64_t kFirstEntryAt = 8;
constexpr std::uint32_t kEntryBytes = 52;

constexpr std::size_t kFlagsAt = 4;
constexpr std::uint32_t kWildcardFlags = 0x11;  // of all instances, of a whole object
constexpr std::size_t kTypeAt = 12;
constexpr std::size_t kTimeBaseAt = 16;
constexpr std::size_t kScaleAt = 24;
constexpr std::size_t kMachineAt = 28;
constexpr std::size_t kObjectAt = 32;
constexpr std::size_t kInstanceAt = 36;
constexpr std::size_t kParentAt = 40;
constexpr std::size_t kInstanceIndexAt = 44;
constexpr std::size_t kCounterAt = 48;
constexpr std::uint32_t kNoString = 0xFFFF'FFFF;
constexpr std::uint32_t kNoIndex = 0xFFFF'FFFF;

// Each after the one before it; the first error stays.
class StringReader {
 public:
  explicit StringReader(const ByteView& entry) : entry_(entry) {}

  // The string that the offset at `field` leads to; empty where there is none.
  std::string at(std::size_t field) {
    const auto offset = entry_.get<std::uint32_t>(field);
    if (error_ || offset == kNoString) return {};
    const auto text = entry_.from(std::uint64_t{kEntryBytes} + offset, "log.counter_list.path");
    if (!text) {
      error_ = text.error();
      return {};
    }
    const auto string = until_nul(*text);
    if (string) return decode_utf16le(string->bytes()).text;
    error_ = string.error();
    return {};
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  ByteView entry_;
  std::optional<Error> error_;
};

std::expected<Counter, Error> counter_of(const ByteView& entry) {
  StringReader strings(entry);
  const auto index = entry.get<std::uint32_t>(kInstanceIndexAt);
  Counter counter{.machine = machine_name(strings.at(kMachineAt)),
                  .object = strings.at(kObjectAt),
                  .parent = strings.at(kParentAt),
                  .instance = strings.at(kInstanceAt),
                  .instance_index = index == kNoIndex ? 0 : index,
                  .name = strings.at(kCounterAt),
                  .wildcard = (entry.get<std::uint32_t>(kFlagsAt) & kWildcardFlags) != 0,
                  .type = entry.get<std::uint32_t>(kTypeAt),
                  .time_base = entry.get<std::uint64_t>(kTimeBaseAt),
                  .default_scale = entry.get<std::int32_t>(kScaleAt)};
  if (strings.error()) return std::unexpected(*strings.error());
  return counter;
}

}  // namespace

std::string path_of(const Counter& counter) {
  std::string path = counter.machine.empty() ? "" : "\\\\" + counter.machine;
  path += '\\' + counter.object;
  if (!counter.instance.empty()) {
    path += '(' + counter.parent + (counter.parent.empty() ? "" : "/") + counter.instance;
    if (counter.instance_index != 0) path += '#' + std::to_string(counter.instance_index);
    path += ')';
  }
  return path + '\\' + counter.name;
}

CounterList read_counter_list(std::span<const std::byte> record) {
  CounterList list;
  auto rest = ByteView(record, "log.counter_list").from(kFirstEntryAt, "log.counter_list");
  while (rest && rest->size() > 0) {
    const auto length = rest->read<std::uint32_t>(0);
    if (!length || *length < kEntryBytes) {
      list.problems.push_back(length ? rest->error(ErrorCode::kBadLength, *length, kEntryBytes)
                                     : length.error());
      return list;
    }
    const auto entry = rest->slice(0, *length, "log.counter_list");
    if (!entry) {
      list.problems.push_back(entry.error());
      return list;
    }
    auto counter = counter_of(*entry);
    if (!counter) list.problems.push_back(counter.error());
    list.counters.push_back(counter ? std::optional(*std::move(counter)) : std::nullopt);
    rest = rest->from(*length, "log.counter_list");
  }
  if (!rest) list.problems.push_back(rest.error());
  return list;
}

}  // namespace winperf::blg
