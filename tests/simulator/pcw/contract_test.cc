// The simulated kernel keeps the contracts that drivers are written to: what is refused and with
// which status, what is filtered, and what may still run when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tests/simulator/pcw/kernel.h"

namespace winperf::simulator::pcw {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

struct Values {
  std::uint32_t small = 0;
  std::uint64_t big = 0;
};

UNICODE_STRING unicode(std::u16string_view text) {
  const auto bytes = static_cast<USHORT>(text.size() * 2);
  return {bytes, bytes, const_cast<WCHAR*>(text.data())};
}

// A driver with the counters 1 (4 bytes) and 2 (8 bytes), whose callback is the test's.
class TestDriver {
 public:
  using Callback = std::function<NTSTATUS(PCW_CALLBACK_TYPE, PCW_CALLBACK_INFORMATION&)>;

  explicit TestDriver(Callback callback = {}) : callback_(std::move(callback)) {
    info.Version = PCW_VERSION_1;
    info.Name = &name;
    info.CounterCount = 2;
    info.Counters = counters.data();
    info.Callback = callback_ ? &TestDriver::called : nullptr;
    info.CallbackContext = this;
  }
  TestDriver(const TestDriver&) = delete;
  TestDriver& operator=(const TestDriver&) = delete;
  ~TestDriver() { unload(); }

  NTSTATUS load() { return PcwRegister(&registration, &info); }
  void unload() {
    if (registration != nullptr) PcwUnregister(std::exchange(registration, nullptr));
  }

  UNICODE_STRING name = unicode(u"Contract");
  std::array<PCW_COUNTER_DESCRIPTOR, 2> counters{{
      {1, 0, offsetof(Values, small), sizeof(Values::small)},
      {2, 0, offsetof(Values, big), sizeof(Values::big)},
  }};
  PCW_REGISTRATION_INFORMATION info{};
  PPCW_REGISTRATION registration = nullptr;

 private:
  static NTSTATUS NTAPI called(PCW_CALLBACK_TYPE type, PPCW_CALLBACK_INFORMATION info,
                               PVOID context) {
    return static_cast<TestDriver*>(context)->callback_(type, *info);
  }

  Callback callback_;
};

NTSTATUS add(PPCW_BUFFER buffer, std::u16string_view name, ULONG id, const Values* values) {
  const UNICODE_STRING text = unicode(name);
  PCW_DATA data{values, sizeof *values};
  return PcwAddInstance(buffer, &text, id, 1, &data);
}

// Also values that the enumeration does not have.
void set_flags(PCW_REGISTRATION_INFORMATION& info, ULONG flags) {
  static_assert(sizeof info.Flags == sizeof flags);
  std::memcpy(&info.Flags, &flags, sizeof flags);
}

const std::u16string kName = u"Contract";

Kernel& kernel() { return Kernel::instance(); }

TEST(PcwRegister, RefusesWhatWindowsRefuses) {
  const auto refused = [](auto spoil) {
    TestDriver driver;
    spoil(driver);
    return driver.load();
  };
  EXPECT_EQ(refused([](TestDriver&) {}), STATUS_SUCCESS);
  EXPECT_EQ(refused([](TestDriver& d) { d.info.Version = PCW_VERSION_2; }), STATUS_SUCCESS);
  EXPECT_EQ(refused([](TestDriver& d) {
              d.info.Version = PCW_VERSION_2;
              d.info.Flags = PcwRegistrationSiloNeutral;
            }),
            STATUS_SUCCESS);
  EXPECT_EQ(refused([](TestDriver& d) { d.info.Version = 0; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.info.Version = 0x300; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) {
              d.info.Version = PCW_VERSION_2;
              set_flags(d.info, 0x2);
            }),
            STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.info.Name = nullptr; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.name.Length = 0; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.name.Length = 3; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.name.Buffer = nullptr; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.info.Counters = nullptr; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.info.CounterCount = 0; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.counters[1].Size = 16; }), STATUS_INVALID_PARAMETER_2);
  EXPECT_EQ(refused([](TestDriver& d) { d.info.CounterCount = 65'537; }), STATUS_INTEGER_OVERFLOW);
  EXPECT_THAT(kernel().counters(kName), IsEmpty()) << "everything was taken back";
}

TEST(PcwRegister, AVersion1ProviderHasNoFlags) {
  TestDriver driver;
  set_flags(driver.info, 0xDDDDDDDD);  // whatever follows its structure
  EXPECT_EQ(driver.load(), STATUS_SUCCESS);
}

TEST(PcwRegister, TakesCopiesOfItsArguments) {
  TestDriver driver;
  {
    std::u16string text = kName;
    UNICODE_STRING name = unicode(text);
    auto counters = driver.counters;
    driver.info.Name = &name;
    driver.info.Counters = counters.data();
    ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  }
  EXPECT_THAT(kernel().counters(kName), ElementsAre(Pair(1u, 4u), Pair(2u, 8u)));
}

TEST(PcwCreateInstance, IsReportedWithoutACallback) {
  TestDriver driver;
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  Values values{.small = 7, .big = 1ull << 40};
  PCW_DATA data{&values, sizeof values};
  UNICODE_STRING name = unicode(u"made");
  PPCW_INSTANCE instances[2] = {};
  ASSERT_EQ(PcwCreateInstance(&instances[0], driver.registration, &name, 1, &data), STATUS_SUCCESS);
  ASSERT_EQ(PcwCreateInstance(&instances[1], driver.registration, &name, 1, &data), STATUS_SUCCESS);
  values.small = 8;
  const auto collected = kernel().collect(kName, {});
  ASSERT_THAT(collected, SizeIs(2));
  EXPECT_THAT(collected[0].values, ElementsAre(Pair(1u, 8u), Pair(2u, 1ull << 40)));
  EXPECT_NE(collected[0].id, collected[1].id);
  const auto enumerated = kernel().enumerate(kName, {});
  ASSERT_THAT(enumerated, SizeIs(2));
  EXPECT_THAT(enumerated[0].values, IsEmpty());
  PcwCloseInstance(instances[0]);
  EXPECT_THAT(kernel().collect(kName, {.instance_mask = u"MA?E"}), SizeIs(1));
  // The other one is closed by unregistering.
  driver.unload();
  EXPECT_THAT(kernel().collect(kName, {}), IsEmpty());
}

TEST(PcwCreateInstance, SaysWhatIsWrongWithTheData) {
  TestDriver driver;
  driver.counters[1].StructIndex = 1;
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  const Values values;
  UNICODE_STRING name = unicode(u"made");
  const auto create = [&](std::vector<PCW_DATA> data) {
    PPCW_INSTANCE instance = nullptr;
    return PcwCreateInstance(&instance, driver.registration, &name, static_cast<ULONG>(data.size()),
                             data.data());
  };
  const PCW_DATA good{&values, sizeof values};
  EXPECT_EQ(create({good, good}), STATUS_SUCCESS);
  EXPECT_EQ(create({good}), STATUS_INVALID_PARAMETER_4);
  EXPECT_EQ(create({}), STATUS_INVALID_PARAMETER_4);
  EXPECT_EQ(create({good, {&values, sizeof values - 1}}), STATUS_INVALID_BUFFER_SIZE);
  EXPECT_EQ(create({good, {&values, 0}}), STATUS_INVALID_BUFFER_SIZE);
  EXPECT_EQ(create({good, {nullptr, sizeof values}}), STATUS_INVALID_BUFFER_SIZE);
  UNICODE_STRING no_text{8, 8, nullptr};
  PPCW_INSTANCE instance = nullptr;
  PCW_DATA both[] = {good, good};
  EXPECT_EQ(PcwCreateInstance(&instance, driver.registration, &no_text, 2, both),
            STATUS_INVALID_PARAMETER);
  EXPECT_EQ(PcwCreateInstance(&instance, driver.registration, nullptr, 2, both),
            STATUS_INVALID_PARAMETER);
}

TEST(PcwCreateInstance, NeedsARegistrationThatIsThere) {
  TestDriver driver;
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  const PPCW_REGISTRATION gone = driver.registration;
  driver.unload();
  const Values values;
  PCW_DATA data{&values, sizeof values};
  UNICODE_STRING name = unicode(u"made");
  PPCW_INSTANCE instance = nullptr;
  EXPECT_EQ(PcwCreateInstance(&instance, gone, &name, 1, &data), STATUS_INVALID_HANDLE);
  EXPECT_EQ(PcwCreateInstance(&instance, nullptr, &name, 1, &data), STATUS_INVALID_HANDLE);
}

TEST(PcwAddInstance, RefusesDataThatDoesNotHoldTheCounters) {
  std::vector<NTSTATUS> statuses;
  TestDriver driver([&](PCW_CALLBACK_TYPE, PCW_CALLBACK_INFORMATION& info) {
    const PPCW_BUFFER buffer = info.CollectData.Buffer;
    const Values values{.small = 1, .big = 2};
    UNICODE_STRING name = unicode(u"one");
    const auto tried = [&](ULONG count, PPCW_DATA data) {
      statuses.push_back(PcwAddInstance(buffer, &name, 1, count, data));
    };
    PCW_DATA short_data{&values, sizeof values - 1};
    PCW_DATA no_data{nullptr, sizeof values};
    tried(1, &short_data);
    tried(1, &no_data);
    tried(1, nullptr);
    tried(0, nullptr);
    statuses.push_back(PcwAddInstance(buffer, nullptr, 1, 0, nullptr));
    UNICODE_STRING no_text{8, 8, nullptr};
    PCW_DATA data{&values, sizeof values};
    statuses.push_back(PcwAddInstance(buffer, &no_text, 1, 1, &data));
    statuses.push_back(add(buffer, u"", 5, &values));
    return STATUS_SUCCESS;
  });
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  const auto collected = kernel().collect(kName, {});
  EXPECT_THAT(statuses,
              ElementsAre(STATUS_INVALID_BUFFER_SIZE, STATUS_INVALID_BUFFER_SIZE,
                          STATUS_INVALID_BUFFER_SIZE, STATUS_INVALID_BUFFER_SIZE,
                          STATUS_INVALID_PARAMETER, STATUS_INVALID_PARAMETER, STATUS_SUCCESS));
  ASSERT_THAT(collected, SizeIs(1));
  EXPECT_EQ(collected[0].id, 5u) << "a single-instance set's name is blank";
}

TEST(PcwAddInstance, ABufferIsGoodForItsCallbackAlone) {
  PPCW_BUFFER kept = nullptr;
  TestDriver driver([&](PCW_CALLBACK_TYPE, PCW_CALLBACK_INFORMATION& info) {
    kept = info.CollectData.Buffer;
    return STATUS_SUCCESS;
  });
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  EXPECT_THAT(kernel().collect(kName, {}), IsEmpty());
  const Values values;
  EXPECT_EQ(add(kept, u"late", 1, &values), STATUS_INVALID_PARAMETER);
  EXPECT_EQ(add(nullptr, u"never", 1, &values), STATUS_INVALID_PARAMETER);
}

TEST(PcwAddInstance, TakesNoValuesWhileInstancesAreEnumerated) {
  TestDriver driver([&](PCW_CALLBACK_TYPE, PCW_CALLBACK_INFORMATION& info) {
    const Values values{.small = 1, .big = 2};
    EXPECT_EQ(add(info.EnumerateInstances.Buffer, u"without", 1, nullptr), STATUS_SUCCESS);
    EXPECT_EQ(add(info.EnumerateInstances.Buffer, u"with", 2, &values), STATUS_SUCCESS);
    return STATUS_SUCCESS;
  });
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  const auto found = kernel().enumerate(kName, {});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].values, IsEmpty());
  EXPECT_THAT(found[1].values, IsEmpty());
}

TEST(PcwCallback, IsToldWhatIsAsked) {
  struct Call {
    PCW_CALLBACK_TYPE type;
    ULONG64 counter_mask;
    std::u16string instance_mask;
  };
  std::vector<Call> calls;
  PCW_MASK_INFORMATION last{};
  TestDriver driver([&](PCW_CALLBACK_TYPE type, PCW_CALLBACK_INFORMATION& info) {
    const PCUNICODE_STRING mask = info.AddCounter.InstanceMask;
    calls.push_back(
        {type, info.AddCounter.CounterMask, std::u16string(mask->Buffer, mask->Length / 2u)});
    if (type >= PcwCallbackEnumerateInstances) last = info.CollectData;
    return STATUS_UNSUCCESSFUL;
  });
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  const Mask mask{
      .counter_mask = 4, .instance_mask = u"a*", .instance_id = 9, .collect_multiple = false};
  kernel().add_counter(kName, mask);
  kernel().enumerate(kName, mask);
  kernel().collect(kName, mask);
  kernel().remove_counter(kName, mask);
  ASSERT_THAT(calls, SizeIs(4));
  EXPECT_EQ(calls[0].type, PcwCallbackAddCounter);
  EXPECT_EQ(calls[1].type, PcwCallbackEnumerateInstances);
  EXPECT_EQ(calls[2].type, PcwCallbackCollectData);
  EXPECT_EQ(calls[3].type, PcwCallbackRemoveCounter);
  for (const Call& call : calls) {
    EXPECT_EQ(call.counter_mask, 4u);
    EXPECT_TRUE(call.instance_mask == u"a*");
  }
  EXPECT_EQ(last.InstanceId, 9u);
  EXPECT_FALSE(last.CollectMultiple);
  EXPECT_EQ(last.CancelEvent, nullptr);
}

TEST(PcwCallback, TheSystemFiltersOnceMore) {
  TestDriver driver([&](PCW_CALLBACK_TYPE, PCW_CALLBACK_INFORMATION& info) {
    const Values values;
    add(info.CollectData.Buffer, u"disk 1", 1, &values);
    add(info.CollectData.Buffer, u"Disk 10", 10, &values);
    add(info.CollectData.Buffer, u"tape", 1, &values);
    return STATUS_SUCCESS;
  });
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  EXPECT_THAT(kernel().collect(kName, {}), SizeIs(3));
  EXPECT_THAT(kernel().collect(kName, {.instance_mask = u"DISK*"}), SizeIs(2));
  EXPECT_THAT(kernel().collect(kName, {.instance_mask = u"disk ??"}), SizeIs(1));
  EXPECT_THAT(kernel().collect(kName, {.instance_id = 1}), SizeIs(2));
  EXPECT_THAT(kernel().collect(kName, {.instance_mask = u"t*", .instance_id = 1}), SizeIs(1));
  EXPECT_THAT(kernel().collect(kName, {.instance_mask = u""}), IsEmpty());
  EXPECT_THAT(kernel().enumerate(kName, {.instance_id = 2}), IsEmpty());
}

// The driver's code and its context go when PcwUnregister has returned.
TEST(PcwUnregister, WaitsForCallbacksThatAreRunning) {
  std::promise<void> entered;
  std::promise<void> unregistering;
  std::atomic<bool> gone = false;
  std::atomic<int> overtaken = 0;
  TestDriver driver([&](PCW_CALLBACK_TYPE, PCW_CALLBACK_INFORMATION&) {
    entered.set_value();
    unregistering.get_future().wait();
    // Time for a PcwUnregister that does not wait to return.
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    overtaken += gone;
    return STATUS_SUCCESS;
  });
  ASSERT_EQ(driver.load(), STATUS_SUCCESS);
  std::jthread consumer([] { kernel().collect(kName, {}); });
  entered.get_future().wait();
  std::jthread unloader([&] {
    unregistering.set_value();
    driver.unload();
    gone = true;
  });
  unloader.join();
  consumer.join();
  EXPECT_EQ(overtaken, 0);
}

TEST(PcwUnregister, UnderLoadNoCallbackRunsAfterIt) {
  std::atomic<bool> done = false;
  std::vector<std::jthread> consumers;
  for (int i = 0; i < 2; ++i)
    consumers.emplace_back([&done] {
      while (!done) {
        kernel().add_counter(kName, {});
        kernel().enumerate(kName, {});
        kernel().collect(kName, {});
        kernel().remove_counter(kName, {});
      }
    });
  int late = 0;
  for (int i = 0; i < 300; ++i) {
    std::atomic<bool> loaded = true;
    std::atomic<int> after = 0;
    TestDriver driver([&](PCW_CALLBACK_TYPE type, PCW_CALLBACK_INFORMATION& info) {
      after += !loaded;
      const Values values{.small = 1, .big = 2};
      if (type == PcwCallbackCollectData) add(info.CollectData.Buffer, u"one", 1, &values);
      return STATUS_SUCCESS;
    });
    EXPECT_EQ(driver.load(), STATUS_SUCCESS);
    EXPECT_THAT(kernel().collect(kName, {}), SizeIs(1));
    driver.unload();
    loaded = false;
    late += after;
  }
  done = true;
  consumers.clear();
  EXPECT_EQ(late, 0);
}

}  // namespace
}  // namespace winperf::simulator::pcw
