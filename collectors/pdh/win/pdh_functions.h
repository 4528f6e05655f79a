// pdh.dll's functions, found at run time, so that the program starts without them and a test can
// have its own. Each may be missing (null): what needs it then fails with its name.
// Thread rule: values. Source: pdh.h; Learn, "Performance Counters Functions".
#pragma once

#include <windows.h>
// After windows.h.
#include <pdh.h>

namespace winperf {

struct PdhFunctions {
  decltype(&PdhEnumObjectsW) enum_objects = nullptr;
  decltype(&PdhEnumObjectItemsW) enum_object_items = nullptr;
  decltype(&PdhLookupPerfNameByIndexW) lookup_name = nullptr;
  decltype(&PdhOpenQueryW) open_query = nullptr;
  decltype(&PdhCloseQuery) close_query = nullptr;
  // English names since Windows Vista; without it, the other takes names in the machine's language.
  decltype(&PdhAddCounterW) add_english_counter = nullptr;
  decltype(&PdhAddCounterW) add_counter = nullptr;
  decltype(&PdhGetCounterInfoW) counter_info = nullptr;
  decltype(&PdhGetCounterTimeBase) counter_time_base = nullptr;
  decltype(&PdhCollectQueryData) collect_query_data = nullptr;
  decltype(&PdhGetRawCounterArrayW) raw_array = nullptr;
  decltype(&PdhGetFormattedCounterArrayW) formatted_array = nullptr;
  decltype(&PdhCalculateCounterFromRawValue) calculate = nullptr;
  decltype(&PdhGetRawCounterValue) raw_value = nullptr;
  decltype(&PdhGetFormattedCounterValue) formatted_value = nullptr;
};

// Those that the library exports.
PdhFunctions pdh_functions_in(HMODULE library);

}  // namespace winperf
