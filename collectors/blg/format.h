// The layout of perfmon's binary logs (.blg) of Windows Vista and later: an ETL file, in whose
// events the performance library keeps its records. All integers are little-endian.
//
//   log      a row of buffers, all of the size that the first one has
//   buffer   header of 72 bytes | events, each at a multiple of 8 | unused bytes
//   event    of the performance library: header of 48 bytes | GUID of the log, part, parts | a
//   piece record   the pieces of its parts, joined
//
// Nothing of this is documented: it was inferred from files (docs/blg.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace winperf::blg {

inline constexpr std::uint32_t kBufferHeaderBytes = 72;
inline constexpr std::size_t kBufferSizeAt = 0;
inline constexpr std::size_t kBufferFilledAt = 48;
// The largest buffer that Windows lets a trace session have.
inline constexpr std::uint32_t kLargestBuffer = 16U << 20;

inline constexpr std::uint16_t kEndOfEvents = 0xFFFF;  // in place of an event's size
inline constexpr std::uint32_t kSmallestEvent = 8;
inline constexpr std::uint32_t kEventAlignment = 8;
inline constexpr std::uint32_t kPieceAt = 72;  // from the start of the event

// Larger records are refused; those of real logs have some ten thousand bytes.
inline constexpr std::size_t kLargestRecord = std::size_t{64} << 20;

enum class RecordType : std::uint8_t {
  kCounterList = 32,
  kSample = 34,
  kNameTable = 36,
};

// What one item of a sample holds.
enum class ItemKind : std::uint8_t {
  kCounter = 1,      // the value of one counter
  kInstances = 2,    // one counter of all instances
  kWholeObject = 5,  // a V1 block
};

}  // namespace winperf::blg
