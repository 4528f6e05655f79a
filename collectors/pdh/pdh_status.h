// PDH's statuses, as far as a comparison meets them. Thread rule: pure functions.
// Source: pdhmsg.h; Learn, "Performance Data Helper Error Codes".
#pragma once

#include <cstdint>
#include <string>

#include "collectors/model/error.h"

namespace winperf {

inline constexpr std::uint32_t kPdhValidData = 0;            // PDH_CSTATUS_VALID_DATA
inline constexpr std::uint32_t kPdhNewData = 1;              // PDH_CSTATUS_NEW_DATA
inline constexpr std::uint32_t kPdhNoInstance = 0x800007D1;  // PDH_CSTATUS_NO_INSTANCE
inline constexpr std::uint32_t kPdhMoreData = 0x800007D2;
inline constexpr std::uint32_t kPdhNoData = 0x800007D5;
inline constexpr std::uint32_t kPdhNegativeDenominator = 0x800007D6;
inline constexpr std::uint32_t kPdhNegativeTimeBase = 0x800007D7;
inline constexpr std::uint32_t kPdhNegativeValue = 0x800007D8;
inline constexpr std::uint32_t kPdhNoObject = 0xC0000BB8;     // PDH_CSTATUS_NO_OBJECT
inline constexpr std::uint32_t kPdhNoCounter = 0xC0000BB9;    // PDH_CSTATUS_NO_COUNTER
inline constexpr std::uint32_t kPdhInvalidData = 0xC0000BBA;  // PDH_CSTATUS_INVALID_DATA
inline constexpr std::uint32_t kPdhNoValueYet = 0xC0000BC6;   // PDH_INVALID_DATA

// Whether a value with this status counts.
constexpr bool is_valid_pdh(std::uint32_t status) {
  return status == kPdhValidData || status == kPdhNewData;
}

// What PDH may say of a collection, or of a counter to be added, if a counterset with instances has
// none at the moment.
constexpr bool is_without_pdh_instances(std::uint32_t status) {
  return status == kPdhNoData || status == kPdhNoInstance;
}

// "PDH_CSTATUS_NO_COUNTER (0xc0000bb9)", or the number alone.
[[nodiscard]] std::string pdh_status_text(std::uint32_t status);

// As describe(), in words and with the name of a PDH_STATUS: "PDH could not open a query:
// PDH_INVALID_ARGUMENT (0xc0000bbd)".
[[nodiscard]] std::string describe_pdh(const Error& error);

}  // namespace winperf
