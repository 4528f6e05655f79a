// Watches the values of counters for the recorder's captures: which of the configured bounds are
// crossed. Thread rule: one thread.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "config/config.h"
#include "exporter/api/selection.h"
#include "exporter/text/page_selection.h"

namespace winperf {

// A bound that a value is now beyond, and before wasn't.
struct Crossing {
  std::string bound;      // "\Process(*)\Working Set above 500000000"
  std::string value;      // "612368384 of sqlservr"
  bool is_again = false;  // it was put back
};

class CounterBounds {
 public:
  // Until then, a counterset may not have been found yet.
  static constexpr std::chrono::minutes kPatience{1};

  // Bounds that stay keep their state.
  void change(const std::vector<CounterBound>& bounds, SteadyTime now);

  // In configured order. One value beyond it crosses a bound; the next crossing comes only after a
  // sample whose values are all within it. A sample without any value changes nothing; that of a
  // counterset that fails has none.
  std::vector<Crossing> crossed_by(const std::shared_ptr<const Sample>& sample, SteadyTime now);
  // Nothing has come of it: the next sample whose value is still beyond the bound has it again.
  void put_back(const Crossing& crossing);
  // Sentences about bounds that can't be watched, such as those of a counter that doesn't exist.
  // Each is returned once, until its bound can be watched.
  std::vector<std::string> take_problems();

 private:
  struct Watched {
    CounterBound bound;
    api::Selection selection;
    bool is_crossed = false;
    bool is_put_back = false;
    bool has_problem = false;
  };

  [[nodiscard]] std::expected<void, std::string> look(Watched& watched, const Sample& sample,
                                                      const CountersetIndex& index,
                                                      std::vector<Crossing>& crossings) const;
  void note_problem(Watched& watched, const std::string& what);

  std::vector<Watched> watched_;
  SteadyTime changed_at_{};
  std::vector<std::string> problems_;
};

}  // namespace winperf
