#include "collectors/provider/win/provider_library.h"

#include <windows.h>

#include <bit>
#include <string>

#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

using OpenProc = DWORD(APIENTRY*)(LPWSTR);
using CollectProc = DWORD(APIENTRY*)(LPWSTR, LPVOID*, LPDWORD, LPDWORD);
using CloseProc = DWORD(APIENTRY*)();

struct Procedures {
  OpenProc open = nullptr;
  CollectProc collect = nullptr;
  CloseProc close = nullptr;
};

// The DLL is never unloaded: threads that it has left would run into nothing.
class Library final : public ProviderLibrary {
 public:
  explicit Library(const Procedures& procedures) : procedures_(procedures) {}

  std::uint32_t open(const char16_t* devices) override {
    return procedures_.open == nullptr ? ERROR_SUCCESS : procedures_.open(text_of(devices));
  }
  std::uint32_t collect(const char16_t* query, void*& data, std::uint32_t& bytes,
                        std::uint32_t& objects) override {
    DWORD size = bytes;
    DWORD count = objects;
    const DWORD code = procedures_.collect(text_of(query), &data, &size, &count);
    bytes = size;
    objects = count;
    return code;
  }
  std::uint32_t close() override {
    return procedures_.close == nullptr ? ERROR_SUCCESS : procedures_.close();
  }

 private:
  // The functions are declared with text that may be changed; none does.
  static wchar_t* text_of(const char16_t* text) {
    return const_cast<wchar_t*>(reinterpret_cast<const wchar_t*>(text));
  }

  Procedures procedures_;
};

// False if the registration names a function that isn't there.
template <class Procedure>
bool find(HMODULE library, const std::string& name, Procedure& procedure) {
  if (name.empty()) return true;
  procedure = std::bit_cast<Procedure>(GetProcAddress(library, name.c_str()));
  return procedure != nullptr;
}

std::unexpected<Error> no_procedure(const char* where) {
  return std::unexpected(Error{.code = ErrorCode::kNoProcedure, .where = where});
}

}  // namespace

std::expected<std::unique_ptr<ProviderLibrary>, Error> load_provider_library(
    const ProviderRegistration& provider) {
  const HMODULE library = LoadLibraryW(to_wide(provider.library).c_str());
  if (library == nullptr)
    return std::unexpected(
        Error{.code = ErrorCode::kOsError, .where = "provider.load", .os_code = GetLastError()});
  Procedures procedures;
  if (!find(library, provider.open, procedures.open)) return no_procedure("provider.open");
  if (!find(library, provider.collect, procedures.collect) || procedures.collect == nullptr)
    return no_procedure("provider.collect");
  if (!find(library, provider.close, procedures.close)) return no_procedure("provider.close");
  return std::make_unique<Library>(procedures);
}

}  // namespace winperf
