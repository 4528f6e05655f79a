// The platform of this room's tests: its registry knows nothing, and it has no PerfLib. Thread
// rule: one thread; the registry's sources are used by others.
#pragma once

#include <cstddef>
#include <string>

#include "collectors/sources/query_policy.h"

namespace winperf::testing {

// What the last registry source was opened with.
QueryLimits registry_limits();

// How many registry sources have been opened so far.
std::size_t opened_registries();

// Waits until one of them, the first being 1, is asked for a value. False after a minute.
bool is_asked(std::size_t registry, const std::string& value_name);

// Waits until one that was opened after the first `opened` is asked for a value; 0 after a minute.
// A look for countersets opens some, too, at any time.
std::size_t asked_registry(std::size_t opened, const std::string& value_name);
QueryLimits limits_of(std::size_t registry);

// While it lives, no registry source answers.
class HangingRegistries {
 public:
  HangingRegistries();
  HangingRegistries(const HangingRegistries&) = delete;
  HangingRegistries& operator=(const HangingRegistries&) = delete;
  ~HangingRegistries();
};

// While it lives, no registry source can be opened.
class MissingRegistry {
 public:
  MissingRegistry();
  MissingRegistry(const MissingRegistry&) = delete;
  MissingRegistry& operator=(const MissingRegistry&) = delete;
  ~MissingRegistry();
};

// While it lives, the platform has V1 providers, but none is registered; otherwise it has no such
// thing.
class ProvidersHere {
 public:
  ProvidersHere();
  ProvidersHere(const ProvidersHere&) = delete;
  ProvidersHere& operator=(const ProvidersHere&) = delete;
  ~ProvidersHere();
};

}  // namespace winperf::testing
