// The system's side of V1 providers: which of them a query concerns, finding their functions,
// opening them once, calling Collect with room that may be too little, and checking what they did.
//
// A provider that misbehaves is reported as an event, with the number that Windows uses in its
// event log, and its data is left out. One that wrote where it must not, or does not export a
// function that its registration names, is disabled. A registration may do without Open and Close.
// A reply has to be a multiple of 4 bytes; one that is no multiple of 8, which newer documents ask
// for, is taken and reported.
// Thread rule: one thread at a time.
// Source: Learn, "Creating a Performance Extension DLL", PM_COLLECT_PROC, "Using the Registry
// Functions to Consume Counter Data".
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

  // Whether Collect may be called.
  bool open(V1Provider& provider);
  bool finds_functions(V1Provider& provider);
  bool opens(V1Provider& provider);
  bool is_concerned(const V1Provider& provider, std::u16string_view query) const;
  std::uint32_t collect_one(V1Provider& provider, const std::u16string& query, std::size_t room,
                            Collected& collected);
  void report(const V1Provider& provider, std::uint32_t event);
  void disable(V1Provider& provider, std::uint32_t event);

  Machine& machine_;
  std::map<V1Provider*, State> states_;
  std::vector<Event> events_;
};

}  // namespace winperf::simulator
