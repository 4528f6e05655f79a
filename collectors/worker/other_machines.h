// The registries of other machines that a worker process has been asked about, each with a source
// of its own, which stays until it is released.
// Validated: what the parent sends as a name is only text to whoever connects; the number of names
// is bounded. Thread rule: that of the sources.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/sources/remote.h"
#include "collectors/sources/source.h"

namespace winperf::worker {

// Returns the source of a machine.
using MakeRemoteSource =
    std::function<std::expected<std::unique_ptr<CounterSource>, SourceError>(const std::string&)>;

class OtherMachines {
 public:
  static constexpr std::size_t kMax = 4096;  // far more than a worker can ask in an interval

  explicit OtherMachines(MakeRemoteSource make) : make_(std::move(make)) {}

  // Errors: that of making one, with `where` "remote.connect"; kLimitExceeded.
  [[nodiscard]] std::expected<CounterSource*, Error> source_of(std::string_view machine);
  // Closes what is open of it, if anything is.
  void release(std::string_view machine);
  // Closes everything.
  void release();

 private:
  MakeRemoteSource make_;
  std::map<std::string, std::unique_ptr<CounterSource>, std::less<>> sources_;
};

}  // namespace winperf::worker
