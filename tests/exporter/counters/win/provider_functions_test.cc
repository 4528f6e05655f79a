// What PerfLib's functions get: their order, the sizes of structures, ids and types; by functions
// of this test in their place. And what Wine's own functions do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectors/base/win/unique_handle.h"
#include "exporter/counters/win/provider_calls.h"
#include "tests/support/win/wine.h"

namespace winperf::own {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What the functions below were called with. They have no context.
struct Log {
  std::vector<std::string> calls;
  GUID provider{};
  PERF_PROVIDER_CONTEXT context{};
  std::vector<std::vector<std::byte>> templates;
  struct Made {
    PERF_COUNTERSET_INSTANCE block{};
    std::wstring name;
    std::map<ULONG, ULONG> ulongs{};
    std::map<ULONG, ULONGLONG> ulonglongs{};
    std::map<ULONG, void*> references{};
  };
  std::vector<std::unique_ptr<Made>> instances;
  std::map<std::string, ULONG> failures;
};
Log* log_of_test = nullptr;
HANDLE const kHandle = reinterpret_cast<HANDLE>(std::uintptr_t{0x1234});

ULONG called(const std::string& call) {
  log_of_test->calls.push_back(call);
  const auto failure = log_of_test->failures.find(call);
  return failure == log_of_test->failures.end() ? ERROR_SUCCESS : failure->second;
}
Log::Made& made_of(PPERF_COUNTERSET_INSTANCE block) {
  for (const auto& made : log_of_test->instances)
    if (&made->block == block) return *made;
  throw std::logic_error("not an instance");
}

ULONG WINAPI start(LPGUID provider, PPERF_PROVIDER_CONTEXT context, HANDLE* handle) {
  log_of_test->provider = *provider;
  log_of_test->context = *context;
  *handle = kHandle;
  return called("PerfStartProviderEx");
}
ULONG WINAPI describe(HANDLE handle, PPERF_COUNTERSET_INFO info, ULONG bytes) {
  EXPECT_EQ(handle, kHandle);
  const auto* const first = reinterpret_cast<const std::byte*>(info);
  log_of_test->templates.emplace_back(first, first + bytes);
  return called("PerfSetCounterSetInfo");
}
PPERF_COUNTERSET_INSTANCE WINAPI create(HANDLE handle, LPCGUID counterset, LPCWSTR name, ULONG id) {
  EXPECT_EQ(handle, kHandle);
  if (const ULONG code = called("PerfCreateInstance"); code != ERROR_SUCCESS) {
    if (code != ERROR_NOT_SUPPORTED) SetLastError(code);
    return nullptr;
  }
  auto made = std::make_unique<Log::Made>();
  made->block.CounterSetGuid = *counterset;
  made->block.InstanceId = id;
  made->name = name;
  log_of_test->instances.push_back(std::move(made));
  return &log_of_test->instances.back()->block;
}
ULONG WINAPI set_ulong(HANDLE, PPERF_COUNTERSET_INSTANCE instance, ULONG counter, ULONG value) {
  made_of(instance).ulongs[counter] = value;
  return called("PerfSetULongCounterValue");
}
ULONG WINAPI set_ulonglong(HANDLE, PPERF_COUNTERSET_INSTANCE instance, ULONG counter,
                           ULONGLONG value) {
  made_of(instance).ulonglongs[counter] = value;
  return called("PerfSetULongLongCounterValue");
}
ULONG WINAPI set_reference(HANDLE, PPERF_COUNTERSET_INSTANCE instance, ULONG counter, PVOID value) {
  made_of(instance).references[counter] = value;
  return called("PerfSetCounterRefValue");
}
ULONG WINAPI remove(HANDLE handle, PPERF_COUNTERSET_INSTANCE) {
  EXPECT_EQ(handle, kHandle);
  return called("PerfDeleteInstance");
}
ULONG WINAPI stop(HANDLE handle) {
  EXPECT_EQ(handle, kHandle);
  return called("PerfStopProvider");
}

constexpr ProviderCalls kCalls{.start = &start,
                               .describe = &describe,
                               .create = &create,
                               .set_ulong = &set_ulong,
                               .set_ulonglong = &set_ulonglong,
                               .set_reference = &set_reference,
                               .remove = &remove,
                               .stop = &stop};

bool is_same(const GUID& guid, const ProviderGuid& ours) {
  return std::memcmp(&guid, &ours, sizeof(guid)) == 0;
}

class PerfLibFunctions : public ::testing::Test {
 protected:
  PerfLibFunctions() { log_of_test = &log_; }
  PerfLibFunctions(const PerfLibFunctions&) = delete;
  PerfLibFunctions& operator=(const PerfLibFunctions&) = delete;
  ~PerfLibFunctions() override {
    functions_.reset();
    log_of_test = nullptr;
  }
  std::uint32_t start_provider(ProviderFunctions& functions) {
    return functions.start(kProviderGuid, [this](ControlRequest request) {
      requests_.push_back(request);
      return answer_;
    });
  }

  Log log_;
  std::unique_ptr<ProviderFunctions> functions_ = provider_functions_of(kCalls);
  std::vector<ControlRequest> requests_;
  std::uint32_t answer_ = 232;
};

TEST_F(PerfLibFunctions, StartGetsTheContextAndThePassedGuid) {
  ASSERT_EQ(start_provider(*functions_), 0U);
  EXPECT_TRUE(is_same(log_.provider, kProviderGuid));
  EXPECT_EQ(log_.context.ContextSize, 40U);
  EXPECT_EQ(log_.context.Reserved, 0U);
  EXPECT_EQ(log_.context.MemAllocRoutine, nullptr);
  EXPECT_EQ(log_.context.MemFreeRoutine, nullptr);
  EXPECT_EQ(log_.context.pMemContext, nullptr);
  ASSERT_NE(log_.context.ControlCallback, nullptr);
  EXPECT_EQ(log_.context.ControlCallback(5, nullptr, 0), 232U);
  EXPECT_THAT(requests_, ElementsAre(ControlRequest::kCollectStart));
  functions_->stop();
  EXPECT_THAT(log_.calls, ElementsAre("PerfStartProviderEx", "PerfStopProvider"));
  EXPECT_EQ(log_.context.ControlCallback(5, nullptr, 0), 0U) << "PerfLib is late";
  EXPECT_EQ(requests_.size(), 1U);
}

TEST_F(PerfLibFunctions, NoExceptionGetsIntoPerfLib) {
  ASSERT_EQ(functions_->start(kProviderGuid,
                              [](ControlRequest) -> std::uint32_t { throw std::bad_alloc(); }),
            0U);
  EXPECT_EQ(log_.context.ControlCallback(5, nullptr, 0), ULONG{ERROR_OUTOFMEMORY});
}

TEST_F(PerfLibFunctions, AProcessHasOneProvider) {
  log_.failures["PerfStartProviderEx"] = 5;
  EXPECT_EQ(start_provider(*functions_), 5U);
  log_.failures.clear();
  ASSERT_EQ(start_provider(*functions_), 0U);
  const auto other = provider_functions_of(kCalls);
  EXPECT_EQ(start_provider(*other), std::uint32_t{ERROR_BUSY});
  other->stop();
  EXPECT_EQ(log_.context.ControlCallback(6, nullptr, 0), 232U) << "the first one still runs";
  functions_->stop();
  EXPECT_EQ(start_provider(*other), 0U);
  EXPECT_THAT(log_.calls, ElementsAre("PerfStartProviderEx", "PerfStartProviderEx",
                                      "PerfStopProvider", "PerfStartProviderEx"));
}

TEST_F(PerfLibFunctions, DescriptionsAreThoseOfTheTable) {
  ASSERT_EQ(start_provider(*functions_), 0U);
  for (const ObjectRow* const object : kObjects) {
    log_.templates.clear();
    ASSERT_EQ(functions_->describe(guid_of(*object), *object), 0U);
    ASSERT_EQ(log_.templates.size(), 1U);
    const std::size_t counters = object->counters.size() + 2;
    ASSERT_EQ(log_.templates[0].size(), 40 + 32 * counters);
    PERF_COUNTERSET_INFO info;
    std::memcpy(&info, log_.templates[0].data(), sizeof(info));
    EXPECT_TRUE(is_same(info.CounterSetGuid, guid_of(*object)));
    EXPECT_TRUE(is_same(info.ProviderGuid, kProviderGuid));
    EXPECT_EQ(info.NumCounters, counters);
    EXPECT_EQ(info.InstanceType, object->has_instances ? 2U : 0U);
    for (std::size_t i = 0; i < counters; ++i) {
      PERF_COUNTER_INFO counter;
      std::memcpy(&counter, log_.templates[0].data() + 40 + 32 * i, sizeof(counter));
      EXPECT_EQ(counter.Offset, 8 * i);
      if (i >= object->counters.size()) {
        EXPECT_EQ(counter.CounterId, 1000 + i - object->counters.size());
        EXPECT_EQ(counter.Type, 0x0001'0100U);
        EXPECT_EQ(counter.Attrib, 2U);
        EXPECT_EQ(counter.Size, 8U);
        EXPECT_EQ(counter.DetailLevel, 200U);
        EXPECT_EQ(counter.Scale, 0);
        continue;
      }
      const CounterRow& row = object->counters[i];
      EXPECT_EQ(counter.CounterId, i) << row.symbol;
      EXPECT_EQ(counter.Type, static_cast<ULONG>(row.type)) << row.symbol;
      const bool by_reference = !object->has_instances || row.type == OwnType::kAverageTimer;
      EXPECT_EQ(counter.Attrib, (by_reference ? 1U : 0U) | (is_base(row.type) ? 2U : 0U))
          << row.symbol;
      EXPECT_EQ(counter.Size, by_reference ? 8 : row.bytes) << row.symbol;
      EXPECT_EQ(counter.DetailLevel, static_cast<ULONG>(row.detail)) << row.symbol;
      EXPECT_EQ(counter.Scale, row.scale) << row.symbol;
    }
  }
  log_.failures["PerfSetCounterSetInfo"] = 87;
  EXPECT_EQ(functions_->describe(kExporterGuid, kExporterObject), 87U);
}

TEST_F(PerfLibFunctions, ValuesGoByTheirSizeOrByReference) {
  ASSERT_EQ(start_provider(*functions_), 0U);
  const auto instance = functions_->create(kCountersetGuid, u"Disk", 17);
  ASSERT_TRUE(instance);
  Log::Made& made = *log_.instances.back();
  EXPECT_TRUE(is_same(made.block.CounterSetGuid, kCountersetGuid));
  EXPECT_EQ(made.block.InstanceId, 17U);
  EXPECT_EQ(made.name, L"Disk");
  const auto state = static_cast<std::uint32_t>(index_of(CountersetValue::kState));
  const auto values = static_cast<std::uint32_t>(index_of(CountersetValue::kValues));
  const auto duration = static_cast<std::uint32_t>(index_of(CountersetValue::kDuration));
  EXPECT_EQ(functions_->set(*instance, state, 4, 3), 0U);
  EXPECT_EQ(functions_->set(*instance, values, 8, 0x1'0000'0003), 0U);
  EXPECT_EQ(functions_->set(*instance, kTimeId, 8, 5), 0U);
  EXPECT_EQ(functions_->set(*instance, duration, 8, 0x2'0000'0004), 0U);
  EXPECT_THAT(made.ulongs, ElementsAre(std::pair{state, 3U}));
  EXPECT_THAT(made.ulonglongs,
              ElementsAre(std::pair{values, 0x1'0000'0003U}, std::pair{kTimeId, 5U}));
  ASSERT_EQ(made.references.size(), 1U);
  void* const cell = made.references.at(duration);
  EXPECT_EQ(*static_cast<std::uint64_t*>(cell), 0x2'0000'0004U);
  EXPECT_EQ(functions_->set(*instance, duration, 8, 9), 0U);
  EXPECT_EQ(made.references.at(duration), cell) << "the same place";
  EXPECT_EQ(*static_cast<std::uint64_t*>(cell), 9U);
  for (const char* const function :
       {"PerfSetULongCounterValue", "PerfSetULongLongCounterValue", "PerfSetCounterRefValue"})
    log_.failures[function] = 87;
  EXPECT_EQ(functions_->set(*instance, state, 4, 3), 87U);
  EXPECT_EQ(functions_->set(*instance, values, 8, 3), 87U);
  EXPECT_EQ(functions_->set(*instance, duration, 8, 3), 87U);
  EXPECT_EQ(functions_->set_unknown(*instance, duration), 87U);
}

TEST_F(PerfLibFunctions, UnknownValuesAreNullPointers) {
  ASSERT_EQ(start_provider(*functions_), 0U);
  const auto instance = functions_->create(kExporterGuid, u"winperf_exporter", 0);
  ASSERT_TRUE(instance);
  Log::Made& made = *log_.instances.back();
  for (std::uint32_t counter = 0; counter < kExporterValues; ++counter)
    EXPECT_EQ(functions_->set(*instance, counter, kExporterRows[counter].bytes, counter + 1), 0U);
  EXPECT_THAT(made.ulongs, IsEmpty());
  EXPECT_THAT(made.ulonglongs, IsEmpty());
  for (std::uint32_t counter = 0; counter < kExporterValues; ++counter) {
    EXPECT_EQ(*static_cast<std::uint64_t*>(made.references.at(counter)), counter + 1);
    EXPECT_EQ(functions_->set_unknown(*instance, counter), 0U);
    EXPECT_EQ(made.references.at(counter), nullptr);
  }
}

TEST_F(PerfLibFunctions, AnInstanceThatIsNotMadeHasAnError) {
  ASSERT_EQ(start_provider(*functions_), 0U);
  log_.failures["PerfCreateInstance"] = ERROR_ALREADY_EXISTS;
  auto instance = functions_->create(kCountersetGuid, u"Disk", 1);
  ASSERT_FALSE(instance);
  EXPECT_EQ(instance.error(), std::uint32_t{ERROR_ALREADY_EXISTS});
  SetLastError(ERROR_INVALID_HANDLE);
  log_.failures["PerfCreateInstance"] = ERROR_NOT_SUPPORTED;  // which this test's doesn't say
  instance = functions_->create(kCountersetGuid, u"Disk", 1);
  ASSERT_FALSE(instance);
  EXPECT_EQ(instance.error(), std::uint32_t{ERROR_GEN_FAILURE});
}

TEST_F(PerfLibFunctions, WhatCouldNotBeDeletedKeepsItsMemory) {
  ASSERT_EQ(start_provider(*functions_), 0U);
  const auto instance = functions_->create(kExporterGuid, u"winperf_exporter", 0);
  ASSERT_TRUE(instance);
  ASSERT_EQ(functions_->set(*instance, 1, 8, 77), 0U);
  log_.failures["PerfDeleteInstance"] = 6;
  EXPECT_EQ(functions_->remove(*instance), 6U);
  EXPECT_EQ(*static_cast<std::uint64_t*>(log_.instances.back()->references.at(1)), 77U);
  log_.failures.clear();
  EXPECT_EQ(functions_->remove(*instance), 0U);
}

TEST_F(PerfLibFunctions, AWholeLifeHasTheOrderOfTheDocuments) {
  OwnProvider provider(std::move(functions_), system_clocks());
  ASSERT_TRUE(provider.start());
  EXPECT_THAT(log_.calls, ElementsAre("PerfStartProviderEx", "PerfSetCounterSetInfo",
                                      "PerfSetCounterSetInfo", "PerfCreateInstance"));
  OwnState state{.number = 5, .written_at = system_clocks().wall_now().ticks};
  state[ExporterValue::kScrapes] = 12;
  state.countersets.push_back({.name = u"Disk"});
  state.countersets[0][CountersetValue::kValues] = 34;
  EXPECT_THAT(provider.show(state), IsEmpty());
  ASSERT_EQ(log_.context.ControlCallback(5, nullptr, 0), 0U);
  const Log::Made& exporter = *log_.instances.at(0);
  EXPECT_EQ(*static_cast<std::uint64_t*>(exporter.references.at(0)), 5U);
  EXPECT_EQ(*static_cast<std::uint64_t*>(
                exporter.references.at(static_cast<ULONG>(index_of(ExporterValue::kScrapes)))),
            12U);
  EXPECT_EQ(exporter.references.at(static_cast<ULONG>(index_of(ExporterValue::kSentBytes))),
            nullptr);
  const Log::Made& disk = *log_.instances.at(1);
  EXPECT_EQ(disk.ulonglongs.at(static_cast<ULONG>(index_of(CountersetValue::kValues))), 34U);
  EXPECT_EQ(disk.ulonglongs.at(kFrequencyId), 10'000'000U);
  EXPECT_EQ(log_.context.ControlCallback(6, nullptr, 0), 0U);
  log_.calls.clear();
  provider.stop();
  EXPECT_THAT(log_.calls,
              ElementsAre("PerfDeleteInstance", "PerfDeleteInstance", "PerfStopProvider"));
}

TEST_F(PerfLibFunctions, AMissingFunctionIsNamed) {
  const auto calls = provider_calls_of(GetModuleHandleW(L"ntdll.dll"));
  ASSERT_FALSE(calls);
  EXPECT_EQ(calls.error(), "advapi32.dll has no PerfStartProviderEx");
}

// A failure here means that Wine has changed, and that docs/wine.md has to.
TEST_F(PerfLibFunctions, WineLacksTwoFunctions) {
  if (!testing::under_wine())
    GTEST_SKIP() << "NOT UNDER WINE: nothing to say about Wine's advapi32.dll";
  const auto functions = make_provider_functions();
  ASSERT_FALSE(functions);
  EXPECT_EQ(functions.error(), "advapi32.dll has no PerfSetULongCounterValue");
}

// The other ones accept what the exporter says, keep it in the process and show it to no consumer.
TEST_F(PerfLibFunctions, WineAcceptsTheRest) {
  if (!testing::under_wine())
    GTEST_SKIP() << "NOT UNDER WINE: nothing to say about Wine's advapi32.dll";
  const HMODULE library = GetModuleHandleW(L"advapi32.dll");
  ProviderCalls calls{.set_ulong = [](HANDLE, PPERF_COUNTERSET_INSTANCE, ULONG, ULONG) -> ULONG {
                        return ERROR_SUCCESS;
                      },
                      .set_ulonglong = [](HANDLE, PPERF_COUNTERSET_INSTANCE, ULONG,
                                          ULONGLONG) -> ULONG { return ERROR_SUCCESS; }};
  const auto bind = [&](auto& function, const char* name) {
    EXPECT_TRUE(find_function(library, name, function)) << name;
  };
  bind(calls.start, "PerfStartProviderEx");
  bind(calls.describe, "PerfSetCounterSetInfo");
  bind(calls.create, "PerfCreateInstance");
  bind(calls.set_reference, "PerfSetCounterRefValue");
  bind(calls.remove, "PerfDeleteInstance");
  bind(calls.stop, "PerfStopProvider");
  OwnProvider provider(provider_functions_of(calls), system_clocks());
  const auto started = provider.start();
  ASSERT_TRUE(started) << started.error();
  OwnState state{.number = 1, .written_at = system_clocks().wall_now().ticks};
  for (auto& value : state.exporter) value = 1;
  state.countersets.push_back({.name = u"Disk"});
  EXPECT_THAT(provider.show(state), IsEmpty());
  EXPECT_EQ(provider.on_control(ControlRequest::kCollectStart), 0U);
  EXPECT_EQ(provider.on_control(ControlRequest::kCollectEnd), 0U);
  EXPECT_EQ(provider.failures(), 0U);
  // Windows takes a null pointer for a value that isn't known; Wine refuses it.
  state[ExporterValue::kPrivateBytes] = std::nullopt;
  EXPECT_THAT(provider.show(state), IsEmpty());
  EXPECT_EQ(provider.on_control(ControlRequest::kCollectStart), 0U);
  provider.on_control(ControlRequest::kCollectEnd);
  EXPECT_THAT(provider.show(state),
              ElementsAre(HasSubstr("PerfSetCounterRefValue failed for Private Bytes of "
                                    "winperf_exporter: ")));
}

}  // namespace
}  // namespace winperf::own
