// The simulated machine as PerfLib V2 shows it: the nine consumer functions with their buffer
// protocol. Results come in another order than requests were added, names in the system's spelling.
// Thread rule: any thread; calls for one query one at a time.
// Source: Learn, PerfOpenQueryHandle and its neighbours; [MS-PCQ].
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "collectors/sources/perflib_api.h"
#include "tests/simulator/machine.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf::simulator {

struct IdentifierBlock;

class PerflibFace final : public PerflibApi {
 public:
  // `machine` outlives the face.
  explicit PerflibFace(Machine& machine) : machine_(machine) {}
  ~PerflibFace() override;

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

  // How often each function was called, for tests that want to know what was not asked.
  struct Calls {
    int enumerate = 0, instances = 0, registration = 0, open = 0, close = 0, info = 0, data = 0,
        add = 0, remove = 0;
  };
  Calls calls() const;
  std::size_t open_queries() const;
  // What the open queries ask for, in the order of their results.
  std::vector<Mask> masks() const;
  std::u16string last_machine() const;

 private:
  struct Request {
    Guid counterset{};
    Mask mask{};
    bool operator<(const Request& other) const;
  };
  using Query = std::vector<Request>;  // sorted: a request's place is its index

  std::uint32_t answer(Point point, simulator::Bytes reply, Bytes buffer, std::uint32_t& actual);
  std::uint32_t registration_bytes(const Machine::Found& found, RegistrationInfo info,
                                   std::uint32_t argument, simulator::Bytes& reply) const;
  static Request request_of(const IdentifierBlock& block);
  std::uint32_t check(const Request& request) const;
  simulator::Bytes result_of(const Request& request) const;

  Machine& machine_;
  mutable std::mutex mutex_;
  std::map<PerflibHandle, Query> queries_;
  std::uintptr_t next_handle_ = 0x100;
  Calls calls_;
  std::u16string last_machine_;
};

}  // namespace winperf::simulator
