// The system's side of V1 providers: which of them a query concerns, opening them once, calling
// Collect with room that may be too little, and checking what they did.
//
// A provider that misbehaves is reported as an event, with the number that Windows uses in its
// event log, and its data is left out; one that wrote where it must not is disabled.
// Thread rule: one thread at a time.
// Source: Learn, PM_COLLECT_PROC, "Using the Registry Functions to Consume Counter Data".
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simulator/machine.h"

namespace winperf::simulator {

struct Event {
  std::u16string service;
  std::uint32_t id = 0;
  bool operator==(const Event&) const = default;
};

class V1Host {
 public:
  explicit V1Host(Machine& machine) : machine_(machine) {}

  struct Collected {
    std::uint32_t status = 0;  // kMoreData where `room` was too little
    testing::ByteVector objects;
    std::uint32_t count = 0;
  };
  // `query`: as for providers, "Global", "MetadataGlobal" or a list of indices, without "OLD_".
  Collected collect(const std::u16string& query, std::size_t room);
  // RegCloseKey: Close of every open provider; a provider that failed to open is tried again.
  void close();

  const std::vector<Event>& events() const { return events_; }

 private:
  enum class State : std::uint8_t { kOpen, kFailed };

  bool open(V1Provider& provider);
  bool is_concerned(const V1Provider& provider, std::u16string_view query) const;
  std::uint32_t collect_one(V1Provider& provider, const std::u16string& query, std::size_t room,
                            Collected& collected);
  void report(const V1Provider& provider, std::uint32_t event, bool disable);

  Machine& machine_;
  std::map<V1Provider*, State> states_;
  std::vector<Event> events_;
};

}  // namespace winperf::simulator
