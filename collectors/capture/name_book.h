// The names that a capture must not tell, and what stands for each: another name of the same
// length, the same for each spelling that differs in case only, different for different names.
//
// Never taken, because they say nothing about the machine: totals (_Total), Idle, names of digits
// and punctuation, and drive letters. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace winperf::capture {

// Whether a name says nothing about the machine.
bool is_harmless(std::u16string_view name);
// One form for all spellings of a name: lower case in Latin, Greek and Cyrillic, as long as before.
std::u16string folded(std::u16string_view text);

class NameBook {
 public:
  // Shorter names are not found in the midst of other bytes: they could be anything.
  static constexpr std::size_t kShortestFound = 4;

  struct Entry {
    std::u16string name;  // folded
    std::u16string replacement;
  };

  void learn(std::u16string_view name);
  std::size_t size() const { return entries_.size(); }

  // Null where the name is not one of them.
  const Entry* find(std::u16string_view name) const;
  // The longest name that begins at a place of a folded text. Null where there is none.
  const Entry* find_at(std::u16string_view text, std::size_t at) const;

 private:
  std::unordered_map<std::u16string, Entry> entries_;                  // by folded name
  std::unordered_map<std::size_t, std::size_t> used_;                  // names by length
  std::unordered_multimap<std::uint64_t, const Entry*> by_beginning_;  // by first characters
};

}  // namespace winperf::capture
