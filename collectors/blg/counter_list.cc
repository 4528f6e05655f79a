#include "collectors/blg/counter_list.h"

#include <expected>
#include <optional>
#include <utility>

#include "collectors/blg/format.h"
#include "collectors/blg/log_names.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/text.h"

namespace winperf::blg {
namespace {

// Reads an entry's strings; keeps the first error.
class StringReader {
 public:
  explicit StringReader(const ByteView& entry) : entry_(entry) {}

  // The string to which the offset in `field` leads; empty if there is none.
  std::string at(Field<std::uint32_t> field) {
    const auto offset = entry_.get(field);
    if (error_ || offset == listed_counter::kNoString) return {};
    const auto text =
        entry_.from(std::uint64_t{listed_counter::kBytes} + offset, "log.counter_list.path");
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

[[nodiscard]] std::expected<Counter, Error> counter_of(const ByteView& entry) {
  namespace field = listed_counter;
  StringReader strings(entry);
  const auto index = entry.get(field::kInstanceIndex);
  Counter counter{.machine = machine_name(strings.at(field::kMachine)),
                  .object = strings.at(field::kObject),
                  .parent = strings.at(field::kParent),
                  .instance = strings.at(field::kInstance),
                  .instance_index = index == field::kNoIndex ? 0 : index,
                  .name = strings.at(field::kCounter),
                  .wildcard = (entry.get(field::kFlags) & field::kWildcards) != 0,
                  .type = entry.get(field::kType),
                  .time_base = entry.get(field::kTimeBase),
                  .default_scale = entry.get(field::kScale)};
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
  auto rest =
      ByteView(record, "log.counter_list").from(listed_counter::kFirstAt, "log.counter_list");
  while (rest && rest->size() > 0) {
    const auto length = rest->read(listed_counter::kLength);
    if (!length || *length < listed_counter::kBytes) {
      list.problems.push_back(
          length ? rest->error(ErrorCode::kBadLength, *length, listed_counter::kBytes)
                 : length.error());
      return list;
    }
    const auto entry = rest->first(*length, "log.counter_list");
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
