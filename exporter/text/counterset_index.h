// The countersets of one sample by the names that people use, regardless of case: as configured,
// what the object is called, or what it is called without the installation of its product. Built
// once for a sample, so that a name of a question costs a look into a table, however many
// countersets there are.
// Thread rule: never changes, so any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf {

class CountersetIndex {
 public:
  explicit CountersetIndex(std::shared_ptr<const Sample> sample);

  const Sample& sample() const { return *sample_; }
  // The places in the sample of those that are called so, in their order; none: nothing is.
  std::span<const std::size_t> called(std::string_view name) const;
  bool has(std::string_view name) const { return !called(name).empty(); }

 private:
  std::shared_ptr<const Sample> sample_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;  // by name in lower case
};

}  // namespace winperf
