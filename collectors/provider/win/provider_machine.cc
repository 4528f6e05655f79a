#include <windows.h>

#include <bit>
#include <expected>
#include <memory>
#include <string>

#include "collectors/base/win/file_time.h"
#include "collectors/base/win/wide.h"
#include "collectors/model/error.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/provider/win/registrations.h"

namespace winperf {
namespace {

// Source: winperf.h, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC.
using OpenProc = DWORD(APIENTRY*)(LPWSTR);
using CollectProc = DWORD(APIENTRY*)(LPWSTR, LPVOID*, LPDWORD, LPDWORD);
using CloseProc = DWORD(APIENTRY*)();

struct Procedures {
  OpenProc open = nullptr;
  CollectProc collect = nullptr;
  CloseProc close = nullptr;
};

// The DLL is never unloaded, because its remaining threads would crash.
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

// False if the registration names a missing function.
template <class Procedure>
bool find(HMODULE library, const std::string& name, Procedure& procedure) {
  if (name.empty()) return true;
  procedure = std::bit_cast<Procedure>(GetProcAddress(library, name.c_str()));
  return procedure != nullptr;
}

std::unexpected<Error> no_procedure(const char* where) {
  return std::unexpected(Error{.code = ErrorCode::kNoProcedure, .where = where});
}

// What the DLL needs is first searched for beside it, as Windows does for providers, not beside
// this program; for a path that isn't complete, that is undefined. Source: Learn, LoadLibraryEx.
HMODULE load(const std::wstring& file) {
  const bool is_complete = file.starts_with(LR"(\\)") || file.find(LR"(:\)") == 1;
  return LoadLibraryExW(file.c_str(), nullptr, is_complete ? LOAD_WITH_ALTERED_SEARCH_PATH : 0);
}

std::expected<std::unique_ptr<ProviderLibrary>, Error> load_provider_library(
    const ProviderRegistration& provider) {
  const HMODULE library = load(to_wide(provider.library));
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

class WindowsProviders final : public ProviderMachine {
 public:
  std::vector<ProviderRegistration> registrations() override { return read_registrations(); }

  std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration& provider) override {
    return load_provider_library(provider);
  }

  LibraryHead library_head(const ProviderRegistration& provider) override {
    // A server that doesn't answer would block this process; loading the library has a deadline.
    if (provider.library.starts_with(R"(\\)")) return {.path = provider.library};
    return read_library_head(library_path(to_wide(provider.library)));
  }

  LibraryOrigin library_origin(const LibraryHead& library) override {
    return read_library_origin(library.path);
  }

  std::optional<PerfHost> perf_host() override { return read_perf_host(); }

  BlockMoment now() override {
    LARGE_INTEGER time{};
    LARGE_INTEGER frequency{};
    QueryPerformanceCounter(&time);
    QueryPerformanceFrequency(&frequency);
    FILETIME wall{};
    GetSystemTimeAsFileTime(&wall);
    return {.perf_time = time.QuadPart,
            .perf_frequency = frequency.QuadPart,
            .time_100ns = time_of(wall).ticks};
  }

  std::u16string computer_name() override {
    std::u16string name(MAX_COMPUTERNAME_LENGTH + 1, u'\0');
    auto length = static_cast<DWORD>(name.size());
    if (!GetComputerNameW(reinterpret_cast<wchar_t*>(name.data()), &length)) return {};
    name.resize(length);
    return name;
  }
};

}  // namespace

std::unique_ptr<ProviderMachine> make_provider_machine() {
  return std::make_unique<WindowsProviders>();
}

}  // namespace winperf
