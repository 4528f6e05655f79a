#include "collectors/match/nearest.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

// Longer words are no misspelt keys, and comparing them would be slow.
constexpr std::size_t kMaxWordBytes = 64;

char folded(char c) { return c == '-' ? '_' : ascii_lower(c); }

bool same(char a, char b) { return folded(a) == folded(b); }

// "warning" for "warn", "addr" for "address".
bool is_shortened(std::string_view a, std::string_view b) {
  const auto [shorter, longer] =
      std::minmax(a, b, [](std::string_view x, std::string_view y) { return x.size() < y.size(); });
  return shorter.size() >= 3 && std::equal(shorter.begin(), shorter.end(), longer.begin(), same);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t least = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (least > limit) return least;
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0U : 1U);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kMaxWordBytes) return {};
  std::string_view best;
  std::size_t best_distance = word.size();
  for (const std::string_view candidate : candidates) {
    const std::size_t edits = edit_distance(word, candidate);
    const std::size_t distance =
        is_shortened(word, candidate) ? std::min<std::size_t>(edits, 1) : edits;
    const std::size_t limit = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    if (distance > limit || distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace winperf
