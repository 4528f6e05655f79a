// The simulated kernel as counter drivers and their consumers meet it. Drivers call the functions
// of wdm.h (include/wdm.h); what they register and report is asked for here.
//
// Contracts: a callback's status is only informational; whatever it added counts. Two registrations
// of one name both supply data. Instances that a driver made once (PcwCreateInstance) are reported
// beside those that its callback adds. Data that does not hold the counters that were registered is
// refused with the status that a driver would get, and never read.
// There is one kernel in a process, as there is on a machine.
// Thread rule: any thread; a driver's callback may run on several at once.
// Source: Learn, PcwRegister, PcwAddInstance, PCW_CALLBACK.
#pragma once

#include <wdm.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace winperf::simulator::pcw {

struct Mask {
  std::uint64_t counter_mask = ~std::uint64_t{0};
  std::u16string instance_mask = u"*";
  std::uint32_t instance_id = PCW_ANY_INSTANCE_ID;
  bool collect_multiple = true;
};

struct Instance {
  std::u16string name;
  std::uint32_t id = 0;
  std::map<std::uint32_t, std::uint64_t> values;  // by counter id; none where enumerated
};

class Kernel {
 public:
  static Kernel& instance();

  // 100 ns since 1601; what drivers see. Without one, this machine's clock.
  void set_clock(std::function<std::int64_t()> clock);
  std::int64_t system_time() const;

  // Calls DriverEntry; unload() calls what it set as DriverUnload.
  NTSTATUS load(DRIVER_INITIALIZE* driver_entry);
  void unload(DRIVER_INITIALIZE* driver_entry);

  // Sizes of the counters that are registered under a name, by id; empty where nobody has.
  std::map<std::uint32_t, std::uint32_t> counters(const std::u16string& name) const;
  void add_counter(const std::u16string& name, const Mask& mask);
  void remove_counter(const std::u16string& name, const Mask& mask);
  std::vector<Instance> enumerate(const std::u16string& name, const Mask& mask);
  std::vector<Instance> collect(const std::u16string& name, const Mask& mask);

  // For the functions of wdm.h.
  struct Registration;
  NTSTATUS add(const PCW_REGISTRATION_INFORMATION& info, Registration*& registration);
  void remove(Registration* registration);

 private:
  std::vector<std::shared_ptr<Registration>> named(const std::u16string& name) const;
  std::vector<Instance> ask(const std::u16string& name, const Mask& mask, PCW_CALLBACK_TYPE type);
  void notify(const std::u16string& name, const Mask& mask, PCW_CALLBACK_TYPE type);

  mutable std::mutex mutex_;
  std::function<std::int64_t()> clock_;
  std::vector<std::shared_ptr<Registration>> registrations_;
  std::map<DRIVER_INITIALIZE*, DRIVER_OBJECT> drivers_;
};

}  // namespace winperf::simulator::pcw
