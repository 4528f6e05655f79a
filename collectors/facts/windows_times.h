// From the times of Windows to seconds since 1970. Nothing if the time is none: zero, the largest
// number ("never"), or before the years in which it could have happened.
// Thread rule: any thread. Source: Learn, FILETIME; [MS-OAUT] 2.2.25 (DATE).
#pragma once

#include <cstdint>
#include <optional>

namespace winperf {

// A FILETIME as one number: units of 100 ns since 1601.
std::optional<double> unix_seconds(std::uint64_t file_time);

// An OLE date, days since 30 December 1899, as a FILETIME in the same time zone, to the second. The
// scheduler of tasks, which gives such dates, says "never" by 1899 and by 1999.
std::optional<std::uint64_t> file_time_of_date(double days);

}  // namespace winperf
