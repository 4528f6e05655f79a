// A name table: title index to text. "Counter NNN" and "Help NNN" of HKEY_PERFORMANCE_DATA, and the
// files perfcNNN.dat and perfhNNN.dat, all hold the same stream.
//
//   index NUL text NUL index NUL text NUL ... NUL      REG_MULTI_SZ, UTF-16LE, indices in decimal
//
// Names have even indices, help texts odd ones. The first pair of a Counter table is "1" and the
// highest index of the base system set, no name.
// Never fails as a whole: lodctr may be writing the table while it is read, so damage is stepped
// over and counted. One lost string costs its own pair and does not shift those that follow: a
// string that should be an index and is not, is dropped, and the next one is tried in its place;
// an index whose text was lost is known by the index that stands in the text's place, with a text
// behind it. Of two equal indices the first counts. The end of the bytes ends the last string; a
// byte order mark is stepped over.
// Memory: the texts and one entry each; nothing is sized by an index or a count from the data.
// Thread rule: immutable after parse().
// Source: Learn, "Retrieving Counter Names and Help Text".
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

  // How often something was wrong, with the first place: kBadNumber (a string in an index's place),
  // kTruncated (an index without a text, half a character at the end), kBadText (text with lone
  // surrogates, kept with U+FFFD), kDuplicateIndex.
  struct Problem {
    Error first;
    std::size_t count = 0;
  };

  static NameTable parse(std::span<const std::byte> bytes);

  // Null where the index has no text.
  const std::string* find(std::uint32_t index) const;
  // All indices with this text, ascending; ASCII letters compare without regard to case.
  std::vector<std::uint32_t> indices_of(std::string_view text) const;

  // By index, ascending.
  std::span<const Entry> entries() const { return entries_; }
  // The highest index of the base system set, where the table says it.
  std::optional<std::uint32_t> base_limit() const { return base_limit_; }
  std::span<const Problem> problems() const { return problems_; }

 private:
  // Where an entry's index was met, for the report of a repeated one.
  struct Placed {
    Entry entry;
    std::uint64_t offset;
  };

  void note(ErrorCode code, std::uint64_t offset);
  class StringReader;

  // In the order of the stream.
  std::vector<Placed> read_pairs(std::span<const std::byte> bytes);
  // The text that belongs to the index; empty where there is none.
  std::string take_text(StringReader& reader, std::uint32_t index, std::uint64_t offset);
  void keep_first_of_each_index(std::vector<Placed> pairs);

  std::vector<Entry> entries_;
  std::optional<std::uint32_t> base_limit_;
  std::vector<Problem> problems_;
};

}  // namespace winperf
