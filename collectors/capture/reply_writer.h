// Writes recorded samples of V2 countersets as PerfLib would have delivered them
// (wire/v2/blocks.h), and the registrations that explain them. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/capture/written_counters.h"
#include "collectors/model/guid.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"

namespace winperf::capture {

// What a counterset is registered as: one that has every counter that any of its samples has, with
// its instances added up already.
class Registration {
 public:
  explicit Registration(const CountersetSchema& schema);

  const Guid& guid() const { return guid_; }
  // Adds those of a schema but identities, and sets their ids. False if it contradicts one that was
  // added before, as after a provider was installed again.
  [[nodiscard]] bool add(const CountersetSchema& schema, std::vector<WrittenCounter>& counters);
  // Does the same with identities, after the counters of all schemas, which may have them.
  void add_identities(std::vector<WrittenCounter>& counters);

  // The replies of PerfQueryCounterSetRegistrationInfo.
  struct Reply {
    RegistrationInfo info{};
    std::uint32_t argument = 0;
    Bytes bytes;
  };
  std::vector<Reply> replies() const;
  // The identifier of the counterset whose result is at that place of the data.
  Bytes identifier(std::uint32_t place) const;

 private:
  // Of a counter, the value has its own id; what belongs to it has another one.
  using Key = std::pair<Origin, std::uint32_t>;
  bool contradicts(const CountersetSchema& schema,
                   const std::vector<WrittenCounter>& counters) const;
  std::uint32_t id_of(const Key& key);
  Bytes counterset_info() const;
  Bytes counter_info(const Key& key, const WrittenCounter& counter) const;

  Guid guid_;
  std::string name_;
  std::string help_;
  std::uint32_t detail_level_ = 0;
  bool multi_instance_ = false;
  std::map<Key, std::uint32_t> ids_;
  std::vector<std::pair<Key, WrittenCounter>> counters_;  // in the order of their columns
};

// A result with everything that the sample has.
[[nodiscard]] Bytes write_result(const CountersetSample& sample,
                                 std::span<const WrittenCounter> counters);

// The reply of PerfQueryCounterData with these results.
[[nodiscard]] Bytes write_reply(std::span<const Bytes> results, const Clocks& clocks);

}  // namespace winperf::capture
