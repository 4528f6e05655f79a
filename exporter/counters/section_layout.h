// The shared section through which the service publishes the numbers of its own counters, and the
// extension DLL reads them: 64-bit words, all of which are read and written atomically.
//
//   head     8 words, written once, before the magic number
//   copy 0   the state with an even number
//   copy 1   the state with an odd number
//
// A copy begins with the number of the state that is being written, and ends with that of the state
// that was written: it is whole where both are the same. The writer never touches the copy with the
// newest whole state, so one is left wherever the writer dies.
//
// A newer version may have more values, which an older one skips by the head's counts. Everything
// else has the same place in all versions with the same kLayout.
// Compiled into the DLL (counter_row.h). Thread rule: constants.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "exporter/counters/own_counters.h"

namespace winperf::own {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(std::uint64_t));

inline constexpr std::uint64_t kMagic = 0x4E57'4F46'5250'4557;  // "WEPRFOWN"
inline constexpr std::uint64_t kLayout = 1;

// Words of the head.
enum class Head : std::size_t {
  kMagic,
  kLayout,
  kExporterValues,    // how many values the first object has, at most 64
  kCountersetValues,  // and an instance of the second
  kRows,              // how many instances have room
  kCopyWords,         // the size of a copy
  kUnused0,
  kUnused1,
};
inline constexpr std::size_t kHeadWords = 8;

// The first words of a copy. The exporter's values follow, then the rows, then the end.
enum class CopyHead : std::size_t {
  kBegun,      // the number of the state that is being written, or was written last
  kWrittenAt,  // a FILETIME
  kKnown,      // a bit for each of the exporter's values that is known
  kRowsUsed,
  kNameUnits,  // of all names together, each with its NUL and rounded up to whole words
};
inline constexpr std::size_t kCopyHeadWords = 5;

// A row: the instance's values, the length of its name and the name, in UTF-16 with a NUL.
inline constexpr std::size_t kUnitsPerWord = sizeof(std::uint64_t) / sizeof(char16_t);
inline constexpr std::size_t kNameWords = 32;
inline constexpr std::size_t kLongestName = kNameWords * kUnitsPerWord - 1;  // without the NUL
inline constexpr std::size_t kMaxRows = 1024;

constexpr std::size_t row_words(std::size_t values) { return values + 1 + kNameWords; }
constexpr std::size_t copy_words(std::size_t exporter_values, std::size_t counterset_values,
                                 std::size_t rows) {
  return kCopyHeadWords + exporter_values + rows * row_words(counterset_values) + 1;
}
// Of this version.
inline constexpr std::size_t kExporterValues = kExporterRows.size();
inline constexpr std::size_t kCountersetValues = kCountersetRows.size();
inline constexpr std::size_t kOwnCopyWords =
    copy_words(kExporterValues, kCountersetValues, kMaxRows);
inline constexpr std::size_t kSectionWords = kHeadWords + 2 * kOwnCopyWords;
inline constexpr std::size_t kSectionBytes = kSectionWords * sizeof(Word);
static_assert(kExporterValues <= 64, "the known values are the bits of a word");

// A state that is older than this isn't shown: its writer has ended or hangs. In units of 100 ns.
// The service publishes one at least every 5 s.
inline constexpr std::int64_t kOldestState = 60 * 10'000'000LL;

}  // namespace winperf::own
