// The name of the section that the service creates, and the extension DLL opens for each query.
//
// In the namespace of all sessions: the service is in session 0, and monitors are in others.
// Compiled into the DLL (counter_row.h). Thread rule: constants.
#pragma once

namespace winperf::own {

inline constexpr char16_t kSectionName[] = u"Global\\winperf_exporter_counters";

}  // namespace winperf::own
