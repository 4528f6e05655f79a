#include "collectors/blg/name_record.h"

#include "collectors/blg/log_names.h"
#include "collectors/blg/terminated.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/text.h"

namespace winperf::blg {

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
