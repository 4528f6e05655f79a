// What a reader returns for one counterset: a sample, or the reason why there is none. Both readers
// (registry/registry_reader.h, perflib/perflib_reader.h) and what they are made of return it.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf {

struct Reading {
  std::shared_ptr<const CountersetSample> sample;  // never null
  std::vector<Error> problems{};                   // damaged parts, each of which cost only itself
  // Of the reply, or of what is this counterset's in one that it shares; a reader sets both.
  std::uint64_t bytes = 0;
  std::chrono::steady_clock::duration shared_query{};  // that was over before the reader began
  std::optional<Instant> taken_at{};                   // then
};

struct ReadFailure {
  Error error;                    // why there is no sample
  std::vector<Error> problems{};  // found before that; `error` is not among them
};

using ReadResult = std::expected<Reading, ReadFailure>;

inline std::vector<Error>& problems_of(ReadResult& result) {
  return result ? result->problems : result.error().problems;
}

// `result`, with problems that were found before it.
[[nodiscard]] inline ReadResult with_earlier(std::vector<Error> problems, ReadResult result) {
  std::vector<Error>& later = problems_of(result);
  later.insert(later.begin(), problems.begin(), problems.end());
  return result;
}

}  // namespace winperf
