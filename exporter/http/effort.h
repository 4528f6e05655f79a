// What kind of work an answer is, so that one kind can't take all threads. Thread rule: values.
#pragma once

#include <array>
#include <cstdint>

namespace winperf {

enum class Effort : std::uint8_t {
  kPlain,  // what everybody shares, such as the whole page, or next to nothing
  kDear,   // made for whoever asks: a part of the page, JSON, another machine's page
  kSlow,   // waits for something else, such as a reload
};
inline constexpr std::array kAllEfforts{Effort::kPlain, Effort::kDear, Effort::kSlow};

}  // namespace winperf
