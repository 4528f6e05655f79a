// The configurations of services, kept from reading to reading. To open each service takes most of
// the time of a reading, so a configuration is read again only if the service's registry key, which
// has it too, was written since. Thread rule: one thread at a time.
#pragma once

#include <windows.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "collectors/facts/fact_table.h"

namespace winperf {

class ServiceConfigs {
 public:
  // A configuration whose key was written this recently isn't kept: another write may follow that
  // the key's time can't show.
  static constexpr std::chrono::seconds kSettling{2};
  explicit ServiceConfigs(std::chrono::milliseconds settling = kSettling) : settling_(settling) {}

  // Adds the configuration of a service to its row. `manager` has SC_MANAGER_CONNECT. The result is
  // Windows' code.
  DWORD add(SC_HANDLE manager, const std::wstring& service, FactRow& row);
  // Forgets services that weren't asked for since the last call.
  void end_reading();

 private:
  struct Known {
    std::uint64_t written = 0;  // when the key was, as FILETIME
    FactRow config;
  };
  bool is_settled(std::uint64_t written) const;

  const std::chrono::milliseconds settling_;
  std::map<std::wstring, Known> before_;
  std::map<std::wstring, Known> now_;
};

}  // namespace winperf
