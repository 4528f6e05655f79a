#include "collectors/blg/sample_runs.h"

#include "collectors/blg/format.h"

namespace winperf::blg {

void SampleRuns::note(std::uint64_t local_100ns, const Place& place) {
  if (local_100ns > kLatestTime) return;
  if (!first_) first_ = local_100ns;
  if (local_100ns == last_) return;
  if (local_100ns < last_ && last_ - local_100ns > depth_) {
    depth_ = last_ - local_100ns;
    second_ = local_100ns;
    fall_ = place;
    before_fall_ = times_;
  }
  ++times_;
  last_ = local_100ns;
}

std::optional<Place> SampleRuns::oldest() const {
  // Times that go on falling are no second run.
  if (depth_ == 0 || last_ > *first_ || last_ < second_) return std::nullopt;
  const bool is_outlier = before_fall_ == 1 && *first_ - last_ > last_ - second_;
  return is_outlier ? std::nullopt : std::optional(fall_);
}

}  // namespace winperf::blg
