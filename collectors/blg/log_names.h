// Names as a log has them. An instance is one text, "parent/name#number", as in counter paths; the
// number tells instances with the same parent and name apart, and the first one has none. A name
// that has a slash of its own, or ends like a number, is taken for such a text: a log doesn't tell.
// Thread rule: values.
// Source: Learn, "Specifying a Counter Path"; docs/blg.md, "Instances".
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "collectors/base/ascii.h"
#include "collectors/model/error.h"

namespace winperf::blg {

struct InstanceName {
  std::string parent;  // empty where there is none
  std::string name;
  std::uint32_t number = 0;
  bool operator==(const InstanceName&) const = default;
};

// `parent` where it is known, which leaves the slashes of the text to the name.
InstanceName parse_instance_name(std::string_view text, std::string_view parent = {});

// "name#number"
std::string numbered_name(const InstanceName& instance);

// "\\\\HOST" without its backslashes.
std::string machine_name(std::string_view text);

// Equal for instances that are the same but for the case of ASCII letters.
std::string key_of(const InstanceName& instance);

// Name table records: the machine, and a part of its table of names in the form of NameTable.
//
//   \\machine NUL index NUL text NUL index NUL text NUL ...     UTF-16LE
//
// A log has several for one machine, which cut the table between pairs. In what language the names
// are, the log does not say: that of the machine that recorded it.
// Validated: the machine's name, and that the text ends with a NUL, so that records can follow one
// another. Not validated: the pairs (NameTable). Offsets of errors are from the start of the
// record. Lifetime: not longer than the bytes. Thread rule: immutable. Source: docs/blg.md, "Name
// tables".
struct NameRecord {
  std::string machine;  // UTF-8, without its backslashes
  std::span<const std::byte> pairs;
};

std::expected<NameRecord, Error> read_name_record(std::span<const std::byte> record);

}  // namespace winperf::blg
