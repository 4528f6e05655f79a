// The simulated kernel as counter drivers and their consumers meet it. Drivers call the functions
// of wdm.h (include/wdm.h); what they register and report is asked for here.
//
// Contracts: a callback's status is only informational; whatever it added counts. Two registrations
// of one name both supply data. Instances that a driver made once (PcwCreateInstance) are reported
// beside those that its callback adds. Data that does not hold the counters that were registered is
// refused with the status that a driver would get, and never read. PcwUnregister returns when no
// callback runs any more. Handles are numbers, so that one that is stale is refused, not followed.
// There is one kernel in a process, as there is on a machine.
// Thread rule: any thread; a driver's callback may run on several at once. A callback must not
// unregister its own registration.
// Source: Learn, PcwRegister, PcwUnregister, PcwCreateInstance, PcwAddInstance, PCW_CALLBACK.
#pragma once

#include <wdm.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tests/simulator/pcw/instance.h"

namespace winperf::simulator::pcw {

class Buffer;
class Registration;

struct Mask {
  std::uint64_t counter_mask = ~std::uint64_t{0};
  std::u16string instance_mask = u"*";
  std::uint32_t instance_id = PCW_ANY_INSTANCE_ID;
  bool collect_multiple = true;
};

class Kernel {
 public:
  static Kernel& instance();

  // 100 ns since 1601; what drivers see. Without one, this machine's clock.
  void set_clock(std::function<std::int64_t()> clock);
  std::int64_t system_time() const;

  // Calls DriverEntry, once for a driver that is loaded; unload() calls what it set as
  // DriverUnload. A driver that set nothing stays.
  NTSTATUS load(DRIVER_INITIALIZE* driver_entry);
  void unload(DRIVER_INITIALIZE* driver_entry);

  // Sizes of the counters that are registered under a name, by id; empty where nobody has.
  std::map<std::uint32_t, std::uint32_t> counters(const std::u16string& name) const;
  void add_counter(const std::u16string& name, const Mask& mask);
  void remove_counter(const std::u16string& name, const Mask& mask);
  std::vector<Instance> enumerate(const std::u16string& name, const Mask& mask);
  std::vector<Instance> collect(const std::u16string& name, const Mask& mask);
  // What collect() begins with: all that the drivers add, before the kernel filters it once more.
  std::vector<Instance> added(const std::u16string& name, const Mask& mask);

  // For the functions of wdm.h (exports.cc).
  NTSTATUS add_registration(const PCW_REGISTRATION_INFORMATION& info, PPCW_REGISTRATION& handle);
  void remove_registration(PPCW_REGISTRATION handle);
  NTSTATUS create_instance(PPCW_REGISTRATION registration, PCUNICODE_STRING name,
                           std::span<const PCW_DATA> data, PPCW_INSTANCE& handle);
  void close_instance(PPCW_INSTANCE handle);
  NTSTATUS add_instance(PPCW_BUFFER buffer, PCUNICODE_STRING name, std::uint32_t id,
                        std::span<const PCW_DATA> data);

 private:
  Kernel() = default;
  std::vector<std::shared_ptr<Registration>> all() const;
  std::vector<std::shared_ptr<Registration>> named(const std::u16string& name) const;
  std::vector<Instance> added(const std::u16string& name, const Mask& mask, PCW_CALLBACK_TYPE type);
  std::vector<Instance> ask(const std::u16string& name, const Mask& mask, PCW_CALLBACK_TYPE type);
  std::vector<Instance> called_back(const std::shared_ptr<Registration>& registration,
                                    PCW_CALLBACK_TYPE type, PCW_MASK_INFORMATION mask);
  void notify(const std::u16string& name, const Mask& mask, PCW_CALLBACK_TYPE type);

  mutable std::mutex mutex_;  // never held while a driver's code runs
  std::function<std::int64_t()> clock_;
  std::uintptr_t last_handle_ = 0;  // of all kinds, so that none is taken for another
  std::map<std::uintptr_t, std::shared_ptr<Registration>> registrations_;  // by handle
  std::map<std::uintptr_t, std::shared_ptr<Buffer>> buffers_;  // of the callbacks that are running
  std::map<DRIVER_INITIALIZE*, DRIVER_OBJECT> drivers_;
};

}  // namespace winperf::simulator::pcw
