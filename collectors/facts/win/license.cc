// Source: Microsoft Learn, SLIsGenuineLocal (slpublic.h), which mingw-w64's headers lack.
#include <windows.h>

#include <bit>
#include <memory>

#include "collectors/facts/label_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

constexpr const char* kWhere = "facts.license";
// The application that is Windows itself.
constexpr GUID kWindows{
    0x55c92734, 0xd682, 0x4d71, {0x98, 0x3e, 0xd6, 0xec, 0x3f, 0x16, 0x05, 0x9f}};

struct FreeLibraryLater {
  void operator()(HMODULE library) const { FreeLibrary(library); }
};
using Library = std::unique_ptr<std::remove_pointer_t<HMODULE>, FreeLibraryLater>;
using IsGenuine = HRESULT(WINAPI*)(const GUID*, UINT*, void*);

}  // namespace

FactAnswer read_license() {
  const Library library(LoadLibraryExW(L"slwga.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32));
  const auto is_genuine =
      library ? std::bit_cast<IsGenuine>(GetProcAddress(library.get(), "SLIsGenuineLocal"))
              : nullptr;
  if (is_genuine == nullptr)
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = kWhere});
  UINT state = 0;
  const HRESULT result = is_genuine(&kWindows, &state, nullptr);
  if (FAILED(result))
    return std::unexpected(Error{.code = ErrorCode::kOsError,
                                 .where = kWhere,
                                 .os_code = static_cast<std::uint32_t>(result)});
  FactTable table;
  if (const auto name = license_state_name(state); !name.empty()) table.add().text("state", name);
  return table;
}

}  // namespace winperf
