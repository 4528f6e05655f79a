// A V1 provider with many objects, which come and go: "Crowd 0" and so on, each with instances of
// many counters, so that collecting them costs much more than their definitions do.
#pragma once

#include <filesystem>
#include <memory>

#include "tests/simulator/machine.h"

namespace winperf::simulator {

inline constexpr std::uint32_t kCrowdObject = 6000;  // the first one; then every second index
inline constexpr std::size_t kCrowdCounters = 20;
inline constexpr std::size_t kCrowdInstances = 10;
inline constexpr std::size_t kMostCrowdInstances = 1000;
inline constexpr std::size_t kLargestCrowd = 2000;

// As long as `file` holds a number, only so many of the objects are there. `machine` outlives the
// provider.
std::shared_ptr<ObjectProvider> crowd_provider(const Machine& machine, std::size_t objects,
                                               const std::filesystem::path& file,
                                               std::size_t instances = kCrowdInstances);

}  // namespace winperf::simulator
