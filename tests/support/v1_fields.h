// Offsets of the fields of V1 structures, from the start of each, for tests that spoil one.
// Source: winperf.h; held against it by tests/collectors/wire/win/.
#pragma once

#include <cstddef>

namespace winperf::testing::field {

namespace block {
inline constexpr std::size_t kSignature = 0;
inline constexpr std::size_t kLittleEndian = 8;
inline constexpr std::size_t kVersion = 12;
inline constexpr std::size_t kRevision = 16;
inline constexpr std::size_t kTotalByteLength = 20;
inline constexpr std::size_t kHeaderLength = 24;
inline constexpr std::size_t kNumObjectTypes = 28;
inline constexpr std::size_t kDefaultObject = 32;
inline constexpr std::size_t kSystemTime = 36;
inline constexpr std::size_t kPerfTime = 56;
inline constexpr std::size_t kPerfFreq = 64;
inline constexpr std::size_t kPerfTime100nSec = 72;
inline constexpr std::size_t kSystemNameLength = 80;
inline constexpr std::size_t kSystemNameOffset = 84;
inline constexpr std::size_t kSize = 88;
}  // namespace block

namespace object {
inline constexpr std::size_t kTotalByteLength = 0;
inline constexpr std::size_t kDefinitionLength = 4;
inline constexpr std::size_t kHeaderLength = 8;
inline constexpr std::size_t kNameIndex = 12;
inline constexpr std::size_t kHelpIndex = 20;
inline constexpr std::size_t kDetailLevel = 28;
inline constexpr std::size_t kNumCounters = 32;
inline constexpr std::size_t kDefaultCounter = 36;
inline constexpr std::size_t kNumInstances = 40;
inline constexpr std::size_t kCodePage = 44;
inline constexpr std::size_t kPerfTime = 48;
inline constexpr std::size_t kPerfFreq = 56;
inline constexpr std::size_t kSize = 64;
}  // namespace object

namespace counter {
inline constexpr std::size_t kByteLength = 0;
inline constexpr std::size_t kNameIndex = 4;
inline constexpr std::size_t kHelpIndex = 12;
inline constexpr std::size_t kDefaultScale = 20;
inline constexpr std::size_t kDetailLevel = 24;
inline constexpr std::size_t kType = 28;
inline constexpr std::size_t kCounterSize = 32;
inline constexpr std::size_t kCounterOffset = 36;
inline constexpr std::size_t kSize = 40;
}  // namespace counter

namespace instance {
inline constexpr std::size_t kByteLength = 0;
inline constexpr std::size_t kParentObject = 4;
inline constexpr std::size_t kParentPosition = 8;
inline constexpr std::size_t kUniqueId = 12;
inline constexpr std::size_t kNameOffset = 16;
inline constexpr std::size_t kNameLength = 20;
inline constexpr std::size_t kSize = 24;
}  // namespace instance

namespace counter_block {
inline constexpr std::size_t kByteLength = 0;
inline constexpr std::size_t kSize = 4;
}  // namespace counter_block

}  // namespace winperf::testing::field
