// Samples whose memory is used again: while nothing grows, a new sample allocates nothing.
//
// A sample comes back when its last reader lets it go, whichever thread that is. The pool may be
// destroyed before its samples. Thread rule: take() from one thread at a time.
#pragma once

#include <memory>

#include "collectors/model/sample.h"

namespace winperf {

class SamplePool {
 public:
  SamplePool();
  // An old sample, or a new one, for prepare().
  [[nodiscard]] std::shared_ptr<CountersetSample> take();

 private:
  class Shelf;
  struct Slot;
  template <class T>
  class Memory;

  std::shared_ptr<Shelf> shelf_;
};

}  // namespace winperf
