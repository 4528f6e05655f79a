// A counterset that a driver has registered with the simulated kernel: its counters, the instances
// that the driver made, and which of its callbacks are running. Internal to the kernel.
// Thread rule: any thread.
#pragma once

#include <wdm.h>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/simulator/pcw/instance.h"

namespace winperf::simulator::pcw {

// The text; none if there is no string, half a character, or a length without characters.
std::optional<std::u16string> text_of(PCUNICODE_STRING text);

class Registration {
 public:
  // What is wrong with a driver's registration; STATUS_SUCCESS if nothing is.
  static NTSTATUS check(const PCW_REGISTRATION_INFORMATION& info);
  // Copies all of it. Only for what check() has let pass.
  explicit Registration(const PCW_REGISTRATION_INFORMATION& info);

  const std::u16string& name() const { return name_; }
  const std::vector<PCW_COUNTER_DESCRIPTOR>& counters() const { return counters_; }

  // Runs the driver's callback, if it has one and close() has not begun. Its status is dropped.
  void call(PCW_CALLBACK_TYPE type, PCW_CALLBACK_INFORMATION& info);
  // From now on nothing runs or is read: waits for the callbacks, and ends all instances.
  void close();

  // The data stays the driver's, which may change it, until the instance is closed.
  NTSTATUS create_instance(std::uintptr_t handle, std::u16string name,
                           std::span<const PCW_DATA> data);
  void close_instance(std::uintptr_t handle);
  // With the values that they have now.
  std::vector<Instance> instances(bool with_values) const;

  // All the counters lie within the data.
  bool fits(std::span<const PCW_DATA> data) const;
  // Only for data that fits.
  std::map<std::uint32_t, std::uint64_t> read(std::span<const PCW_DATA> data) const;

 private:
  struct Made {
    std::u16string name;
    std::uint32_t id = 0;
    std::vector<PCW_DATA> data;
  };

  std::u16string name_;
  std::vector<PCW_COUNTER_DESCRIPTOR> counters_;
  PPCW_CALLBACK callback_ = nullptr;
  void* context_ = nullptr;

  mutable std::mutex mutex_;
  std::condition_variable returned_;
  int running_ = 0;
  bool closed_ = false;
  std::map<std::uintptr_t, Made> made_;  // by handle
  std::uint32_t next_id_ = 0;
};

}  // namespace winperf::simulator::pcw
