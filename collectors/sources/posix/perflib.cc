#include "collectors/sources/platform.h"

namespace winperf {

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  return std::unexpected(SourceError{ErrorCode::kUnsupported, "PerfLib needs Windows"});
}

}  // namespace winperf
