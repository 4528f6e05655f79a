#include "collectors/pdh/pdh_status.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "collectors/base/hex.h"

namespace winperf {
namespace {

struct PdhStatusName {
  std::uint32_t status;
  std::string_view name;
};

constexpr std::array kPdhStatusNames{
    PdhStatusName{kPdhValidData, "PDH_CSTATUS_VALID_DATA"},
    PdhStatusName{kPdhNewData, "PDH_CSTATUS_NEW_DATA"},
    PdhStatusName{0x800007D0, "PDH_CSTATUS_NO_MACHINE"},
    PdhStatusName{kPdhNoInstance, "PDH_CSTATUS_NO_INSTANCE"},
    PdhStatusName{kPdhMoreData, "PDH_MORE_DATA"},
    PdhStatusName{0x800007D3, "PDH_CSTATUS_ITEM_NOT_VALIDATED"},
    PdhStatusName{0x800007D4, "PDH_RETRY"},
    PdhStatusName{kPdhNoData, "PDH_NO_DATA"},
    PdhStatusName{kPdhNegativeDenominator, "PDH_CALC_NEGATIVE_DENOMINATOR"},
    PdhStatusName{kPdhNegativeTimeBase, "PDH_CALC_NEGATIVE_TIMEBASE"},
    PdhStatusName{kPdhNegativeValue, "PDH_CALC_NEGATIVE_VALUE"},
    PdhStatusName{kPdhNoObject, "PDH_CSTATUS_NO_OBJECT"},
    PdhStatusName{kPdhNoCounter, "PDH_CSTATUS_NO_COUNTER"},
    PdhStatusName{kPdhInvalidData, "PDH_CSTATUS_INVALID_DATA"},
    PdhStatusName{0xC0000BBB, "PDH_MEMORY_ALLOCATION_FAILURE"},
    PdhStatusName{0xC0000BBC, "PDH_INVALID_HANDLE"},
    PdhStatusName{0xC0000BBD, "PDH_INVALID_ARGUMENT"},
    PdhStatusName{0xC0000BBE, "PDH_FUNCTION_NOT_FOUND"},
    PdhStatusName{0xC0000BBF, "PDH_CSTATUS_NO_COUNTERNAME"},
    PdhStatusName{0xC0000BC0, "PDH_CSTATUS_BAD_COUNTERNAME"},
    PdhStatusName{kPdhNoValueYet, "PDH_INVALID_DATA"},
    PdhStatusName{0xC0000BC8, "PDH_CANNOT_READ_NAME_STRINGS"},
    PdhStatusName{0xC0000BD3, "PDH_NOT_IMPLEMENTED"},
    PdhStatusName{0xC0000BD4, "PDH_STRING_NOT_FOUND"},
    PdhStatusName{0xC0000BDB, "PDH_ACCESS_DENIED"},
    PdhStatusName{0xC0000BFE, "PDH_QUERY_PERF_DATA_TIMEOUT"},
};

}  // namespace

std::string pdh_status_text(std::uint32_t status) {
  const auto known = std::ranges::find(kPdhStatusNames, status, &PdhStatusName::status);
  if (known == kPdhStatusNames.end()) return hex(status);
  return std::string(known->name) + " (" + hex(status) + ")";
}

std::string describe_pdh(const Error& error) {
  constexpr std::uint32_t kFirstStatus = 0x8000'0000;  // smaller numbers are Windows' own errors
  if (error.code != ErrorCode::kOsError || error.os_code < kFirstStatus) return describe(error);
  return std::string(error.where) + " failed: " + pdh_status_text(error.os_code);
}

}  // namespace winperf
