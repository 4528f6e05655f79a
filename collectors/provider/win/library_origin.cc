#include "collectors/provider/library_origin.h"

#include "collectors/base/win/wide.h"
#include "collectors/provider/win/file_signature.h"
#include "collectors/provider/win/file_version.h"

namespace winperf {

LibraryOrigin read_library_origin(const std::string& path) {
  const std::wstring wide = to_wide(path);
  return {.version = file_version(wide), .signature = file_signature(wide)};
}

}  // namespace winperf
