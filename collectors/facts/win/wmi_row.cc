#include "collectors/facts/win/wmi_row.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "collectors/base/win/wide.h"
#include "collectors/facts/win/com.h"
#include "collectors/facts/win/wmi.h"

namespace winperf {
namespace {

// WMI hands out integers of 64 bits as text.
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
    // Integers without a sign come as ones with a sign.
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

}  // namespace winperf
