#include "collectors/pdh/pdh_api.h"

#include "collectors/pdh/win/pdh_reader.h"

namespace winperf {

// From System32, wherever the program lies.
std::expected<std::unique_ptr<PdhApi>, Error> make_pdh_api() {
  UniqueLibrary library = load_system_library(L"pdh.dll");
  if (!library)
    return std::unexpected(Error{.code = ErrorCode::kUnsupported,
                                 .where = "pdh.dll",
                                 .os_code = static_cast<std::uint32_t>(GetLastError())});
  const PdhFunctions functions = pdh_functions_in(library.get());
  return std::make_unique<PdhReader>(functions, std::move(library));
}

}  // namespace winperf
