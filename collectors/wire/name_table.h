// A name table: from title index to text. "Counter NNN" and "Help NNN" of HKEY_PERFORMANCE_DATA and
// the files perfcNNN.dat and perfhNNN.dat all hold the same kind of stream.
//
//   index NUL text NUL index NUL text NUL ... NUL      REG_MULTI_SZ, UTF-16LE, indices in decimal
//
// Names have even indices, help texts odd ones. The first pair of a Counter table is not a name:
// it is "1" and the highest index of the base system set.
// Parsing never fails as a whole: lodctr may be writing the table while it is read, so damage is
// skipped and counted. A lost string costs its own pair and doesn't shift those that follow: a
// string that should be an index but isn't one is dropped, and the next one is tried in its place;
// an index whose text was lost is recognised because another index is in the text's place, with a
// text after it. Of two equal indices the first counts. The end of the bytes ends the last string;
// a byte order mark is skipped. Memory: the texts and one entry for each; no index or count from
// the data sizes anything. Thread rule: immutable after parse(). Source: Learn, "Retrieving Counter
// Names and Help Text".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"

namespace winperf {

class NameTable {
 public:
  struct Entry {
    std::uint32_t index;
    std::string text;  // UTF-8
  };

  // The number of problems of a kind, and the first place: kBadNumber (a string in an index's
  // place), kTruncated (an index without a text, half a character at the end), kBadText (text with
  // lone surrogates, kept with U+FFFD), kDuplicateIndex.
  struct Problem {
    Error first;
    std::size_t count = 0;
  };

  static NameTable parse(std::span<const std::byte> bytes);

  // Null if the index has no text.
  const std::string* find(std::uint32_t index) const;
  // All indices with this text, ascending; the case of ASCII letters doesn't matter.
  std::vector<std::uint32_t> indices_of(std::string_view text) const;

  // By index, ascending.
  std::span<const Entry> entries() const { return entries_; }
  // The highest index of the base system set, if the table contains it.
  std::optional<std::uint32_t> base_limit() const { return base_limit_; }
  std::span<const Problem> problems() const { return problems_; }

 private:
  // An entry and the place of its index, which is reported if the index occurs again.
  struct Placed {
    Entry entry;
    std::uint64_t offset;
  };

  void note(ErrorCode code, std::uint64_t offset);
  class StringReader;

  // In the order of the stream.
  std::vector<Placed> read_pairs(std::span<const std::byte> bytes);
  // The text that belongs to the index; empty if there is none.
  std::string take_text(StringReader& reader, std::uint32_t index, std::uint64_t offset);
  void keep_first_of_each_index(std::vector<Placed> pairs);

  std::vector<Entry> entries_;
  std::optional<std::uint32_t> base_limit_;
  std::vector<Problem> problems_;
};

}  // namespace winperf
