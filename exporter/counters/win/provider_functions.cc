#include <windows.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "collectors/base/system_text.h"
#include "collectors/base/win/unique_handle.h"
#include "exporter/counters/win/provider_calls.h"

namespace winperf::own {
namespace {

static_assert(sizeof(ProviderGuid) == sizeof(GUID));
static_assert(sizeof(PERF_COUNTERSET_INFO) == 40 && sizeof(PERF_COUNTER_INFO) == 32);
static_assert(sizeof(wchar_t) == sizeof(char16_t));
static_assert(sizeof(void*) == sizeof(std::uint64_t), "v2_counters() has the size of a pointer");

// PERF_COUNTERSET_INFO.InstanceType, which mingw-w64's header lacks.
constexpr ULONG kSingleInstance = 0;
constexpr ULONG kMultiInstances = 2;

const GUID& windows_guid(const ProviderGuid& guid) { return reinterpret_cast<const GUID&>(guid); }

// Of the provider that runs; PerfLib tells the callback nothing about it.
SRWLOCK control_lock = SRWLOCK_INIT;
const ProviderFunctions::Control* control_target = nullptr;

ULONG WINAPI control(ULONG request, PVOID, ULONG) {
  AcquireSRWLockShared(&control_lock);
  ULONG result = ERROR_SUCCESS;
  try {
    if (control_target != nullptr) result = (*control_target)(static_cast<ControlRequest>(request));
  } catch (...) {
    result = ERROR_OUTOFMEMORY;  // no exception gets into PerfLib
  }
  ReleaseSRWLockShared(&control_lock);
  return result;
}

// Returns whether no other provider runs. Waits for callbacks that run.
bool set_control_target(const ProviderFunctions::Control* target) {
  AcquireSRWLockExclusive(&control_lock);
  const bool possible = target == nullptr || control_target == nullptr;
  if (possible) control_target = target;
  ReleaseSRWLockExclusive(&control_lock);
  return possible;
}

struct MadeInstance {
  PPERF_COUNTERSET_INSTANCE block;
  const ObjectRow& object;
  std::vector<std::uint64_t> cells;  // of the counters by reference

  std::uint64_t* cell(std::uint32_t counter) {
    if (counter >= cells.size() || !is_by_reference(object, object.counters[counter]))
      return nullptr;
    return &cells[counter];
  }
};

class PerfLibProvider final : public ProviderFunctions {
 public:
  explicit PerfLibProvider(const ProviderCalls& calls) : call_(calls) {}
  ~PerfLibProvider() override { stop(); }

  std::uint32_t start(const ProviderGuid& provider, Control callback) override {
    if (handle_ != nullptr) return ERROR_BUSY;
    callback_ = std::move(callback);
    if (!set_control_target(&callback_)) return ERROR_BUSY;
    GUID guid = windows_guid(provider);
    PERF_PROVIDER_CONTEXT context{};
    context.ContextSize = sizeof(context);
    context.ControlCallback = &control;
    const ULONG code = call_.start(&guid, &context, &handle_);
    if (code != ERROR_SUCCESS) {
      handle_ = nullptr;
      set_control_target(nullptr);
    }
    return code;
  }

  std::uint32_t describe(const ProviderGuid& counterset, const ObjectRow& object) override {
    const std::vector<V2Counter> counters = v2_counters(object);
    const std::size_t bytes =
        sizeof(PERF_COUNTERSET_INFO) + counters.size() * sizeof(PERF_COUNTER_INFO);
    std::vector<std::uint64_t> layout(bytes / sizeof(std::uint64_t));
    auto* const at = reinterpret_cast<std::byte*>(layout.data());
    PERF_COUNTERSET_INFO info{};
    info.CounterSetGuid = windows_guid(counterset);
    info.ProviderGuid = windows_guid(kProviderGuid);
    info.NumCounters = static_cast<ULONG>(counters.size());
    info.InstanceType = object.has_instances ? kMultiInstances : kSingleInstance;
    std::memcpy(at, &info, sizeof(info));
    for (std::size_t i = 0; i < counters.size(); ++i) {
      PERF_COUNTER_INFO counter{};
      counter.CounterId = counters[i].id;
      counter.Type = static_cast<ULONG>(counters[i].type);
      counter.Attrib = counters[i].attributes;
      counter.Size = counters[i].bytes;
      counter.DetailLevel = static_cast<ULONG>(counters[i].detail);
      counter.Scale = counters[i].scale;
      counter.Offset = static_cast<ULONG>(i * sizeof(std::uint64_t));
      std::memcpy(at + sizeof(info) + i * sizeof(counter), &counter, sizeof(counter));
    }
    return call_.describe(handle_, reinterpret_cast<PPERF_COUNTERSET_INFO>(at),
                          static_cast<ULONG>(bytes));
  }

  std::expected<Instance, std::uint32_t> create(const ProviderGuid& counterset,
                                                const std::u16string& name,
                                                std::uint32_t id) override {
    const ObjectRow& object = windows_guid(counterset) == windows_guid(kExporterGuid)
                                  ? kExporterObject
                                  : kCountersetObject;
    auto made = std::make_unique<MadeInstance>(
        MadeInstance{nullptr, object, std::vector<std::uint64_t>(object.counters.size())});
    SetLastError(ERROR_SUCCESS);
    made->block = call_.create(handle_, &windows_guid(counterset),
                               reinterpret_cast<const wchar_t*>(name.c_str()), id);
    if (made->block == nullptr) {
      const DWORD code = GetLastError();
      return std::unexpected(code != ERROR_SUCCESS ? code : DWORD{ERROR_GEN_FAILURE});
    }
    Instance const instance = made.get();
    made_.emplace(instance, std::move(made));
    return instance;
  }

  std::uint32_t set(Instance instance, std::uint32_t counter, std::uint32_t bytes,
                    std::uint64_t value) override {
    auto& made = *static_cast<MadeInstance*>(instance);
    if (std::uint64_t* const cell = made.cell(counter)) {
      // A reader whose collection no longer counts may read it meanwhile.
      std::atomic_ref(*cell).store(value, std::memory_order_relaxed);
      return call_.set_reference(handle_, made.block, counter, cell);
    }
    return bytes == sizeof(ULONG)
               ? call_.set_ulong(handle_, made.block, counter, static_cast<ULONG>(value))
               : call_.set_ulonglong(handle_, made.block, counter, value);
  }

  std::uint32_t set_unknown(Instance instance, std::uint32_t counter) override {
    return call_.set_reference(handle_, static_cast<MadeInstance*>(instance)->block, counter,
                               nullptr);
  }

  // What couldn't be deleted keeps its memory, because PerfLib may still read it.
  std::uint32_t remove(Instance instance) override {
    const ULONG code = call_.remove(handle_, static_cast<MadeInstance*>(instance)->block);
    if (code == ERROR_SUCCESS) made_.erase(instance);
    return code;
  }

  void stop() override {
    if (handle_ == nullptr) return;
    const ULONG code = call_.stop(std::exchange(handle_, nullptr));
    set_control_target(nullptr);
    if (code != ERROR_SUCCESS)
      for (auto& [instance, made] : made_) static_cast<void>(made.release());
    made_.clear();
  }

 private:
  const ProviderCalls call_;
  Control callback_;
  HANDLE handle_ = nullptr;
  std::map<Instance, std::unique_ptr<MadeInstance>> made_;
};

}  // namespace

std::expected<ProviderCalls, std::string> provider_calls_of(HMODULE library) {
  ProviderCalls calls;
  const char* missing = nullptr;  // the first one
  const auto bind = [&](auto& function, const char* name) {
    if (!find_function(library, name, function) && missing == nullptr) missing = name;
  };
  bind(calls.start, "PerfStartProviderEx");
  bind(calls.describe, "PerfSetCounterSetInfo");
  bind(calls.create, "PerfCreateInstance");
  bind(calls.set_ulong, "PerfSetULongCounterValue");
  bind(calls.set_ulonglong, "PerfSetULongLongCounterValue");
  bind(calls.set_reference, "PerfSetCounterRefValue");
  bind(calls.remove, "PerfDeleteInstance");
  bind(calls.stop, "PerfStopProvider");
  if (missing != nullptr) return std::unexpected("advapi32.dll has no " + std::string(missing));
  return calls;
}

std::unique_ptr<ProviderFunctions> provider_functions_of(const ProviderCalls& calls) {
  return std::make_unique<PerfLibProvider>(calls);
}

std::expected<std::unique_ptr<ProviderFunctions>, std::string> make_provider_functions() {
  // Never freed: the process has the library anyway.
  const HMODULE library = LoadLibraryExW(L"advapi32.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (library == nullptr)
    return std::unexpected("advapi32.dll cannot be loaded: " +
                           system_text({static_cast<int>(GetLastError()), std::system_category()}));
  const auto calls = provider_calls_of(library);
  if (!calls) return std::unexpected(calls.error());
  return provider_functions_of(*calls);
}

}  // namespace winperf::own
