// Where the recorded samples don't continue: samples are missing, or the clock was set. Thread
// rule: pure function.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/raw_reading.h"
#include "collectors/recorder/history.h"

namespace winperf::recorder {

// Of all countersets that lack samples at the same time.
struct Interruption {
  NoValue reason = NoValue::kNone;  // kGap or kClockBackwards
  Instant before;                   // when the last of them was sampled before it
  Instant after;                    // when the first of them was sampled after it
  std::vector<std::string> countersets{};
};

// Those that end after `since`, in the order of time; the newest ones, if there are more than
// `most`.
[[nodiscard]] std::expected<std::vector<Interruption>, Error> interruptions(const History& history,
                                                                            Ticks100ns since,
                                                                            std::size_t most);

}  // namespace winperf::recorder
