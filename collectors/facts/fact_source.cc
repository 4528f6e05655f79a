#include "collectors/facts/fact_source.h"

namespace winperf {

std::expected<FileAnswer, Error> FactSource::read_file(const FileQuestion&,
                                                       std::chrono::milliseconds,
                                                       const StopToken&) {
  return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
}

}  // namespace winperf
