#include "collectors/provider/provider_machine.h"

#include <windows.h>

#include "collectors/base/win/file_time.h"
#include "collectors/base/win/wide.h"
#include "collectors/provider/win/library_path.h"
#include "collectors/provider/win/provider_library.h"
#include "collectors/provider/win/registrations.h"

namespace winperf {
namespace {

class WindowsProviders final : public ProviderMachine {
 public:
  std::vector<ProviderRegistration> registrations() override { return read_registrations(); }

  std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration& provider) override {
    return load_provider_library(provider);
  }

  LibraryHead library_head(const ProviderRegistration& provider) override {
    // A server that doesn't answer would hold up this process; who loads the library has a
    // deadline.
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
