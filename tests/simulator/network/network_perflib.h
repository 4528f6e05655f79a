// PerfLib's functions for this machine and those of the network, by the name that they are called
// with. Refusals are those of the remote procedure calls that they need.
// Thread rule: any thread; calls for one query one at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <mutex>
#include <string>

#include "collectors/sources/perflib_api.h"
#include "tests/simulator/network/network.h"

namespace winperf::simulator {

class NetworkPerflib final : public PerflibApi {
 public:
  // `machine`: this one. Both outlive it.
  NetworkPerflib(Machine& machine, Network& network) : local_(machine), network_(network) {}

  std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                      std::uint32_t& actual) override;
  std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                    Bytes buffer, std::uint32_t& actual) override;
  std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                   RegistrationInfo info, std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) override;
  std::uint32_t close_query(PerflibHandle query) override;
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override;
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override;

 private:
  // Whose query it is: the functions that have it, and its handle there.
  struct Opened {
    PerflibApi* api = nullptr;
    Host* host = nullptr;  // null: this machine
    PerflibHandle query{};
  };
  // A Win32 code where the machine refuses.
  [[nodiscard]] std::expected<PerflibApi*, std::uint32_t> api_of(const std::u16string& machine);
  [[nodiscard]] std::expected<Opened, std::uint32_t> opened(PerflibHandle query, bool is_query);

  PerflibFace local_;
  Network& network_;
  std::mutex mutex_;
  std::map<PerflibHandle, Opened> queries_;
  std::uintptr_t next_ = 1;
};

}  // namespace winperf::simulator
