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

// Places of errors in words: of a call that has failed, and of anything else that is wrong.
struct PdhPlaceWords {
  std::string_view place;
  std::string_view failure;
  const char* subject;
};

constexpr char kListsObjects[] = "PDH could not list its objects";
constexpr char kListsItems[] = "PDH could not list the object's counters and instances";
constexpr char kOpens[] = "PDH could not open a query";
constexpr char kCollects[] = "PDH could not collect values";
constexpr char kAsks[] = "PDH could not be asked";
constexpr std::array kPdhPlaces{
    PdhPlaceWords{"pdh.objects", kListsObjects, "PDH's list of objects"},
    PdhPlaceWords{"pdh.PdhEnumObjectsW", kListsObjects, "PdhEnumObjectsW"},
    PdhPlaceWords{"pdh.items", kListsItems, "PDH's list of counters and instances"},
    PdhPlaceWords{"pdh.PdhEnumObjectItemsW", kListsItems, "PdhEnumObjectItemsW"},
    PdhPlaceWords{"pdh.open", kOpens, "a query of PDH"},
    PdhPlaceWords{"pdh.PdhOpenQueryW", kOpens, "PdhOpenQueryW"},
    PdhPlaceWords{"pdh.PdhCloseQuery", "PDH could not close a query", "PdhCloseQuery"},
    PdhPlaceWords{"pdh.collect", kCollects, "PDH's collection of values"},
    PdhPlaceWords{"pdh.PdhCollectQueryData", kCollects, "PdhCollectQueryData"},
    PdhPlaceWords{"pdh.ask", kAsks, "a call of PDH"},
    PdhPlaceWords{"pdh.question", kAsks, "a question to PDH's worker"},
    PdhPlaceWords{"pdh.reply", kAsks, "the answer of PDH's worker"},
};

}  // namespace

std::string pdh_status_text(std::uint32_t status) {
  const auto known = std::ranges::find(kPdhStatusNames, status, &PdhStatusName::status);
  if (known == kPdhStatusNames.end()) return hex(status);
  return std::string(known->name) + " (" + hex(status) + ")";
}

std::string describe_pdh(const Error& error) {
  constexpr std::uint32_t kFirstStatus = 0x8000'0000;  // smaller numbers are Windows' own errors
  const auto known =
      std::ranges::find(kPdhPlaces, std::string_view(error.where), &PdhPlaceWords::place);
  const bool is_status = error.os_code >= kFirstStatus;
  if (error.code != ErrorCode::kOsError || (known == kPdhPlaces.end() && !is_status)) {
    Error in_words = error;
    if (known != kPdhPlaces.end()) in_words.where = known->subject;
    return describe(in_words);
  }
  const std::string failure = known != kPdhPlaces.end() ? std::string(known->failure)
                                                        : std::string(error.where) + " failed";
  return failure + ": " +
         (is_status ? pdh_status_text(error.os_code)
                    : "system error " + std::to_string(error.os_code));
}

}  // namespace winperf
