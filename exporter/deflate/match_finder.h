// Finds what a text repeats. A table of everything that was before, as libraries have it, costs
// most of the time; in a page of metrics four places are enough:
//
// - as far back as the last match, and as the one before it with another distance: lines repeat the
//   line before them;
// - at the same labels, one family before: hashed from the brace on;
// - where the same four bytes were last looked for. Nobody looks inside of a match, so the table
//   has the places at which lines begin to differ, and these are where the next ones do.
//
// A place is only where to compare: what isn't the same there is no match, so tables hold any
// number, and nothing in them is ever removed. Thread rule: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exporter/deflate/symbols.h"

namespace winperf::deflate {

// As far back as `distance`, the same bytes are.
struct Match {
  bool is_there() const { return length != 0; }

  unsigned length = 0;
  unsigned distance = 0;
};

// Bytes as they are, and a match; where there are too many bytes, or the text ends, only bytes.
struct Sequence {
  std::size_t size() const { return literals + match.length; }

  std::size_t literals = 0;
  Match match{};
};

class MatchFinder {
 public:
  // Three bytes far away take as many bits as they save.
  static constexpr std::size_t kShortest = 4;
  // One more for each byte by which a match is longer than another, and those at the end.
  static constexpr std::size_t kEnoughLiterals = 1024;
  static constexpr std::size_t kMostLiterals = kEnoughLiterals + kLongestLength;

  explicit MatchFinder(std::string_view text) : text_(text), labels_(labels_from(0)) {}

  // From this place on, which is where the sequence before it ended.
  Sequence next(std::size_t at);

 private:
  static constexpr unsigned kTableBits = 12;
  static constexpr std::size_t kNoLabels = std::string_view::npos;
  using Table = std::array<std::uint32_t, std::size_t{1} << kTableBits>;

  Match longer(std::size_t at, std::size_t length);
  Match best_from(std::size_t& at);
  std::size_t labels_from(std::size_t at) const;
  void pass_labels(std::size_t at);

  std::string_view text_;
  std::size_t last_distance_ = 0;
  std::size_t distance_before_ = 0;
  std::size_t labels_;  // the next ones
  std::size_t labels_distance_ = 0;
  Table label_places_{};  // all places without their highest bits
  Table places_{};
};

}  // namespace winperf::deflate
