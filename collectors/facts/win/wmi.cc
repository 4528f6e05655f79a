#include "collectors/facts/win/wmi.h"

#include <wbemidl.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "collectors/facts/win/com.h"
#include "collectors/facts/win/wmi_row.h"

namespace winperf {
namespace {

constexpr ULONG kRowsAtOnce = 16;

std::unexpected<Error> wmi_error(HRESULT result) {
  return std::unexpected(com_error(result, "wmi"));
}

std::unexpected<Error> timed_out() {
  return std::unexpected(Error{.code = ErrorCode::kTimedOut,
                               .where = "wmi",
                               .os_code = static_cast<std::uint32_t>(WBEM_S_TIMEDOUT)});
}

// COM's defaults let the other side see who asks, but not act for us, which providers need. What
// isn't a proxy refuses, and needs none of this.
void let_act_for_us(IUnknown* proxy) {
  CoSetProxyBlanket(proxy, RPC_C_AUTHN_DEFAULT, RPC_C_AUTHZ_DEFAULT, COLE_DEFAULT_PRINCIPAL,
                    RPC_C_AUTHN_LEVEL_PKT_PRIVACY, RPC_C_IMP_LEVEL_IMPERSONATE, nullptr,
                    EOAC_DEFAULT);
}

[[nodiscard]] std::expected<UniqueCom<IEnumWbemClassObject>, Error> start_query(
    std::wstring_view name_space, std::wstring_view wql) {
  UniqueCom<IWbemLocator> locator;
  HRESULT result = CoCreateInstance(CLSID_WbemLocator, nullptr, CLSCTX_INPROC_SERVER,
                                    IID_IWbemLocator, reinterpret_cast<void**>(locator.put()));
  if (FAILED(result)) return wmi_error(result);
  UniqueCom<IWbemServices> services;
  result = locator.get()->ConnectServer(make_bstr(name_space).get(), nullptr, nullptr, nullptr,
                                        WBEM_FLAG_CONNECT_USE_MAX_WAIT, nullptr, nullptr,
                                        services.put());
  if (FAILED(result)) return wmi_error(result);
  let_act_for_us(services.get());
  UniqueCom<IEnumWbemClassObject> found;
  result = services.get()->ExecQuery(make_bstr(L"WQL").get(), make_bstr(wql).get(),
                                     WBEM_FLAG_FORWARD_ONLY | WBEM_FLAG_RETURN_IMMEDIATELY, nullptr,
                                     found.put());
  if (FAILED(result)) return wmi_error(result);
  let_act_for_us(found.get());
  return found;
}

// The next rows, at most kRowsAtOnce. Whether there may be more.
[[nodiscard]] std::expected<bool, Error> read_rows(IEnumWbemClassObject& found, LONG wait_ms,
                                                   FactTable& table) {
  std::array<IWbemClassObject*, kRowsAtOnce> objects{};
  ULONG count = 0;
  const HRESULT result = found.Next(wait_ms, kRowsAtOnce, objects.data(), &count);
  for (IWbemClassObject* const object : objects) {
    const UniqueCom<IWbemClassObject> owned(object);
    if (!owned) continue;
    auto row = read_wmi_row(*object);
    if (row)
      table.rows.push_back(*std::move(row));
    else
      table.problems.push_back("An answer of WMI can't be read: " + describe(row.error()));
  }
  if (FAILED(result)) return wmi_error(result);
  if (result == WBEM_S_TIMEDOUT) return timed_out();
  return result == WBEM_S_NO_ERROR && count > 0;
}

ErrorCode code_of(HRESULT result) {
  switch (static_cast<std::uint32_t>(result)) {
    case static_cast<std::uint32_t>(E_ACCESSDENIED):
    case static_cast<std::uint32_t>(WBEM_E_ACCESS_DENIED):
      return ErrorCode::kAccessDenied;
    case static_cast<std::uint32_t>(REGDB_E_CLASSNOTREG):
    case static_cast<std::uint32_t>(WBEM_E_INVALID_CLASS):
    case static_cast<std::uint32_t>(WBEM_E_INVALID_NAMESPACE):
    case static_cast<std::uint32_t>(WBEM_E_PROVIDER_NOT_FOUND):
      return ErrorCode::kUnsupported;
    case static_cast<std::uint32_t>(CO_E_SERVER_EXEC_FAILURE):
    case static_cast<std::uint32_t>(WBEM_E_SHUTTING_DOWN):
    case 0x80070422:  // ERROR_SERVICE_DISABLED
    case 0x800706BA:  // RPC_S_SERVER_UNAVAILABLE
      return ErrorCode::kNotRunning;
    default:
      return ErrorCode::kOsError;
  }
}

}  // namespace

Error com_error(HRESULT result, const char* where) {
  return Error{
      .code = code_of(result), .where = where, .os_code = static_cast<std::uint32_t>(result)};
}

std::expected<FactTable, Error> query_wmi(std::wstring_view name_space, std::wstring_view wql) {
  constexpr auto kLongestMs =
      static_cast<ULONGLONG>(std::chrono::milliseconds(kLongestWmiQuery).count());
  const ComApartment apartment;
  if (FAILED(apartment.result())) return wmi_error(apartment.result());
  const ULONGLONG start = GetTickCount64();
  const auto found = start_query(name_space, wql);
  if (!found) return std::unexpected(found.error());
  FactTable table;
  while (table.rows.size() < kMaxFactRows) {
    const ULONGLONG passed = GetTickCount64() - start;
    if (passed >= kLongestMs) return timed_out();
    const auto more = read_rows(*found->get(), static_cast<LONG>(kLongestMs - passed), table);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
  }
  return table;
}

}  // namespace winperf
