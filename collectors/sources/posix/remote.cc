#include "collectors/sources/platform.h"

namespace winperf {

std::expected<std::unique_ptr<CounterSource>, SourceError> make_remote_source(const std::string&,
                                                                              const QueryLimits&) {
  return std::unexpected(
      SourceError{ErrorCode::kUnsupported, "reading counters of remote machines needs Windows"});
}

}  // namespace winperf
