// How the exporter's own counters are registered on this machine, and what can be asked of Windows
// to change that. Each call is independent of the others. Nothing here writes below Perflib's key,
// and nothing rewrites a table of names: Windows alone assigns title indices.
//
// Errors carry Windows' code and text. Not validated: the values, which any program may have
// written. Implemented in win/; in posix/, opening it is an error.
// Thread rule: one thread at a time. Source: Learn, "Creating the Application's Performance Key",
// LoadPerfCounterTextStringsW, UnloadPerfCounterTextStringsW and "lodctr".
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

// The values of Services\winperf_exporter\Performance. Nothing: absent, or of another type.
struct CounterKey {
  std::optional<std::string> library{};
  std::optional<std::string> open{};
  std::optional<std::string> collect{};
  std::optional<std::string> close{};
  std::optional<std::uint32_t> supports_metadata{};
  // Windows assigns these.
  std::optional<std::uint32_t> first_counter{};
  std::optional<std::uint32_t> last_counter{};
  std::optional<std::uint32_t> first_help{};
  std::optional<std::uint32_t> last_help{};
};

struct CounterFacts {
  std::optional<CounterKey> key{};  // nothing: there is no such key
  // The English name with the lowest index from First to Last Counter. Nothing: there is none, or
  // the table can't be read.
  std::optional<std::string> first_title{};
  std::optional<std::string> message_file{};  // of the DLL's event source
  // How many of the manifest's countersets Windows knows. Nothing: that can't be found out.
  std::optional<std::size_t> v2_countersets{};
};

class CounterRegistrar {
 public:
  virtual ~CounterRegistrar() = default;

  [[nodiscard]] virtual ServiceResult<CounterFacts> facts() = 0;
  virtual bool has_file(const std::string& path) = 0;
  // Of a program in Windows' own folder, such as "lodctr.exe".
  virtual std::string system_program(const std::string& name) = 0;

  // Writes the values that the key has, except those that Windows assigns. The service must exist.
  [[nodiscard]] virtual ServiceResult<void> put_key(const CounterKey& key) = 0;
  // A missing one is no error.
  [[nodiscard]] virtual ServiceResult<void> remove_key() = 0;
  [[nodiscard]] virtual ServiceResult<void> put_event_source(const std::string& message_file) = 0;
  [[nodiscard]] virtual ServiceResult<void> remove_event_source() = 0;

  // LoadPerfCounterTextStringsW and UnloadPerfCounterTextStringsW with this command line, without
  // output. The error is kModuleNotFound or kProcedureNotFound if this Windows has no such
  // function.
  [[nodiscard]] virtual ServiceResult<void> load_titles(const std::string& command_line) = 0;
  [[nodiscard]] virtual ServiceResult<void> unload_titles(const std::string& command_line) = 0;
  // Runs a program without a window until it ends. An exit code other than 0 is the error's code;
  // kWaitTimeout: it still runs after five minutes, and is left alone.
  [[nodiscard]] virtual ServiceResult<void> run(const std::string& command_line) = 0;
};

// The error is a sentence.
[[nodiscard]] std::expected<std::unique_ptr<CounterRegistrar>, std::string>
open_counter_registrar();

}  // namespace winperf
