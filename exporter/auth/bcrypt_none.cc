#include "exporter/auth/bcrypt.h"

namespace winperf {

bool has_bcrypt() { return false; }

std::string bcrypt(std::string_view, const std::string&) { return {}; }

}  // namespace winperf
