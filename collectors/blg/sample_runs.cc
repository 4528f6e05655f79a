#include "collectors/blg/sample_runs.h"

#include "collectors/blg/format.h"

namespace winperf::blg {

void SampleRuns::note(std::uint64_t local_100ns, const Place& place) {
  if (local_100ns > kLatestTime) return;
  if (first_ && local_100ns < last_ && falls_++ == 0) fall_ = place;
  if (!first_) first_ = local_100ns;
  last_ = local_100ns;
}

std::optional<Place> SampleRuns::oldest() const {
  return falls_ == 1 && last_ <= *first_ ? std::optional(fall_) : std::nullopt;
}

}  // namespace winperf::blg
