#include "service/commands/sealed_words.h"

#include <algorithm>

namespace winperf {
namespace {

// Nobody types it, and no word that begins with it has a meaning for the library.
constexpr char kSeal = '\x01';

}  // namespace

std::vector<std::string> seal_words(std::vector<std::string> words) {
  const bool is_migration = words.size() > 1 && words[0] == "config" && words[1] == "migrate";
  if (!is_migration) return words;
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return words;
  std::for_each(dashes + 1, words.end(), [](std::string& word) { word.insert(0, 1, kSeal); });
  return words;
}

std::string unsealed(const std::string& word) {
  return word.starts_with(kSeal) ? word.substr(1) : word;
}

}  // namespace winperf
