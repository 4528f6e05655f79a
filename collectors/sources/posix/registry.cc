#include "collectors/sources/platform.h"

namespace winperf {

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits&) {
  return std::unexpected(
      SourceError{ErrorCode::kUnsupported,
                  "the registry source needs Windows; use --source replay:DIR with a capture"});
}

}  // namespace winperf
