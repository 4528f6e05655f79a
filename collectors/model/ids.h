// Strong types for the indices of name tables and performance data blocks. A title index addresses
// the "Counter NNN" table (names, even) or the "Help NNN" table (texts, odd). Counters of several
// objects may share an index, so a counter is identified by (ObjectIndex, CounterIndex) and a
// position, never by its index alone. Thread rule: values. Source: winperf.h,
// PERF_OBJECT_TYPE.ObjectNameTitleIndex and similar fields.
#pragma once

#include <cstdint>

namespace winperf {

enum class ObjectIndex : std::uint32_t {};
// Objects without an index get one from their source, starting here, above all indices of Windows.
inline constexpr std::uint32_t kFirstOwnIndex = 0x4000'0000;
enum class CounterIndex : std::uint32_t {};
enum class HelpIndex : std::uint32_t {};

constexpr std::uint32_t value_of(ObjectIndex index) { return static_cast<std::uint32_t>(index); }
constexpr std::uint32_t value_of(CounterIndex index) { return static_cast<std::uint32_t>(index); }
constexpr std::uint32_t value_of(HelpIndex index) { return static_cast<std::uint32_t>(index); }

}  // namespace winperf
