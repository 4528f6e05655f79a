// The exporter as a V2 provider in user mode: the same counters as the extension DLL has, by the
// contract of the PerfLib provider functions.
//
// PerfLib copies values while a consumer collects. They are set when a collection begins, all of
// the state that was shown last, and left alone until all collections have ended, so that a
// consumer sees one state. A collection that doesn't end within some seconds no longer counts.
// Instances come and go in show() while no collection runs; one that begins meanwhile waits until
// they have, for half of the second that PerfLib gives it. A new instance has its values before
// that. No lock is held during calls of PerfLib but those that set a value.
//
// Errors: a call that fails costs its value or instance alone. They are counted, and show()
// returns them as sentences. Without a state, or with one that is older than a minute, a collection
// gets ERROR_NO_DATA.
// Thread rule: any thread for on_control(), which PerfLib calls on its own; one at a time for the
// rest. Source: Learn, "Providing Counter Data Using Version 2.0", PERFLIBREQUEST; perflib.h.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "collectors/base/clock.h"
#include "exporter/counters/own_state.h"
#include "exporter/counters/v2_layout.h"

namespace winperf::own {

// What PerfLib asks of the control callback (perflib.h, PERF_...).
enum class ControlRequest : std::uint32_t {
  kAddCounter = 1,
  kRemoveCounter = 2,
  kEnumerateInstances = 3,
  kCollectStart = 5,
  kCollectEnd = 6,
};

// The functions for providers; errors are Win32's. Implemented in win/, and by tests.
class ProviderFunctions {
 public:
  using Instance = void*;  // PPERF_COUNTERSET_INSTANCE
  using Control = std::function<std::uint32_t(ControlRequest)>;

  ProviderFunctions() = default;
  ProviderFunctions(const ProviderFunctions&) = delete;
  ProviderFunctions& operator=(const ProviderFunctions&) = delete;
  virtual ~ProviderFunctions() = default;

  // PerfStartProviderEx. `control` is called on any thread until stop() has returned.
  virtual std::uint32_t start(const ProviderGuid& provider, Control control) = 0;
  // PerfSetCounterSetInfo, with v2_counters().
  virtual std::uint32_t describe(const ProviderGuid& counterset, const ObjectRow& object) = 0;
  // PerfCreateInstance. Null with an error.
  [[nodiscard]] virtual std::expected<Instance, std::uint32_t> create(
      const ProviderGuid& counterset, const std::u16string& name, std::uint32_t id) = 0;
  // PerfSetULongCounterValue or PerfSetULongLongCounterValue, by the counter's size; where the
  // counter is one by reference, PerfSetCounterRefValue.
  virtual std::uint32_t set(Instance instance, std::uint32_t counter, std::uint32_t bytes,
                            std::uint64_t value) = 0;
  // PerfSetCounterRefValue with null: a consumer that asks for it gets ERROR_NO_DATA. Only for
  // counters by reference.
  virtual std::uint32_t set_unknown(Instance instance, std::uint32_t counter) = 0;
  virtual std::uint32_t remove(Instance instance) = 0;  // PerfDeleteInstance
  virtual void stop() = 0;                              // PerfStopProvider
};

// PerfLib's functions; an error is a sentence that says which one this system lacks.
[[nodiscard]] std::expected<std::unique_ptr<ProviderFunctions>, std::string>
make_provider_functions();

class OwnProvider {
 public:
  // How long a collection counts, and how long values stay although collections overlap.
  static constexpr std::chrono::seconds kLongestCollection{5};
  static constexpr std::chrono::seconds kLongestHold{60};

  OwnProvider(std::unique_ptr<ProviderFunctions> functions, ClockSource clock);
  OwnProvider(const OwnProvider&) = delete;
  OwnProvider& operator=(const OwnProvider&) = delete;
  ~OwnProvider() { stop(); }

  // Registers the process as the provider, with the instance of the single-instance object.
  // Nothing is left registered after an error.
  [[nodiscard]] std::expected<void, std::string> start();
  // The state that the next collection gets. While one runs, names that are new or gone wait for
  // the next call, and collections get the state of the names that there are. Returns what has
  // failed, each cause once since start().
  std::vector<std::string> show(const OwnState& state);
  // Removes all instances. Afterwards on_control() does nothing.
  void stop();

  std::uint32_t on_control(ControlRequest request);

  // Calls that failed since start().
  std::uint64_t failures() const;

 private:
  struct Live {
    ProviderFunctions::Instance instance;  // null: it couldn't be created
    std::size_t row;                       // in the state that is shown
  };
  using ByName = std::map<std::u16string, Live>;

  // The function, the object and the error.
  using Cause = std::tuple<std::string_view, const ObjectRow*, std::uint32_t>;

  std::uint32_t begin_collection();
  void end_collection();
  // With the lock.
  bool is_collecting(SteadyTime now);
  bool has_all_names(const OwnState& state) const;
  bool find_changes(const OwnState& state, std::vector<ProviderFunctions::Instance>& gone,
                    std::vector<std::size_t>& added);
  void take(const OwnState& state);
  void set_all();
  // Without it.
  void remove_instances(const std::vector<ProviderFunctions::Instance>& gone);
  ByName create_instances(const OwnState& state, const std::vector<std::size_t>& rows);
  std::uint32_t id_of(const std::u16string& name);
  // With it, or without it for an instance that only the caller has.
  void set_exporter(ProviderFunctions::Instance instance, const OwnState& state);
  void set_counterset(ProviderFunctions::Instance instance, const CountersetRow& row);
  void set(ProviderFunctions::Instance instance, const ObjectRow& object, std::size_t row,
           std::optional<std::uint64_t> value);
  void set_clock(ProviderFunctions::Instance instance, const ObjectRow& object);

  void note(std::uint32_t code, const char* function, const ObjectRow& object,
            std::string_view what);
  std::vector<std::string> take_problems();

  const std::unique_ptr<ProviderFunctions> functions_;
  const ClockSource clock_;
  bool started_ = false;  // of the caller of start(), show() and stop()
  std::map<std::u16string, std::uint32_t> ids_;
  std::uint32_t next_id_ = 1;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool changing_ = false;                           // show() creates and removes instances
  OwnState state_;                                  // whose names are those of the instances
  ProviderFunctions::Instance exporter_ = nullptr;  // null: not started, or stopped
  ByName countersets_;
  std::vector<SteadyTime> collections_;  // beginnings of those that run
  SteadyTime set_at_{};                  // when all values were set

  mutable std::mutex problems_mutex_;  // may be taken with the other one held
  std::uint64_t failures_ = 0;
  std::map<Cause, std::string> problems_;  // empty: show() has returned it
};

}  // namespace winperf::own
