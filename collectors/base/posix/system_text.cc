#include "collectors/base/system_text.h"

namespace winperf {

// English, because the program sets no locale.
std::string system_text(const std::error_code& error) { return error.message(); }

}  // namespace winperf
