// Other machines, as a simulated executable sees them: by any name there is one, and what it does
// follows from the name (behaviour.h).
// Thread rule: any thread; a source is one thread's at a time.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"
#include "tests/simulator/network/host.h"

namespace winperf::simulator {

class Network {
 public:
  explicit Network(TimeOfDay time) : time_(std::move(time)) {}

  // The machine of this name, which stays as long as the network.
  Host& host(std::string_view machine);

  // What make_remote_source() promises. The network outlives the source.
  [[nodiscard]] std::expected<std::unique_ptr<CounterSource>, SourceError> registry_of(
      const std::string& machine, const QueryLimits& limits);

 private:
  const TimeOfDay time_;
  std::mutex mutex_;
  std::shared_ptr<const ServerData> usual_;  // once somebody needs it
  std::map<std::string, std::unique_ptr<Host>, std::less<>> hosts_;
};

}  // namespace winperf::simulator
