// An instance of a counterset, as the simulated kernel hands it to a consumer.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace winperf::simulator::pcw {

struct Instance {
  std::u16string name;
  std::uint32_t id = 0;
  std::map<std::uint32_t, std::uint64_t> values;  // by counter id; none where enumerated
};

}  // namespace winperf::simulator::pcw
