// The word that a person most likely meant.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace winperf {

// Edits (insert, remove, replace, swap two neighbours) that turn one word into the other; letters
// that differ in case alone, and - against _, are equal. Bytes are compared, not characters.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, a shortened or lengthened one included ("warning", "warn");
// empty where none is near enough to have been meant. The first wins among equals.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace winperf
