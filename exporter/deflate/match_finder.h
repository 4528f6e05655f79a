// Finds what a text repeats.
//
// Libraries enter every byte of a text into a table of places, which takes most of their time. In a
// page of metrics, four places are enough:
//
// - as far back as the last match: a line repeats the line before it;
// - at the same labels, one family before: they are hashed from the brace on;
// - the last two where the same four bytes were searched for. The inside of a match isn't searched,
//   so these are where lines differed from one another, and the next ones differ there as well.
//
// A place is only where to compare. If other bytes are there, it is no match: whatever the tables
// hold does no harm, and nothing is ever removed from them. A byte is compared a limited number of
// times. Thread rule: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exporter/deflate/symbols.h"

namespace winperf::deflate {

// `length` bytes equal those `distance` bytes earlier.
struct Match {
  bool is_there() const { return length != 0; }

  unsigned length = 0;
  unsigned distance = 0;
};

// Bytes as they are, then a match, unless they reach kManyLiterals or the end of the text.
struct Sequence {
  std::size_t size() const { return literals + match.length; }

  std::size_t literals = 0;
  Match match{};
};

class MatchFinder {
 public:
  // Three bytes from far away take as much as they save.
  static constexpr unsigned kShortest = 4;
  static constexpr std::size_t kManyLiterals = 1024;
  // A match is put off by at most so many bytes.
  static constexpr std::size_t kMostLater = 64;
  static constexpr std::size_t kMostLiterals = kManyLiterals + kMostLater;

  explicit MatchFinder(std::string_view text) : text_(text), labels_(labels_from(0)) {}

  // At the beginning of the text, or where the last sequence ended; not at the end of the text.
  Sequence next(std::size_t at);

 private:
  static constexpr unsigned kTableBits = 12;
  static constexpr std::size_t kNoLabels = std::string_view::npos;

  template <class Entry>
  using Table = std::array<Entry, std::size_t{1} << kTableBits>;
  // In a text of more than 4 GiB, without their highest bits, as all places in tables.
  struct Places {
    std::uint32_t last = 0;
    std::uint32_t before = 0;
  };

  Match best_from(std::size_t& at);
  Match longer(std::size_t at, std::size_t length);
  std::size_t labels_from(std::size_t at) const;
  void pass_labels(std::size_t at);

  std::string_view text_;
  std::size_t last_distance_ = 0;
  std::size_t labels_;  // the next ones
  std::size_t labels_distance_ = 0;
  Table<std::uint32_t> label_places_{};
  Table<Places> places_{};
};

}  // namespace winperf::deflate
