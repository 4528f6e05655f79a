// The hot loops: wherever lines differ, the places are compared.
#include "exporter/deflate/match_finder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "collectors/base/hot_loop.h"

namespace winperf::deflate {
namespace {

// So much of a set of labels is hashed. Longer sets usually differ in it, and a shorter one is
// found again if its value is still the same.
constexpr std::size_t kHashedLabels = 24;

std::uint32_t word(const char* text) {
  std::uint32_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return word;
}

std::uint64_t long_word(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// 2^32 and 2^64 divided by the golden ratio: the highest bits of a product depend on the whole
// word.
std::uint32_t hash_of(std::uint32_t word) { return word * 0x9E3779B1U; }

std::uint64_t hash_of_labels(const char* text) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < kHashedLabels; i += sizeof hash)
    hash = (hash + long_word(text + i)) * kFactor;
  return hash;
}

static_assert(std::endian::native == std::endian::little);  // the first byte is the lowest

// How many of `most` bytes are the same. All of them are there on both sides.
std::size_t common(const char* one, const char* other, std::size_t most) {
  std::size_t same = 0;
  for (; same + sizeof(std::uint64_t) <= most; same += sizeof(std::uint64_t))
    if (const auto differing = long_word(one + same) ^ long_word(other + same); differing != 0)
      return same + static_cast<std::size_t>(std::countr_zero(differing)) / 8;
  while (same < most && one[same] == other[same]) ++same;
  return same;
}

}  // namespace

Sequence MatchFinder::next(std::size_t at) {
  const std::size_t begin = at;
  const std::size_t left = text_.size() - at;
  const std::size_t end =
      at + (left < kShortest ? 0 : std::min(left - kShortest + 1, kManyLiterals));
  Match match;
  while (at < end && !match.is_there()) match = best_from(at);
  const bool ends = !match.is_there() && text_.size() - at < kShortest;
  return {(ends ? text_.size() : at) - begin, match};
}

// The match to take at this place, or a few bytes later: one that begins a byte later reaches
// farther, so it is better even if it is only as long. If none begins here, the place is the next
// one.
inline Match MatchFinder::best_from(std::size_t& at) {
  Match match = longer(at, kShortest - 1);
  if (!match.is_there()) {
    ++at;
    return match;
  }
  const std::size_t latest = at + kMostLater;
  while (match.length < kLongestLength && at < latest) {
    const Match later = longer(at + 1, match.length - 1);
    if (!later.is_there()) break;
    match = later;
    ++at;
  }
  last_distance_ = match.distance;
  return match;
}

// The longest match at this place, if it is longer than `length`, which is at least 3.
//
// Only what is in the text is read: no distance is greater than `at`, and what is compared is no
// longer than `most`, as long as the text goes on here, and begins before.
WINPERF_ALWAYS_INLINE inline Match MatchFinder::longer(std::size_t at, std::size_t length) {
  const std::size_t most = std::min<std::size_t>(text_.size() - at, kLongestLength);
  if (length >= most) return {};
  if (at >= labels_) pass_labels(at);
  const char* const here = text_.data() + at;
  std::size_t farthest = std::min<std::size_t>(at, kLongestDistance);
  std::size_t found = 0;
  const auto compare = [&](std::size_t distance) {
    if (distance - 1 >= farthest) return;  // nor is it 0
    const char* const there = here - distance;
    // The byte that would make it longer, with three before it.
    const std::size_t decisive = length - 3;
    if (word(here + decisive) != word(there + decisive)) return;
    const std::size_t same = common(here, there, most);
    if (same <= length) return;
    length = same;
    found = distance;
    if (length == most) farthest = 0;  // none is longer
  };
  compare(last_distance_);
  compare(labels_distance_);
  const auto low = static_cast<std::uint32_t>(at);
  Places& places = places_[hash_of(word(here)) >> (32 - kTableBits)];
  compare(low - places.last);
  compare(low - places.before);
  places = {low, places.last};
  if (found == 0) return {};
  return {static_cast<unsigned>(length), static_cast<unsigned>(found)};
}

// Several sets may lie within the last match.
void MatchFinder::pass_labels(std::size_t at) {
  while (at >= labels_) {
    const std::uint64_t hash = hash_of_labels(text_.data() + labels_);
    std::uint32_t& place = label_places_[hash >> (64 - kTableBits)];
    const auto low = static_cast<std::uint32_t>(labels_);
    labels_distance_ = low - place;
    place = low;
    labels_ = labels_from(labels_ + kHashedLabels);
  }
}

// Those at the very end are too short to be hashed.
std::size_t MatchFinder::labels_from(std::size_t at) const {
  const std::size_t brace = text_.find('{', at);
  return brace != kNoLabels && text_.size() - brace >= kHashedLabels ? brace : kNoLabels;
}

}  // namespace winperf::deflate
