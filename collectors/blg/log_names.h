// Names as a log stores them. An instance is one text, "parent/name#number", as in counter paths;
// the number distinguishes instances with the same parent and name, and the first one has none. A
// name that contains a slash or ends like a number can't be told from such a text.
// Thread rule: values.
// Source: Learn, "Specifying a Counter Path"; docs/blg.md, "Instances".
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "collectors/model/error.h"
#include "collectors/wire/byte_view.h"

namespace winperf::blg {

struct InstanceName {
  std::string parent;  // empty if there is none
  std::string name;
  std::uint32_t number = 0;
  bool operator==(const InstanceName&) const = default;
};

// If `parent` is given, slashes in the text belong to the name.
InstanceName parse_instance_name(std::string_view text, std::string_view parent = {});

// "name#number"
std::string numbered_name(const InstanceName& instance);

// "\\\\HOST" without its backslashes.
std::string machine_name(std::string_view text);

// The same text for names that differ only in the case of ASCII letters.
std::string key_of(const InstanceName& instance);

// The UTF-16 text before the first NUL; kBadText if there is none. All strings of a log's records
// end with a NUL.
[[nodiscard]] std::expected<ByteView, Error> until_nul(const ByteView& text);

// Name table records: the machine, and a part of its name table in the form of NameTable.
//
//   \\machine NUL index NUL text NUL index NUL text NUL ...     UTF-16LE
//
// A log has several of them for one machine; the table is split between pairs. The names are in the
// language of the machine that recorded the log, which the log doesn't record.
// Validated: the machine's name, and that the text ends with a NUL, so that records can be joined.
// Not validated: the pairs (NameTable does that). Offsets of errors are from the start of the
// record. Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: docs/blg.md, "Name tables".
struct NameRecord {
  std::string machine;  // UTF-8, without its backslashes
  std::span<const std::byte> pairs;
};

[[nodiscard]] std::expected<NameRecord, Error> read_name_record(std::span<const std::byte> record);

}  // namespace winperf::blg
