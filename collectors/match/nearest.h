// The word that was most likely meant. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace winperf {

// The number of edits (insert, remove, replace, swap two neighbours) that turn one word into the
// other. Upper and lower case are equal, and so are - and _. Bytes are compared, not characters.
// Words whose lengths differ by more than `limit` are not compared: the result is above the limit.
std::size_t edit_distance(std::string_view a, std::string_view b,
                          std::size_t limit = std::string_view::npos);

// The candidate nearest to `word`, which may also be a longer or shorter form of it ("warning",
// "warn"); empty if none is near enough. Of several equally near ones, the first.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace winperf
