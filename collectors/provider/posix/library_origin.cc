#include "collectors/provider/library_origin.h"

namespace winperf {

LibraryOrigin read_library_origin(const std::string&) { return {}; }

}  // namespace winperf
