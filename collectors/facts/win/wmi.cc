#include "collectors/facts/win/wmi.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "collectors/base/win/wide.h"
#include "collectors/facts/win/com.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/wmi_rows.h"

namespace winperf {
namespace {

// WMI returns 64-bit integers as text.
std::optional<double> integer_in(const std::string& text, CIMTYPE type) {
  const char* const end = text.data() + text.size();
  std::uint64_t natural = 0;
  std::int64_t integer = 0;
  const auto [stopped, error] = type == CIM_UINT64 ? std::from_chars(text.data(), end, natural)
                                                   : std::from_chars(text.data(), end, integer);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return type == CIM_UINT64 ? static_cast<double>(natural) : static_cast<double>(integer);
}

std::optional<double> number_in(const VARIANT& value, CIMTYPE type) {
  switch (value.vt) {
    case VT_BOOL:
      return value.boolVal != VARIANT_FALSE ? 1 : 0;
    case VT_UI1:
      return value.bVal;
    case VT_I2:
      return value.iVal;
    // Unsigned integers are returned as signed ones.
    case VT_I4:
      return type == CIM_UINT32 ? static_cast<std::uint32_t>(value.lVal) : value.lVal;
    case VT_R4:
      return value.fltVal;
    case VT_R8:
      return value.dblVal;
    default:
      return std::nullopt;
  }
}

void add_property(FactRow& row, std::wstring_view name, const VARIANT& value, CIMTYPE type) {
  if (value.vt != VT_BSTR) {
    if (const auto number = number_in(value, type)) row.number(to_utf8(name), *number);
    return;
  }
  const std::string text = to_utf8(view_of(value.bstrVal));
  if (text.empty()) return;
  if (type != CIM_UINT64 && type != CIM_SINT64) {
    row.text(to_utf8(name), text);
  } else if (const auto number = integer_in(text, type)) {
    row.number(to_utf8(name), *number);
  }
}

}  // namespace

std::expected<FactRow, Error> read_wmi_row(IWbemClassObject& object) {
  FactRow row;
  HRESULT result = object.BeginEnumeration(WBEM_FLAG_NONSYSTEM_ONLY);
  if (FAILED(result)) return std::unexpected(com_error(result, "wmi"));
  while (row.fields().size() < kMaxFactFields) {
    UniqueBstr name;
    Variant value;
    CIMTYPE type = CIM_EMPTY;
    result = object.Next(0, name.put(), value.put(), &type, nullptr);
    if (FAILED(result)) return std::unexpected(com_error(result, "wmi"));
    if (result == WBEM_S_NO_MORE_DATA) break;
    add_property(row, view_of(name.get()), value.get(), type);
  }
  object.EndEnumeration();
  return row;
}

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

// COM's defaults let the server identify us, but not impersonate us, which providers need. Objects
// that aren't proxies refuse this, and don't need it.
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

// Reads the next rows, at most kRowsAtOnce. Returns whether more may follow.
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
      table.problems.push_back("a WMI row cannot be read: " + describe(row.error()));
  }
  if (FAILED(result)) return wmi_error(result);
  if (result == WBEM_S_TIMEDOUT) return timed_out();
  return result == WBEM_S_NO_ERROR && count > 0;
}

ErrorCode error_code_of(HRESULT result) {
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
      .code = error_code_of(result), .where = where, .os_code = static_cast<std::uint32_t>(result)};
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

FactAnswer read_printers() {
  constexpr std::wstring_view kNamespace = L"root\\cimv2";
  const auto printers = query_wmi(
      kNamespace, L"SELECT Name, PrinterStatus, JobCountSinceLastReset FROM Win32_Printer");
  if (!printers) return std::unexpected(printers.error());
  auto jobs = query_wmi(kNamespace, L"SELECT Name, Status FROM Win32_PrintJob");
  if (!jobs) jobs = FactTable{.problems = {"print jobs: " + describe(jobs.error())}};
  return printer_rows(*printers, *jobs);
}

namespace {

// Without the class there are no rows, which isn't a failure: the role isn't installed.
FactAnswer rows_of_role(std::wstring_view name_space, std::wstring_view wql,
                        FactTable (*rows)(const FactTable&)) {
  const auto answer = query_wmi(name_space, wql);
  if (answer) return rows(*answer);
  if (answer.error().code == ErrorCode::kUnsupported) return FactTable{};
  return std::unexpected(answer.error());
}

}  // namespace

FactAnswer read_service_status() {
  const auto services = query_wmi(L"root\\cimv2", L"SELECT Name, Status FROM Win32_Service");
  if (!services) return std::unexpected(services.error());
  return service_status_rows(*services);
}

// The role is File Server Resource Manager.
FactAnswer read_quotas() {
  return rows_of_role(L"root\\microsoft\\windows\\fsrm",
                      L"SELECT Path, Template, Description, PeakUsage, Size, Usage, Disabled, "
                      L"MatchesTemplate, SoftLimit FROM MSFT_FSRMQuota",
                      quota_rows);
}

// The role is the DNS server. Source: Microsoft Learn, MicrosoftDNS_Statistic.
FactAnswer read_dns_statistics() {
  // The other collections duplicate the counters of the object DNS.
  return rows_of_role(L"root\\MicrosoftDNS",
                      L"SELECT Name, CollectionName, DnsServerName, Value FROM "
                      L"MicrosoftDNS_Statistic WHERE CollectionName = 'Error Stats'",
                      dns_statistic_rows);
}

}  // namespace winperf
