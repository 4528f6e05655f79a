// Watches the values of counters for the recorder's captures: which of the configured bounds are
// crossed. Thread rule: one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "config/config.h"
#include "exporter/api/selection.h"

namespace winperf {

// A bound that a value is now beyond, and before wasn't.
struct Crossing {
  std::string bound;  // "\Process(*)\Working Set above 500000000"
  std::string value;  // "612368384 of sqlservr"
};

class CounterBounds {
 public:
  // Bounds that stay keep their state.
  void change(const std::vector<CounterBound>& bounds);
  bool is_empty() const { return watched_.empty(); }

  // In configured order. One value beyond it crosses a bound; the next crossing comes only after a
  // sample whose values are all within it. A sample without any value changes nothing.
  std::vector<Crossing> crossed_by(const std::shared_ptr<const Sample>& sample);
  // Sentences about bounds that can't be watched, such as those of a counter that doesn't exist.
  // Each is returned once.
  std::vector<std::string> take_problems();

 private:
  struct Watched {
    CounterBound bound;
    api::Selection selection;
    bool is_crossed = false;
    bool has_problem = false;
  };

  void note_problem(Watched& watched, const std::string& what);

  std::vector<Watched> watched_;
  std::vector<std::string> problems_;
};

}  // namespace winperf
