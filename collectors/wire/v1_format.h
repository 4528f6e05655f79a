// The fields of the V1 structures: how many bytes from the start of each, and how wide. All
// integers are little-endian; the structures are the same for 32-bit and 64-bit providers.
// Source: winperf.h; tests/collectors/wire/win/ checks this table against the SDK's structures.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/wire/byte_view.h"

namespace winperf::v1 {

inline constexpr std::uint64_t kPerfSignature = 0x0046'0052'0045'0050;  // "PERF" in UTF-16

namespace block {  // PERF_DATA_BLOCK
inline constexpr Field<std::uint64_t> kSignature{0};
inline constexpr Field<std::uint32_t> kLittleEndian{8};
inline constexpr Field<std::uint32_t> kVersion{12};
inline constexpr Field<std::uint32_t> kRevision{16};
inline constexpr Field<std::uint32_t> kTotalByteLength{20};
inline constexpr Field<std::uint32_t> kHeaderLength{24};
inline constexpr Field<std::uint32_t> kNumObjectTypes{28};
inline constexpr Field<std::int32_t> kDefaultObject{32};
inline constexpr std::size_t kSystemTime = 36;  // a SYSTEMTIME
inline constexpr Field<std::int64_t> kPerfTime{56};
inline constexpr Field<std::int64_t> kPerfFreq{64};
inline constexpr Field<std::int64_t> kPerfTime100nSec{72};
inline constexpr Field<std::uint32_t> kSystemNameLength{80};
inline constexpr Field<std::uint32_t> kSystemNameOffset{84};
inline constexpr std::uint32_t kBytes = 88;
}  // namespace block

namespace object {  // PERF_OBJECT_TYPE
inline constexpr Field<std::uint32_t> kTotalByteLength{0};
inline constexpr Field<std::uint32_t> kDefinitionLength{4};
inline constexpr Field<std::uint32_t> kHeaderLength{8};
inline constexpr Field<std::uint32_t> kNameIndex{12};  // ObjectNameTitleIndex
inline constexpr Field<std::uint32_t> kHelpIndex{20};
inline constexpr Field<std::uint32_t> kDetailLevel{28};
inline constexpr Field<std::uint32_t> kNumCounters{32};
inline constexpr Field<std::int32_t> kDefaultCounter{36};
inline constexpr Field<std::int32_t> kNumInstances{40};
inline constexpr Field<std::uint32_t> kCodePage{44};
inline constexpr Field<std::int64_t> kPerfTime{48};
inline constexpr Field<std::int64_t> kPerfFreq{56};
inline constexpr std::uint32_t kBytes = 64;
}  // namespace object

namespace counter {  // PERF_COUNTER_DEFINITION
inline constexpr Field<std::uint32_t> kByteLength{0};
inline constexpr Field<std::uint32_t> kNameIndex{4};  // CounterNameTitleIndex
inline constexpr Field<std::uint32_t> kHelpIndex{12};
inline constexpr Field<std::int32_t> kDefaultScale{20};
inline constexpr Field<std::uint32_t> kDetailLevel{24};
inline constexpr Field<std::uint32_t> kType{28};
inline constexpr Field<std::uint32_t> kCounterSize{32};
inline constexpr Field<std::uint32_t> kCounterOffset{36};
inline constexpr std::uint32_t kBytes = 40;
}  // namespace counter

namespace instance {  // PERF_INSTANCE_DEFINITION
inline constexpr Field<std::uint32_t> kByteLength{0};
inline constexpr Field<std::uint32_t> kParentObject{4};    // ParentObjectTitleIndex
inline constexpr Field<std::uint32_t> kParentPosition{8};  // ParentObjectInstance
inline constexpr Field<std::uint32_t> kUniqueId{12};
inline constexpr Field<std::uint32_t> kNameOffset{16};
inline constexpr Field<std::uint32_t> kNameLength{20};
inline constexpr std::uint32_t kBytes = 24;
}  // namespace instance

namespace counter_block {  // PERF_COUNTER_BLOCK
inline constexpr Field<std::uint32_t> kByteLength{0};
inline constexpr std::uint32_t kBytes = 4;
}  // namespace counter_block

}  // namespace winperf::v1
