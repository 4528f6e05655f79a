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
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>

#include "collectors/model/error.h"

namespace winperf::blg {

struct NameRecord {
  std::string machine;  // UTF-8, without its backslashes
  std::span<const std::byte> pairs;
};

std::expected<NameRecord, Error> read_name_record(std::span<const std::byte> record);

}  // namespace winperf::blg
