// Local time, as the machine's clock on the wall shows it. Implemented in win/ and posix/. Thread
// rule: any thread.
#pragma once

#include <chrono>

#include "collectors/base/clock.h"

namespace winperf {

// How far local clocks are ahead of UTC at that time; UTC if it is too far away for a date.
[[nodiscard]] std::chrono::seconds utc_offset(Ticks100ns time);

}  // namespace winperf
