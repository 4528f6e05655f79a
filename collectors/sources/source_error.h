// Why a source could not be made, for the person who asked for it: unlike winperf::Error it carries
// text of its own, because it names a directory or says what to do instead.
#pragma once

#include <string>

#include "collectors/model/error.h"

namespace winperf {

struct SourceError {
  ErrorCode code = ErrorCode::kOsError;
  std::string text;  // UTF-8, one sentence, lower case, no full stop
};

}  // namespace winperf
