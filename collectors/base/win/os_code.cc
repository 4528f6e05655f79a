// Checks OsCode and NetworkCode against the SDK at compile time; there is nothing here to run.
#include "collectors/base/os_code.h"

#include <windows.h>

namespace winperf {
namespace {

constexpr bool is(OsCode ours, DWORD windows) { return value_of(ours) == windows; }
constexpr bool is(NetworkCode ours, DWORD windows) { return value_of(ours) == windows; }

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
static_assert(is(OsCode::kProcedureNotFound, ERROR_PROC_NOT_FOUND));
static_assert(is(OsCode::kLockFailed, ERROR_LOCK_FAILED));
static_assert(is(OsCode::kBusy, ERROR_BUSY));
static_assert(is(OsCode::kAlreadyExists, ERROR_ALREADY_EXISTS));
static_assert(is(OsCode::kBadExeFormat, ERROR_BAD_EXE_FORMAT));
static_assert(is(OsCode::kNoData, ERROR_NO_DATA));
static_assert(is(OsCode::kMoreData, ERROR_MORE_DATA));
static_assert(is(OsCode::kWaitTimeout, WAIT_TIMEOUT));
static_assert(is(OsCode::kMessageNotFound, ERROR_MR_MID_NOT_FOUND));
static_assert(is(OsCode::kBadDatabase, ERROR_BADDB));
static_assert(is(OsCode::kBadKey, ERROR_BADKEY));
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
static_assert(is(OsCode::kInvalidMember, ERROR_INVALID_MEMBER));
static_assert(is(OsCode::kServiceMarkedForDelete, ERROR_SERVICE_MARKED_FOR_DELETE));
static_assert(is(OsCode::kDuplicateServiceName, ERROR_DUPLICATE_SERVICE_NAME));
static_assert(is(OsCode::kNotFound, ERROR_NOT_FOUND));
static_assert(is(OsCode::kPrivilegeNotHeld, ERROR_PRIVILEGE_NOT_HELD));
static_assert(is(OsCode::kNoSystemResources, ERROR_NO_SYSTEM_RESOURCES));
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

static_assert(is(NetworkCode::kFileNotFound, ERROR_FILE_NOT_FOUND));
static_assert(is(NetworkCode::kAccessDenied, ERROR_ACCESS_DENIED));
static_assert(is(NetworkCode::kBadPath, ERROR_BAD_NETPATH));
static_assert(is(NetworkCode::kNameDeleted, ERROR_NETNAME_DELETED));
static_assert(is(NetworkCode::kNetworkAccessDenied, ERROR_NETWORK_ACCESS_DENIED));
static_assert(is(NetworkCode::kBadName, ERROR_BAD_NET_NAME));
static_assert(is(NetworkCode::kInvalidPassword, ERROR_INVALID_PASSWORD));
static_assert(is(NetworkCode::kTimedOut, ERROR_SEM_TIMEOUT));
static_assert(is(NetworkCode::kConnectionRefused, ERROR_CONNECTION_REFUSED));
static_assert(is(NetworkCode::kNetworkUnreachable, ERROR_NETWORK_UNREACHABLE));
static_assert(is(NetworkCode::kHostUnreachable, ERROR_HOST_UNREACHABLE));
static_assert(is(NetworkCode::kNoLogonServers, ERROR_NO_LOGON_SERVERS));
static_assert(is(NetworkCode::kLogonFailure, ERROR_LOGON_FAILURE));
static_assert(is(NetworkCode::kAccountRestriction, ERROR_ACCOUNT_RESTRICTION));
static_assert(is(NetworkCode::kPasswordExpired, ERROR_PASSWORD_EXPIRED));
static_assert(is(NetworkCode::kAccountDisabled, ERROR_ACCOUNT_DISABLED));
static_assert(is(NetworkCode::kLogonTypeNotGranted, ERROR_LOGON_TYPE_NOT_GRANTED));
static_assert(is(NetworkCode::kWrongTargetName, ERROR_WRONG_TARGET_NAME));
static_assert(is(NetworkCode::kTimeSkew, ERROR_TIME_SKEW));
static_assert(is(NetworkCode::kUnknownInterface, RPC_S_UNKNOWN_IF));
static_assert(is(NetworkCode::kServerUnavailable, RPC_S_SERVER_UNAVAILABLE));
static_assert(is(NetworkCode::kEndpointNotRegistered, EPT_S_NOT_REGISTERED));
static_assert(is(NetworkCode::kTrustFailure, ERROR_TRUSTED_RELATIONSHIP_FAILURE));
static_assert(is(NetworkCode::kPasswordMustChange, ERROR_PASSWORD_MUST_CHANGE));
static_assert(is(NetworkCode::kAccountLockedOut, ERROR_ACCOUNT_LOCKED_OUT));

}  // namespace
}  // namespace winperf
