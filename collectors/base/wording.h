// Parts of messages: counts, lists, and external text in quotes. Thread rule: any thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf {

// "1 sample is", "2 samples are".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
// "1 sample", "2 samples", "0 samples". The noun's plural must end in -s.
std::string counted(std::uint64_t count, std::string_view noun);

// "a, b and 3 more", each through printable(); at most `most` of them.
std::string joined(const std::vector<std::string>& names, std::string_view separator,
                   std::size_t most = static_cast<std::size_t>(-1));

// All parts, each through `text_of`. Empty ones at the beginning leave no separator.
template <class Parts, class TextOf>
  requires std::invocable<TextOf, decltype(*std::declval<const Parts&>().begin())>
std::string joined(const Parts& parts, std::string_view separator, const TextOf& text_of) {
  std::string text;
  for (const auto& part : parts) {
    if (!text.empty()) text += separator;
    text += text_of(part);
  }
  return text;
}

// The text in quotes, cut to a length that suits a message, with ? for control characters.
std::string in_quotes(std::string_view text);

}  // namespace winperf
