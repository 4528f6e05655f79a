#include "collectors/blg/log_names.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/wire/text.h"

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
  for (std::size_t at = 0; text.holds<std::uint16_t>(at); at += sizeof(std::uint16_t)) {
    if (text.get<std::uint16_t>(at) == 0) return text.first(at, text.where());
  }
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

}  // namespace winperf::blg
