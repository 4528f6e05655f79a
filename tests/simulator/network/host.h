// One machine of the simulated network: an ordinary server with the countersets of the system, a
// boot time and thereby values of its own, and the behaviour that its name stands for.
//
// What it counts is a closed form of the time since its start, which follows from its name and the
// time: several processes see the same machine, and one that takes the place of another goes on
// where that one stopped. Machines that differ in nothing else share their data.
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tests/simulator/machine.h"
#include "tests/simulator/network/behaviour.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/server/server_data.h"

namespace winperf::simulator {

// The time, as a FILETIME.
using TimeOfDay = std::function<std::int64_t()>;

class Host {
 public:
  static constexpr int kAnswersBeforeHanging = 3;

  // `usual`: what a server has.
  Host(std::string name, const std::shared_ptr<const ServerData>& usual, TimeOfDay time);

  // Somebody asks. Returns kSuccess if the machine will answer, else the Win32 code of a refusal;
  // or doesn't return at all. `is_query`: for counters' values.
  [[nodiscard]] std::uint32_t meet(bool is_query);
  bool has_perflib() const { return behaviour_ != Behaviour::kOld; }

  Machine& machine() { return machine_; }
  PerflibFace& perflib() { return perflib_; }

 private:
  Now now() const;

  const Behaviour behaviour_;
  const std::uint64_t seed_;
  const TimeOfDay time_;
  std::atomic<int> queries_ = 0;
  Machine machine_;
  PerflibFace perflib_{machine_};
};

}  // namespace winperf::simulator
