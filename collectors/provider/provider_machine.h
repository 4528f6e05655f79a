// The seam between hosted providers and the operating system: their registrations, their DLLs, and
// the machine's data in a block. make_provider_machine() is this platform's: win/ reads the
// registry and loads DLLs, posix/ has none, and the executables of tests link a simulator instead.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/provider/library_head.h"
#include "collectors/provider/registration.h"

namespace winperf {

// A provider's DLL and its three functions, as PM_OPEN_PROC, PM_COLLECT_PROC and PM_CLOSE_PROC
// declare them. They run third-party code in this process.
class ProviderLibrary {
 public:
  ProviderLibrary() = default;
  ProviderLibrary(const ProviderLibrary&) = delete;
  ProviderLibrary& operator=(const ProviderLibrary&) = delete;
  virtual ~ProviderLibrary() = default;

  // `devices`: strings as in a REG_MULTI_SZ, or null. Success if there is no such function.
  virtual std::uint32_t open(const char16_t* devices) = 0;
  virtual std::uint32_t collect(const char16_t* query, void*& data, std::uint32_t& bytes,
                                std::uint32_t& objects) = 0;
  virtual std::uint32_t close() = 0;
};

// One point in time on all clocks of a block's head.
struct BlockMoment {
  std::int64_t perf_time = 0;
  std::int64_t perf_frequency = 0;
  std::int64_t time_100ns = 0;  // since 1601, UTC
};

class ProviderMachine {
 public:
  ProviderMachine() = default;
  ProviderMachine(const ProviderMachine&) = delete;
  ProviderMachine& operator=(const ProviderMachine&) = delete;
  virtual ~ProviderMachine() = default;

  // Of all services that have a Performance key with a library, in the order in which the system
  // calls them.
  virtual std::vector<ProviderRegistration> registrations() = 0;
  // Errors: kOsError (os_code: why the library can't be loaded), kNoProcedure (it doesn't export a
  // function that the registration names; `where` says which).
  [[nodiscard]] virtual std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration& provider) = 0;
  // Of the provider's library, which isn't loaded. Nothing of one on another machine.
  [[nodiscard]] virtual LibraryHead library_head(const ProviderRegistration& provider) = 0;
  // Its version and signer; slower.
  [[nodiscard]] virtual LibraryOrigin library_origin(const LibraryHead& library) = 0;
  // The state of the service that reads 32-bit providers; nothing if unknown.
  [[nodiscard]] virtual std::optional<PerfHost> perf_host() = 0;
  virtual BlockMoment now() = 0;
  virtual std::u16string computer_name() = 0;
};

// Null on a platform without V1 providers.
[[nodiscard]] std::unique_ptr<ProviderMachine> make_provider_machine();

}  // namespace winperf
