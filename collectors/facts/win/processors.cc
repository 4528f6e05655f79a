#include <windows.h>

// After windows.h.
#include <wbemidl.h>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/processor_topology.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"

namespace winperf {
namespace {

constexpr std::wstring_view kNamespace = L"root\\cimv2";

// The load is left out on purpose: WMI measures it for a second.
[[nodiscard]] std::expected<FactTable, Error> query_processors() {
  auto answer = query_wmi(kNamespace,
                          L"SELECT DeviceID, Name, Description, Architecture, Family, "
                          L"NumberOfCores, NumberOfLogicalProcessors, L2CacheSize, L3CacheSize, "
                          L"NumberOfEnabledCore, ThreadCount FROM Win32_Processor");
  // The last two exist since Windows 10; before, WMI refuses a query that has them.
  if (answer || answer.error().os_code != static_cast<std::uint32_t>(WBEM_E_INVALID_QUERY))
    return answer;
  return query_wmi(kNamespace,
                   L"SELECT DeviceID, Name, Description, Architecture, Family, NumberOfCores, "
                   L"NumberOfLogicalProcessors, L2CacheSize, L3CacheSize FROM Win32_Processor");
}

void add_text(FactRow& row, std::string_view field, const FactRow& from, std::string_view name) {
  const FactValue* const value = property(from, name);
  if (value == nullptr || !std::holds_alternative<std::string>(*value)) return;
  const std::string_view text = without_blanks_at_end(std::get<std::string>(*value));
  if (!text.empty()) row.text(field, text);
}

void add_kibibytes(FactRow& row, std::string_view field, const FactRow& from,
                   std::string_view name) {
  constexpr double kBytesPerKibibyte = 1'024;
  const FactValue* const value = property(from, name);
  if (value == nullptr || !std::holds_alternative<double>(*value)) return;
  row.number(field, std::get<double>(*value) * kBytesPerKibibyte);
}

FactRow row_of(const FactRow& processor) {
  FactRow row;
  add_text(row, "device_id", processor, "DeviceID");
  add_text(row, "name", processor, "Name");
  add_text(row, "description", processor, "Description");
  copy_as_text(processor, "Architecture", row, "architecture");
  copy_as_text(processor, "Family", row, "family");
  copy_property(processor, "NumberOfCores", row, "cores");
  copy_property(processor, "NumberOfEnabledCore", row, "enabled_cores");
  copy_property(processor, "NumberOfLogicalProcessors", row, "logical_processors");
  copy_property(processor, "ThreadCount", row, "threads");
  add_kibibytes(row, "l2_cache", processor, "L2CacheSize");
  add_kibibytes(row, "l3_cache", processor, "L3CacheSize");
  return row;
}

}  // namespace

FactAnswer read_processors() {
  const auto answer = query_processors();
  if (!answer || answer->rows.empty()) return read_processors_without_wmi();
  FactTable table;
  table.problems = answer->problems;
  for (const FactRow& processor : answer->rows) table.rows.push_back(row_of(processor));
  return table;
}

}  // namespace winperf
