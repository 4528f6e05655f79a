// Holds OsCode against the SDK; there is nothing here to run.
#include "collectors/sources/os_code.h"

#include <windows.h>

namespace winperf {
namespace {

constexpr bool is(OsCode ours, DWORD windows) { return value_of(ours) == windows; }

static_assert(is(OsCode::kSuccess, ERROR_SUCCESS));
static_assert(is(OsCode::kFileNotFound, ERROR_FILE_NOT_FOUND));
static_assert(is(OsCode::kPathNotFound, ERROR_PATH_NOT_FOUND));
static_assert(is(OsCode::kAccessDenied, ERROR_ACCESS_DENIED));
static_assert(is(OsCode::kInvalidHandle, ERROR_INVALID_HANDLE));
static_assert(is(OsCode::kNotEnoughMemory, ERROR_NOT_ENOUGH_MEMORY));
static_assert(is(OsCode::kInvalidData, ERROR_INVALID_DATA));
static_assert(is(OsCode::kNotReady, ERROR_NOT_READY));
static_assert(is(OsCode::kNotSupported, ERROR_NOT_SUPPORTED));
static_assert(is(OsCode::kInvalidParameter, ERROR_INVALID_PARAMETER));
static_assert(is(OsCode::kInsufficientBuffer, ERROR_INSUFFICIENT_BUFFER));
static_assert(is(OsCode::kModuleNotFound, ERROR_MOD_NOT_FOUND));
static_assert(is(OsCode::kLockFailed, ERROR_LOCK_FAILED));
static_assert(is(OsCode::kBusy, ERROR_BUSY));
static_assert(is(OsCode::kAlreadyExists, ERROR_ALREADY_EXISTS));
static_assert(is(OsCode::kBadExeFormat, ERROR_BAD_EXE_FORMAT));
static_assert(is(OsCode::kNoData, ERROR_NO_DATA));
static_assert(is(OsCode::kMoreData, ERROR_MORE_DATA));
static_assert(is(OsCode::kWaitTimeout, WAIT_TIMEOUT));
static_assert(is(OsCode::kMessageNotFound, ERROR_MR_MID_NOT_FOUND));
static_assert(is(OsCode::kNotFound, ERROR_NOT_FOUND));
static_assert(is(OsCode::kRpcServerUnavailable, RPC_S_SERVER_UNAVAILABLE));
static_assert(is(OsCode::kRpcCallFailed, RPC_S_CALL_FAILED));
static_assert(is(OsCode::kResourceDataNotFound, ERROR_RESOURCE_DATA_NOT_FOUND));
static_assert(is(OsCode::kResourceLanguageNotFound, ERROR_RESOURCE_LANG_NOT_FOUND));
static_assert(is(OsCode::kGuidNotFound, ERROR_WMI_GUID_NOT_FOUND));
static_assert(is(OsCode::kInstanceNotFound, ERROR_WMI_INSTANCE_NOT_FOUND));
static_assert(is(OsCode::kItemNotFound, ERROR_WMI_ITEMID_NOT_FOUND));
static_assert(is(OsCode::kInvalidRegistration, ERROR_WMI_INVALID_REGINFO));
static_assert(is(OsCode::kEventMessageNotFound, ERROR_EVT_MESSAGE_NOT_FOUND));
static_assert(is(OsCode::kEventMessageLocaleNotFound, ERROR_EVT_MESSAGE_LOCALE_NOT_FOUND));
static_assert(is(OsCode::kMuiFileNotFound, ERROR_MUI_FILE_NOT_FOUND));
static_assert(is(OsCode::kMuiInvalidLocaleName, ERROR_MUI_INTLSETTINGS_INVALID_LOCALE_NAME));

}  // namespace
}  // namespace winperf
