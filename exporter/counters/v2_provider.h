// The exporter as a V2 provider in user mode: the same counters as the extension DLL has, by the
// contract of the PerfLib provider functions.
//
// PerfLib copies values while a consumer collects. They are set when a collection begins, all of
// the state that was shown last, and left alone until all collections have ended, so that a
// consumer sees one state. A collection that doesn't end within some seconds no longer counts.
// Thread rule: any thread; PerfLib calls on_control() on its own. Source: Learn, "Providing Counter
// Data Using Version 2.0"; perflib.h.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>

#include "exporter/counters/own_counters.h"
#include "exporter/counters/own_state.h"

namespace winperf::own {

// The provider's GUIDs, as in winperf_exporter.man.
struct ProviderGuid {
  std::uint32_t data1;
  std::uint16_t data2;
  std::uint16_t data3;
  std::uint8_t data4[8];
};
// {2ccc91d9-7078-43ea-a5a0-a0d3dd714ee9}
inline constexpr ProviderGuid kProviderGuid{
    0x2CCC91D9, 0x7078, 0x43EA, {0xA5, 0xA0, 0xA0, 0xD3, 0xDD, 0x71, 0x4E, 0xE9}};
// {3ef6e6db-cd07-4f7f-8051-297e1e5bc42c}
inline constexpr ProviderGuid kExporterGuid{
    0x3EF6E6DB, 0xCD07, 0x4F7F, {0x80, 0x51, 0x29, 0x7E, 0x1E, 0x5B, 0xC4, 0x2C}};
// {775f8f9e-ecc0-4e9b-a948-2248321dfce1}
inline constexpr ProviderGuid kCountersetGuid{
    0x775F8F9E, 0xECC0, 0x4E9B, {0xA9, 0x48, 0x22, 0x48, 0x32, 0x1D, 0xFC, 0xE1}};

// Counter ids are the numbers of rows. PERF_ELAPSED_TIME needs two more counters in V2, which no
// consumer shows: the object's time and its frequency.
inline constexpr std::uint32_t kTimeId = 1000;
inline constexpr std::uint32_t kFrequencyId = 1001;

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
  // PerfSetCounterSetInfo, with the rows of the object and, if it needs them, the two counters
  // above.
  virtual std::uint32_t describe(const ProviderGuid& counterset, const ObjectRow& object) = 0;
  // PerfCreateInstance. Null with an error.
  [[nodiscard]] virtual std::expected<Instance, std::uint32_t> create(
      const ProviderGuid& counterset, const std::u16string& name, std::uint32_t id) = 0;
  // PerfSetULongCounterValue or PerfSetULongLongCounterValue, by the counter's size.
  virtual std::uint32_t set(Instance instance, std::uint32_t counter, std::uint32_t bytes,
                            std::uint64_t value) = 0;
  // PerfSetCounterRefValue with null: a consumer that asks for it gets ERROR_NO_DATA.
  virtual std::uint32_t set_unknown(Instance instance, std::uint32_t counter) = 0;
  virtual std::uint32_t remove(Instance instance) = 0;  // PerfDeleteInstance
  virtual void stop() = 0;                              // PerfStopProvider
};

}  // namespace winperf::own
