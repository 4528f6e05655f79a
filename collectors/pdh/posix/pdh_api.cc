#include "collectors/pdh/pdh_api.h"

namespace winperf {

// There is no PDH without Windows.
std::expected<std::unique_ptr<PdhApi>, Error> make_pdh_api() {
  return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "pdh.dll"});
}

}  // namespace winperf
