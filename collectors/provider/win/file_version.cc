#include "collectors/provider/win/file_version.h"

#include <windows.h>

#include <cstddef>
#include <vector>

#include "collectors/provider/library_origin.h"
#include "collectors/provider/win/system_function.h"

namespace winperf {
namespace {

constexpr DWORD kMaxInfoBytes = 1U << 20;

struct Functions {
  decltype(&GetFileVersionInfoSizeW) size = nullptr;
  decltype(&GetFileVersionInfoW) read = nullptr;
  decltype(&VerQueryValueW) query = nullptr;
};

std::optional<Functions> functions() {
  Functions found;
  const HMODULE library = system_library(L"version.dll");
  if (!find_function(library, "GetFileVersionInfoSizeW", found.size) ||
      !find_function(library, "GetFileVersionInfoW", found.read) ||
      !find_function(library, "VerQueryValueW", found.query))
    return std::nullopt;
  return found;
}

}  // namespace

std::optional<std::string> file_version(const std::wstring& path) {
  static const std::optional<Functions> call = functions();
  if (!call) return std::nullopt;
  DWORD ignored = 0;
  const DWORD size = call->size(path.c_str(), &ignored);
  if (size == 0 || size > kMaxInfoBytes) return std::nullopt;
  std::vector<std::byte> info(size);
  if (!call->read(path.c_str(), 0, size, info.data())) return std::nullopt;
  void* value = nullptr;
  UINT bytes = 0;
  if (!call->query(info.data(), L"\\", &value, &bytes) || bytes < sizeof(VS_FIXEDFILEINFO))
    return std::nullopt;
  const auto& fixed = *static_cast<const VS_FIXEDFILEINFO*>(value);
  return version_text(fixed.dwFileVersionMS, fixed.dwFileVersionLS);
}

}  // namespace winperf
