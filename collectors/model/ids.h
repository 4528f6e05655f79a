// Strong ids of what the Perflib name table and a performance data block refer to by number.
// A title index addresses the "Counter NNN" table (names, even) or the "Help NNN" table (texts,
// odd). The same index may name several objects' counters, so a counter is identified by
// (ObjectIndex, CounterIndex) and a position, never by its index alone. Source: winperf.h,
// PERF_OBJECT_TYPE.ObjectNameTitleIndex and friends.
#pragma once

#include <cstdint>

namespace winperf {

enum class ObjectIndex : std::uint32_t {};
// Objects that came without an index get one from their source, from here on: above all that
// Windows gives.
inline constexpr std::uint32_t kFirstOwnIndex = 0x4000'0000;
enum class CounterIndex : std::uint32_t {};
enum class HelpIndex : std::uint32_t {};

constexpr std::uint32_t value_of(ObjectIndex index) { return static_cast<std::uint32_t>(index); }
constexpr std::uint32_t value_of(CounterIndex index) { return static_cast<std::uint32_t>(index); }
constexpr std::uint32_t value_of(HelpIndex index) { return static_cast<std::uint32_t>(index); }

}  // namespace winperf
