// The position in a recording per value name. Each value name has a separate cursor, so that
// several readers with different value names see the samples in step. ReplaySource and BlgSource
// have one. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "collectors/base/stop.h"
#include "collectors/model/error.h"

namespace winperf {

class SampleCursors {
 public:
  // `where` becomes Error::where, so it is static text.
  explicit SampleCursors(const char* where) : where_(where) {}

  // The position of the next of `sample_count` samples. The cursor always advances, so that an
  // unreadable sample is reported only once. Errors: kCancelled (nothing moves), kEndOfCapture.
  [[nodiscard]] std::expected<std::size_t, Error> next(std::string_view value_name,
                                                       std::size_t sample_count,
                                                       const StopToken& stop) {
    if (stop.stop_requested())
      return std::unexpected(Error{.code = ErrorCode::kCancelled, .where = where_});
    auto cursor = cursors_.find(value_name);
    if (cursor == cursors_.end()) cursor = cursors_.emplace(value_name, 0).first;
    if (cursor->second >= sample_count)
      return std::unexpected(Error{.code = ErrorCode::kEndOfCapture, .where = where_});
    return cursor->second++;
  }

 private:
  const char* where_;
  std::map<std::string, std::size_t, std::less<>> cursors_;
};

}  // namespace winperf
