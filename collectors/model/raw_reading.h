// How the raw number of a counter is read: whether it has a sign, and which numbers say that the
// provider doesn't know. The type decides, as PDH does: 8-byte raw counts are signed (two's
// complement), 4-byte ones aren't, hexadecimal numbers (flags, addresses) never are. Counters of
// which more is known are the rows of one table, which a schema looks up when it is made, so that
// everything that reads the numbers needs no names.
// Thread rule: pure functions.
// Source: winperf.h (PERF_NUMBER_HEX); PDH_FMT_LARGE and PDH_RAW_COUNTER are LONGLONG (pdh.h); the
// rows of the table name their own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/model/counter_type.h"

namespace winperf {

// What a counter's name adds to what its type says.
struct RawReading {
  bool is_signed = false;                // also if it has 4 bytes
  std::vector<std::uint64_t> unknown{};  // raw numbers, zero-extended, that are no values
  bool operator==(const RawReading&) const = default;
};

// One row of the table. `source` says who states the fact.
struct KnownReading {
  enum class Fact : std::uint8_t { kUnknown, kSigned };
  std::string_view object;  // English names, whatever their case
  std::string_view counter;
  std::uint8_t bytes = 0;  // 4 or 8: of counters with this width
  Fact fact = Fact::kUnknown;
  std::uint64_t value = 0;  // of kUnknown: the raw number, zero-extended
  std::string_view source;
};
std::span<const KnownReading> known_readings();

// What the table says of a counter by its English names; nothing if it has no row.
RawReading reading_of(std::string_view object, std::string_view counter, std::uint32_t bytes);

// Whether numbers of this width have a sign.
inline bool is_signed(const CounterTypeInfo& type, const RawReading& reading, std::uint32_t bytes) {
  if (type.formula != Formula::kRaw || is_hexadecimal(type.type)) return false;
  return bytes == sizeof(std::uint64_t) || (bytes == sizeof(std::uint32_t) && reading.is_signed);
}

// The number that a raw count stands for, if that is below 0. `raw` is zero-extended from `bytes`.
inline std::optional<std::int64_t> negative_of(const CounterTypeInfo& type,
                                               const RawReading& reading, std::uint64_t raw,
                                               std::uint32_t bytes) {
  if (!is_signed(type, reading, bytes)) return std::nullopt;
  const std::int64_t number = bytes == sizeof raw
                                  ? static_cast<std::int64_t>(raw)
                                  : static_cast<std::int32_t>(static_cast<std::uint32_t>(raw));
  return number < 0 ? std::optional(number) : std::nullopt;
}

}  // namespace winperf
