// What a worker process has been asked about by a name: the registries of other machines, or the
// providers that share the process. Each has a source of its own, which stays until it is released.
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

// Returns the source with a name.
using MakeNamedSource =
    std::function<std::expected<std::unique_ptr<CounterSource>, SourceError>(const std::string&)>;

class NamedSources {
 public:
  static constexpr std::size_t kMax = 4096;  // far more than a worker can ask in an interval

  explicit NamedSources(MakeNamedSource make) : make_(std::move(make)) {}

  // Errors: that of making one, with `where` "remote.connect"; kLimitExceeded.
  [[nodiscard]] std::expected<CounterSource*, Error> source_of(std::string_view machine);
  // Closes what is open of it, if anything is.
  void release(std::string_view machine);
  // Closes everything.
  void release();

 private:
  MakeNamedSource make_;
  std::map<std::string, std::unique_ptr<CounterSource>, std::less<>> sources_;
};

}  // namespace winperf::worker
