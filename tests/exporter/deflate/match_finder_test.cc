#include "exporter/deflate/match_finder.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace winperf::deflate {
namespace {

// The sequences of a text, of which each is as it has to be.
std::vector<Sequence> sequences_of(const std::string& text) {
  const std::vector<char> exact(text.begin(), text.end());  // so that sanitizers see its end
  const auto finder = std::make_unique<MatchFinder>(std::string_view(exact.data(), exact.size()));
  std::vector<Sequence> sequences;
  for (std::size_t at = 0; at < text.size();) {
    const Sequence& sequence = sequences.emplace_back(finder->next(at));
    EXPECT_GT(sequence.size(), 0U);
    EXPECT_LE(sequence.literals, MatchFinder::kMostLiterals);
    at += sequence.literals;
    const auto& [length, distance] = sequence.match;
    if (sequence.match.is_there()) {
      EXPECT_GE(length, MatchFinder::kShortest);
      EXPECT_LE(length, kLongestLength);
      EXPECT_GE(distance, 1U);
      EXPECT_LE(distance, kLongestDistance);
      EXPECT_LE(distance, at);
      EXPECT_LE(length, text.size() - at);
      EXPECT_EQ(text.compare(at, length, text, at - distance, length), 0);
    }
    at += length;
    if (sequence.size() == 0 || at > text.size()) break;
  }
  return sequences;
}

std::string random_text(std::size_t size, unsigned letters, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) text += static_cast<char>('!' + random() % letters);
  return text;
}

TEST(MatchFinder, FindsTheLineBefore) {
  const std::string line = "winperf_load_seconds_total{instance_name=\"service1\"} 0.1005414\n";
  const auto sequences = sequences_of(line + line + line);
  ASSERT_EQ(sequences.size(), 1U);
  EXPECT_EQ(sequences[0].literals, line.size());
  EXPECT_EQ(sequences[0].match.distance, line.size());
  EXPECT_EQ(sequences[0].match.length, 2 * line.size());
}

// The lines between them have the same beginning, which is where other places would be found.
TEST(MatchFinder, FindsTheSameLabelsOfTheFamilyBefore) {
  std::string text;
  std::vector<std::size_t> braces;
  for (const std::string family : {"one", "two"})
    for (int i = 0; i < 40; ++i) {
      braces.push_back(text.size() + family.size());
      text += family + "{process=\"p" + std::to_string(i % 10) + std::to_string(i / 10) +
              "\",id=\"" + std::to_string(i * 7919 % 1000) + "\"} " + std::to_string(i * 31 % 97) +
              "\n";
    }
  std::size_t found = 0, at = 0;
  for (const Sequence& sequence : sequences_of(text)) {
    at += sequence.literals;
    for (std::size_t i = 40; i < braces.size(); ++i)
      if (at >= braces[i] && at < braces[i] + 15 &&
          sequence.match.distance == braces[i] - braces[i - 40])
        ++found;
    at += sequence.match.length;
  }
  EXPECT_GE(found, 36U);
}

TEST(MatchFinder, FindsWhatIsAsFarAwayAsItMayBe) {
  const std::string word = "once and again";
  for (const std::size_t distance :
       {std::size_t{kLongestDistance}, std::size_t{kLongestDistance} + 1}) {
    const std::string between(distance - word.size(), 'x');
    bool is_found = false;
    for (const Sequence& sequence : sequences_of(word + between + word))
      is_found |= sequence.match.distance == distance && sequence.match.length == word.size();
    EXPECT_EQ(is_found, distance == kLongestDistance);
  }
}

TEST(MatchFinder, TakesALongRunAsFewMatches) {
  const auto sequences = sequences_of(std::string(1 + 10 * kLongestLength, 'x'));
  ASSERT_EQ(sequences.size(), 10U);
  EXPECT_EQ(sequences[0].literals, 1U);
  for (const Sequence& sequence : sequences) {
    EXPECT_EQ(sequence.match.distance, 1U);
    EXPECT_EQ(sequence.match.length, kLongestLength);
  }
}

TEST(MatchFinder, RepeatsAnyText) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const unsigned letters : {1U, 2U, 3U, 10U, 90U})
      sequences_of(random_text(3000, letters, seed));
  for (std::size_t size = 0; size < 100; ++size) sequences_of(random_text(size, 2, 1));
}

// Wherever a match begins, one that begins a byte later is as long: all five letters in a row were
// there before, each time elsewhere. With most texts, the table has forgotten one of the places.
TEST(MatchFinder, DoesNotPutAMatchOffForEver) {
  std::size_t most = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string text = random_text(270, 90, seed);
    std::string before;
    for (std::size_t i = 0; i + 5 < text.size(); ++i) before += text.substr(i, 5);
    for (const Sequence& sequence : sequences_of(before + text))
      most = std::max(most, sequence.literals);
  }
  EXPECT_EQ(most, MatchFinder::kMostLater);
}

TEST(MatchFinder, ReadsNoLabelsBeyondTheEnd) {
  const std::string labels = "{process=\"service10\",process_id=\"1001014\"} 1\n";
  for (std::size_t size = 0; size <= labels.size(); ++size) {
    sequences_of(labels.substr(0, size));
    sequences_of(labels + labels.substr(0, size));
    sequences_of(std::string(size, '{'));
  }
}

}  // namespace
}  // namespace winperf::deflate
