// Checks OsCode against the SDK at compile time; there is nothing here to run.
#include "collectors/base/os_code.h"

#include <windows.h>

namespace winperf {
namespace {

constexpr bool is(OsCode ours, DWORD windows) { return value_of(ours) == windows; }

static_assert(is(OsCode::kSuccess, ERROR_SUCCESS));
static_assert(is(OsCode::kInvalidFunction, ERROR_INVALID_FUNCTION));
static_assert(is(OsCode::kFileNotFound, ERROR_FILE_NOT_FOUND));
static_assert(is(OsCode::kPathNotFound, ERROR_PATH_NOT_FOUND));
static_assert(is(OsCode::kAccessDenied, ERROR_ACCESS_DENIED));
static_assert(is(OsCode::kInvalidHandle, ERROR_INVALID_HANDLE));
static_assert(is(OsCode::kNotEnoughMemory, ERROR_NOT_ENOUGH_MEMORY));
static_assert(is(OsCode::kInvalidData, ERROR_INVALID_DATA));
static_assert(is(OsCode::kNotReady, ERROR_NOT_READY));
static_assert(is(OsCode::kNotSupported, ERROR_NOT_SUPPORTED));
static_assert(is(OsCode::kInvalidParameter, ERROR_INVALID_PARAMETER));
static_assert(is(OsCode::kCallNotImplemented, ERROR_CALL_NOT_IMPLEMENTED));
static_assert(is(OsCode::kInsufficientBuffer, ERROR_INSUFFICIENT_BUFFER));
static_assert(is(OsCode::kInvalidLevel, ERROR_INVALID_LEVEL));
static_assert(is(OsCode::kModuleNotFound, ERROR_MOD_NOT_FOUND));
static_assert(is(OsCode::kLockFailed, ERROR_LOCK_FAILED));
static_assert(is(OsCode::kBusy, ERROR_BUSY));
static_assert(is(OsCode::kAlreadyExists, ERROR_ALREADY_EXISTS));
static_assert(is(OsCode::kBadExeFormat, ERROR_BAD_EXE_FORMAT));
static_assert(is(OsCode::kNoData, ERROR_NO_DATA));
static_assert(is(OsCode::kMoreData, ERROR_MORE_DATA));
static_assert(is(OsCode::kWaitTimeout, WAIT_TIMEOUT));
static_assert(is(OsCode::kMessageNotFound, ERROR_MR_MID_NOT_FOUND));
static_assert(is(OsCode::kDependentServicesRunning, ERROR_DEPENDENT_SERVICES_RUNNING));
static_assert(is(OsCode::kServiceRequestTimeout, ERROR_SERVICE_REQUEST_TIMEOUT));
static_assert(is(OsCode::kServiceAlreadyRunning, ERROR_SERVICE_ALREADY_RUNNING));
static_assert(is(OsCode::kInvalidServiceAccount, ERROR_INVALID_SERVICE_ACCOUNT));
static_assert(is(OsCode::kServiceDisabled, ERROR_SERVICE_DISABLED));
static_assert(is(OsCode::kServiceDoesNotExist, ERROR_SERVICE_DOES_NOT_EXIST));
static_assert(is(OsCode::kServiceCannotAcceptControl, ERROR_SERVICE_CANNOT_ACCEPT_CTRL));
static_assert(is(OsCode::kServiceNotActive, ERROR_SERVICE_NOT_ACTIVE));
static_assert(is(OsCode::kServiceSpecificError, ERROR_SERVICE_SPECIFIC_ERROR));
static_assert(is(OsCode::kServiceLogonFailed, ERROR_SERVICE_LOGON_FAILED));
static_assert(is(OsCode::kProcessAborted, ERROR_PROCESS_ABORTED));
static_assert(is(OsCode::kServiceMarkedForDelete, ERROR_SERVICE_MARKED_FOR_DELETE));
static_assert(is(OsCode::kDuplicateServiceName, ERROR_DUPLICATE_SERVICE_NAME));
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
