// The names that a capture must not reveal, and a replacement for each: another name of the same
// length, one for all spellings that differ only in case, and different for different names.
//
// Some names are harmless, because they say nothing about the machine, and are never replaced:
// totals (_Total), Idle, names of digits and punctuation, and drive letters.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace winperf::capture {

// Whether a name says nothing about the machine.
bool is_harmless(std::u16string_view name);
// The same form for all spellings of a name: lower case in Latin, Greek and Cyrillic, with the
// length unchanged.
std::u16string folded(std::u16string_view text);

class NameBook {
 public:
  // Shorter names are not searched for among other bytes, because a match could be anything.
  static constexpr std::size_t kShortestFound = 4;

  struct Entry {
    std::u16string name;  // folded
    std::u16string replacement;
  };

  void learn(std::u16string_view name);
  std::size_t size() const { return entries_.size(); }

  // Null if the name is not one of them.
  const Entry* find(std::u16string_view name) const;
  // The longest name that begins at a place in a folded text. Null if there is none.
  const Entry* find_at(std::u16string_view text, std::size_t at) const;

 private:
  std::unordered_map<std::u16string, Entry> entries_;                  // by folded name
  std::unordered_map<std::size_t, std::size_t> used_;                  // names by length
  std::unordered_multimap<std::uint64_t, const Entry*> by_beginning_;  // by first characters
};

}  // namespace winperf::capture
