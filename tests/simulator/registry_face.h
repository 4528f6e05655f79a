// The simulated machine as HKEY_PERFORMANCE_DATA shows it: value names, V1 providers, the
// translation of V2 countersets, and the name tables.
// Thread rule: any thread; one query at a time.
// Source: Learn, "Using the Registry Functions to Consume Counter Data".
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simulator/machine.h"
#include "tests/simulator/translation.h"
#include "tests/simulator/v1_host.h"

namespace winperf::simulator {

class RegistryFace {
 public:
  // `machine` outlives the face.
  explicit RegistryFace(Machine& machine)
      : machine_(machine), host_(machine), translation_(machine) {}

  // RegQueryValueEx: a Win32 code; `size` is what was written, and undefined with ERROR_MORE_DATA.
  std::uint32_t query_value(std::u16string_view value_name, std::span<std::byte> buffer,
                            std::size_t& size);
  // RegCloseKey.
  void close();

  std::vector<Event> events() const;
  std::vector<std::u16string> queries() const;  // the value names that were asked for
  int closed() const;

 private:
  std::uint32_t objects(std::u16string_view query, bool with_v2, std::size_t room,
                        std::vector<std::byte>& reply);
  void append_v2(std::u16string_view query, std::vector<std::byte>& objects, std::uint32_t& count);

  Machine& machine_;
  mutable std::mutex mutex_;
  V1Host host_;
  Translation translation_;
  std::vector<std::u16string> queries_;
  int closed_ = 0;
};

}  // namespace winperf::simulator
