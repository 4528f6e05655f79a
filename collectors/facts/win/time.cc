#include <windows.h>

#include <string_view>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

// `result` says which half of the year it is. The biases are minutes west of UTC.
double utc_offset_seconds(const DYNAMIC_TIME_ZONE_INFORMATION& zone, DWORD result) {
  constexpr double kSecondsPerMinute = 60;
  LONG bias = zone.Bias;
  if (result == TIME_ZONE_ID_STANDARD) bias += zone.StandardBias;
  if (result == TIME_ZONE_ID_DAYLIGHT) bias += zone.DaylightBias;
  return static_cast<double>(-bias) * kSecondsPerMinute;
}

void add_zone(FactTable& table) {
  DYNAMIC_TIME_ZONE_INFORMATION zone{};
  const DWORD result = GetDynamicTimeZoneInformation(&zone);
  if (result == TIME_ZONE_ID_INVALID) {
    table.problems.push_back(problem_text("The time zone", GetLastError()));
    return;
  }
  FactRow& row = table.rows.front();
  std::wstring_view name(zone.TimeZoneKeyName, std::size(zone.TimeZoneKeyName));
  name = name.substr(0, name.find(L'\0'));
  if (!name.empty()) row.text("timezone", to_utf8(name));
  row.number("utc_offset", utc_offset_seconds(zone, result));
}

}  // namespace

FactAnswer read_time() {
  FactTable table;
  FactRow& row = table.add();
  add_zone(table);
  const KeyReader key(HKEY_LOCAL_MACHINE,
                      L"SYSTEM\\CurrentControlSet\\Services\\W32Time\\Parameters");
  if (const auto source = key.text(L"Type"); source && !source->empty())
    row.text("clock_sync_source", to_utf8(*source));
  return table;
}

}  // namespace winperf
