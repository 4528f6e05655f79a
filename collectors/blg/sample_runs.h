// Finds out whether the samples of a log begin in the middle of the file: a circular log that has
// reached its largest size goes on at its beginning, over its oldest samples. Then the file has two
// runs of samples, and the second one is older.
//
// Judged by the samples' local times: where they fall the most the second run begins, and the last
// sample isn't later than the first one. Clocks that were set back, as at the end of daylight time,
// fall less, and a single sample before the fall that is far from all others has a wrong time.
// Thread rule: one thread. Source: docs/blg.md, "Circular logs".
#pragma once

#include <cstdint>
#include <optional>

#include "collectors/blg/record_joiner.h"

namespace winperf::blg {

class SampleRuns {
 public:
  // A part of a sample, in the order of the file.
  void note(std::uint64_t local_100ns, const Place& place);

  // Where the older run begins, if there are two.
  std::optional<Place> oldest() const;

 private:
  std::optional<std::uint64_t> first_;
  std::uint64_t last_ = 0;
  std::uint64_t times_ = 0;  // different ones, one after the other
  std::uint64_t depth_ = 0;  // of the deepest fall; 0: there is none
  std::uint64_t before_fall_ = 0;
  std::uint64_t second_ = 0;  // the time after it
  Place fall_;
};

}  // namespace winperf::blg
