// Calls the provider DLL through its exports, as Windows does.
#include <gtest/gtest.h>
#include <windows.h>
#include <winperf.h>

#include <set>
#include <thread>

#include "tests/providers/sysperf/layout.h"
#include "tests/providers/sysperf/provider.h"
#include "tests/providers/sysperf/walk.h"

namespace sysperf {
namespace {

// The format that consumers expect.
static_assert(sizeof(PERF_DATA_BLOCK) == 88 && offsetof(PERF_DATA_BLOCK, PerfTime) == 56);
static_assert(sizeof(PERF_OBJECT_TYPE) == 64 && offsetof(PERF_OBJECT_TYPE, NumInstances) == 40);
static_assert(offsetof(PERF_OBJECT_TYPE, PerfTime) == 48);
static_assert(sizeof(PERF_COUNTER_DEFINITION) == 40);
static_assert(offsetof(PERF_COUNTER_DEFINITION, CounterOffset) == 36);
static_assert(sizeof(PERF_INSTANCE_DEFINITION) == 24);
static_assert(offsetof(PERF_INSTANCE_DEFINITION, NameLength) == 20);
static_assert(sizeof(PERF_COUNTER_BLOCK) == 4);

constexpr DWORD kFirstCounter = 4000;
constexpr DWORD kFirstHelp = 5001;
constexpr const wchar_t* kServiceKey = L"SYSTEM\\CurrentControlSet\\Services\\sysperf";

std::wstring index_of(DWORD symbol) { return std::to_wstring(kFirstCounter + symbol); }

// The values that lodctr would have written, in a private registry: HKEY_LOCAL_MACHINE is
// redirected to a scratch key for this process, so that a real registration on the machine is not
// touched.
class ScratchRegistry {
 public:
  ScratchRegistry() {
    RegCreateKeyExW(HKEY_CURRENT_USER, path_.c_str(), 0, nullptr, REG_OPTION_VOLATILE,
                    KEY_ALL_ACCESS, nullptr, &root_, nullptr);
    RegOverridePredefKey(HKEY_LOCAL_MACHINE, root_);
  }
  ~ScratchRegistry() {
    RegOverridePredefKey(HKEY_LOCAL_MACHINE, nullptr);
    RegCloseKey(root_);
    RegDeleteTreeW(HKEY_CURRENT_USER, path_.c_str());
  }
  ScratchRegistry(const ScratchRegistry&) = delete;
  ScratchRegistry& operator=(const ScratchRegistry&) = delete;

  LSTATUS set(const wchar_t* name, DWORD value) {
    HKEY key = nullptr;
    const std::wstring path = std::wstring(kServiceKey) + L"\\Performance";
    const LSTATUS status = RegCreateKeyExW(root_, path.c_str(), 0, nullptr, REG_OPTION_VOLATILE,
                                           KEY_ALL_ACCESS, nullptr, &key, nullptr);
    if (status != ERROR_SUCCESS) return status;
    const LSTATUS set_status = RegSetValueExW(key, name, 0, REG_DWORD,
                                              reinterpret_cast<const BYTE*>(&value), sizeof value);
    RegCloseKey(key);
    return set_status;
  }

 private:
  // Tests may run in several processes at once.
  const std::wstring path_ = L"Software\\sysperf_test_" + std::to_wstring(GetCurrentProcessId());
  HKEY root_ = nullptr;
};

class SysPerf : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(provider_.loaded()) << SYSPERF_DLL << ": error " << GetLastError();
    ASSERT_EQ(registry_.set(L"First Counter", kFirstCounter), ERROR_SUCCESS);
    ASSERT_EQ(registry_.set(L"First Help", kFirstHelp), ERROR_SUCCESS);
    ASSERT_EQ(provider_.open(), DWORD{ERROR_SUCCESS});
  }
  void TearDown() override {
    if (provider_.loaded()) provider_.close();
  }

  std::map<DWORD, WalkedObject> collect(const std::wstring& query) const {
    const Collected reply = provider_.collect(query.c_str());
    EXPECT_EQ(reply.status, DWORD{ERROR_SUCCESS});
    EXPECT_TRUE(reply.moved_by_size);
    auto objects = walk(reply.data, kFirstCounter);
    EXPECT_EQ(objects.size(), reply.objects);
    return objects;
  }

  void expect_nothing(const wchar_t* query) const {
    const Collected reply = provider_.collect(query);
    EXPECT_EQ(reply.status, DWORD{ERROR_SUCCESS});
    EXPECT_EQ(reply.data.size(), 0u);
    EXPECT_EQ(reply.objects, 0u);
    EXPECT_TRUE(reply.moved_by_size && reply.untouched);
  }

  Provider provider_{SYSPERF_DLL};
  ScratchRegistry registry_;
};

const std::set<DWORD> kAllObjects = {SYSPERF_SYSTEM, SYSPERF_PROCESSOR, SYSPERF_MEMORY,
                                     SYSPERF_PROCESS};

std::set<DWORD> symbols(const std::map<DWORD, WalkedObject>& objects) {
  std::set<DWORD> result;
  for (const auto& [symbol, object] : objects) result.insert(symbol);
  return result;
}

TEST_F(SysPerf, GlobalAndNoTextAtAllGiveEveryObject) {
  for (const wchar_t* query : {L"Global", L"GLOBAL", L"OLD_Global"}) {
    EXPECT_EQ(symbols(collect(query)), kAllObjects) << query;
  }
  EXPECT_EQ(provider_.collect(nullptr).objects, kAllObjects.size());
}

TEST_F(SysPerf, IndexListGivesTheseObjectsAlone) {
  const std::wstring system = index_of(SYSPERF_SYSTEM), process = index_of(SYSPERF_PROCESS);
  const std::set<DWORD> both = {SYSPERF_SYSTEM, SYSPERF_PROCESS};
  EXPECT_EQ(symbols(collect(system)), std::set<DWORD>{SYSPERF_SYSTEM});
  EXPECT_EQ(symbols(collect(system + L" " + process)), both);
  EXPECT_EQ(symbols(collect(L" \t" + process + L"\r\n  " + system + L" ")), both);
  EXPECT_EQ(symbols(collect(L"000" + system + L" " + system)), std::set<DWORD>{SYSPERF_SYSTEM});
}

TEST_F(SysPerf, IgnoresIndicesItDoesNotKnow) {
  const std::wstring memory = index_of(SYSPERF_MEMORY);
  const std::set<DWORD> only = {SYSPERF_MEMORY};
  for (const std::wstring& other : std::vector<std::wstring>{
           L"2 4 238", L"-1", L"0x10", memory + L"x", L"4294967295", L"4294967296",
           std::to_wstring(4294967296ULL + kFirstCounter), std::wstring(5000, L'9')}) {
    EXPECT_EQ(symbols(collect(other + L" " + memory)), only) << other.substr(0, 20);
  }
  // A counter's index is not an object's.
  expect_nothing(index_of(SYSPERF_PROCESSOR_TIME).c_str());
}

TEST_F(SysPerf, GivesNothingForWhatIsNotItsOwn) {
  const std::wstring foreign = L"Foreign machine " + index_of(SYSPERF_SYSTEM);
  for (const wchar_t* query : {L"", L" ", L"2 4 230 238", L"Costly", L"MetadataCostly",
                               L"OLD_MetadataCostly", L"Foreign machine", foreign.c_str(),
                               L"Counter 009", L"Globally", L"99999999999999999999"}) {
    SCOPED_TRACE(query);
    expect_nothing(query);
  }
}

TEST_F(SysPerf, MetadataIsDefinitionsAlone) {
  const auto full = collect(L"Global");
  const auto metadata = collect(L"MetadataGlobal");
  ASSERT_EQ(symbols(metadata), kAllObjects);
  for (const auto& [symbol, object] : metadata) {
    const PERF_OBJECT_TYPE& header = full.at(symbol).header;
    EXPECT_EQ(object.header.NumInstances, header.NumInstances == PERF_NO_INSTANCES ? -3 : -2);
    EXPECT_EQ(object.header.TotalByteLength, header.DefinitionLength);
    EXPECT_EQ(object.header.NumCounters, header.NumCounters);
  }
}

TEST_F(SysPerf, LeavesEverythingAloneWhenTheBufferIsTooSmall) {
  const std::wstring query = index_of(SYSPERF_SYSTEM) + L" " + index_of(SYSPERF_MEMORY);
  const size_t need = provider_.collect(query.c_str()).data.size();
  ASSERT_GT(need, 0u);
  for (size_t room = 0; room < need; ++room) {
    const Collected reply = provider_.collect(query.c_str(), room);
    ASSERT_EQ(reply.status, DWORD{ERROR_MORE_DATA}) << room;
    ASSERT_EQ(reply.data.size(), 0u);
    ASSERT_EQ(reply.objects, 0u);
    ASSERT_TRUE(reply.moved_by_size && reply.untouched) << room;
  }
  EXPECT_EQ(provider_.collect(query.c_str(), need).data.size(), need);
  EXPECT_EQ(provider_.collect(query.c_str(), need + 1).data.size(), need);
}

TEST_F(SysPerf, DefinitionsAreThoseOfWindowsObjects) {
  for (const auto& [symbol, object] : collect(L"Global")) {
    EXPECT_EQ(object.header.ObjectHelpTitleIndex, kFirstHelp + symbol);
    EXPECT_EQ(object.header.CodePage, 0u);
    EXPECT_EQ(object.header.PerfFreq.QuadPart, 10'000'000);
    EXPECT_LT(object.header.DefaultCounter, static_cast<LONG>(object.header.NumCounters));
    for (size_t i = 0; i < object.counters.size(); ++i) {
      const PERF_COUNTER_DEFINITION& counter = object.counters[i];
      const DWORD offset = counter.CounterNameTitleIndex - kFirstCounter;
      EXPECT_EQ(counter.CounterHelpTitleIndex, kFirstHelp + offset);
      const DWORD size_bits = counter.CounterType & 0x300;
      EXPECT_EQ(counter.CounterSize, size_bits == PERF_SIZE_LARGE ? 8u : 4u) << offset;
      if (counter.CounterType == PERF_RAW_FRACTION) {
        ASSERT_LT(i + 1, object.counters.size());
        EXPECT_EQ(object.counters[i + 1].CounterType, DWORD{PERF_RAW_BASE});
        EXPECT_EQ(object.counters[i + 1].CounterNameTitleIndex, counter.CounterNameTitleIndex);
      }
    }
  }
}

TEST_F(SysPerf, ProcessorsAreThisMachines) {
  const auto objects = collect(index_of(SYSPERF_PROCESSOR));
  const WalkedObject& processor = objects.at(SYSPERF_PROCESSOR);
  SYSTEM_INFO info{};
  GetSystemInfo(&info);
  ASSERT_EQ(processor.instances.size(), info.dwNumberOfProcessors + 1);
  ULONGLONG idle = 0;
  for (DWORD i = 0; i < info.dwNumberOfProcessors; ++i) {
    const WalkedInstance& instance = processor.instances[i];
    EXPECT_EQ(instance.name, std::to_wstring(i));
    EXPECT_EQ(instance.value(SYSPERF_PROCESSOR_TIME, PERF_100NSEC_TIMER_INV),
              instance.value(SYSPERF_IDLE_TIME, PERF_100NSEC_TIMER));
    idle += instance.value(SYSPERF_IDLE_TIME, PERF_100NSEC_TIMER);
  }
  const WalkedInstance& total = processor.instances.back();
  EXPECT_EQ(total.name, L"_Total");
  EXPECT_EQ(total.value(SYSPERF_IDLE_TIME, PERF_100NSEC_TIMER), idle / info.dwNumberOfProcessors);

  FILETIME idle_now{}, kernel_now{}, user_now{};
  ASSERT_TRUE(GetSystemTimes(&idle_now, &kernel_now, &user_now));
  const ULONGLONG idle_later = ULONGLONG{idle_now.dwHighDateTime} << 32 | idle_now.dwLowDateTime;
  EXPECT_GT(idle, 0u);
  constexpr double kMinute = 60e7;
  EXPECT_NEAR(static_cast<double>(idle), static_cast<double>(idle_later), kMinute);
}

TEST_F(SysPerf, MemoryIsThisMachines) {
  const auto objects = collect(index_of(SYSPERF_MEMORY));
  const WalkedInstance& memory = objects.at(SYSPERF_MEMORY).instances.at(0);
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  ASSERT_TRUE(GlobalMemoryStatusEx(&status));
  const ULONGLONG available = memory.value(SYSPERF_AVAILABLE_BYTES, PERF_COUNTER_LARGE_RAWCOUNT);
  const ULONGLONG limit = memory.value(SYSPERF_COMMIT_LIMIT, PERF_COUNTER_LARGE_RAWCOUNT);
  const ULONGLONG committed = memory.value(SYSPERF_COMMITTED_BYTES, PERF_COUNTER_LARGE_RAWCOUNT);
  EXPECT_GT(available, 0u);
  EXPECT_LE(available, status.ullTotalPhys);
  EXPECT_NEAR(static_cast<double>(available), static_cast<double>(status.ullAvailPhys),
              0.25 * static_cast<double>(status.ullTotalPhys));
  EXPECT_GT(committed, 0u);
  EXPECT_LE(committed, limit);
  EXPECT_EQ(memory.value(SYSPERF_AVAILABLE_KBYTES, PERF_COUNTER_LARGE_RAWCOUNT), available >> 10);
  EXPECT_EQ(memory.value(SYSPERF_AVAILABLE_MBYTES, PERF_COUNTER_LARGE_RAWCOUNT), available >> 20);
  SYSTEM_INFO info{};
  GetSystemInfo(&info);
  EXPECT_EQ(memory.value(SYSPERF_COMMITTED_IN_USE, PERF_RAW_FRACTION) * info.dwPageSize, committed);
  EXPECT_EQ(memory.value(SYSPERF_COMMITTED_IN_USE, PERF_RAW_BASE) * info.dwPageSize, limit);
}

TEST_F(SysPerf, SystemUpTimeIsAMomentOnTheObjectsClock) {
  const auto objects = collect(index_of(SYSPERF_SYSTEM));
  const WalkedObject& system = objects.at(SYSPERF_SYSTEM);
  const auto started = static_cast<LONGLONG>(
      system.instances.at(0).value(SYSPERF_SYSTEM_UP_TIME, PERF_ELAPSED_TIME));
  const double seconds = static_cast<double>(system.header.PerfTime.QuadPart - started) / 1e7;
  EXPECT_NEAR(seconds, static_cast<double>(GetTickCount64()) / 1e3, 60);
  EXPECT_GE(system.instances[0].value(SYSPERF_PROCESSES, PERF_COUNTER_RAWCOUNT), 1u);
  EXPECT_GE(system.instances[0].value(SYSPERF_THREADS, PERF_COUNTER_RAWCOUNT),
            system.instances[0].value(SYSPERF_PROCESSES, PERF_COUNTER_RAWCOUNT));
}

TEST_F(SysPerf, ProcessesBeginWithIdleEndWithTotalAndHoldThisOne) {
  const auto objects = collect(index_of(SYSPERF_PROCESS));
  const WalkedObject& process = objects.at(SYSPERF_PROCESS);
  ASSERT_GE(process.instances.size(), 3u);
  EXPECT_EQ(process.instances.front().name, L"Idle");
  EXPECT_EQ(process.instances.back().name, L"_Total");
  const WalkedInstance* own = process.find(L"sysperf_test");
  ASSERT_NE(own, nullptr) << "no instance is named after this process";
  EXPECT_EQ(own->value(SYSPERF_ID_PROCESS, PERF_COUNTER_RAWCOUNT), GetCurrentProcessId());
  FILETIME created{}, exited{}, kernel{}, user{};
  ASSERT_TRUE(GetProcessTimes(GetCurrentProcess(), &created, &exited, &kernel, &user));
  EXPECT_EQ(own->value(SYSPERF_ELAPSED_TIME, PERF_ELAPSED_TIME),
            ULONGLONG{created.dwHighDateTime} << 32 | created.dwLowDateTime);
  EXPECT_GT(own->value(SYSPERF_WORKING_SET, PERF_COUNTER_LARGE_RAWCOUNT), 0u);
  EXPECT_GT(own->value(SYSPERF_PRIVATE_BYTES, PERF_COUNTER_LARGE_RAWCOUNT), 0u);
  ULONGLONG threads = 0, time = 0;
  for (const WalkedInstance& instance : process.instances) {
    if (&instance == &process.instances.back()) break;
    threads += instance.value(SYSPERF_THREAD_COUNT, PERF_COUNTER_RAWCOUNT);
    time += instance.value(SYSPERF_PROCESSOR_TIME, PERF_100NSEC_TIMER);
  }
  const WalkedInstance& total = process.instances.back();
  EXPECT_EQ(total.value(SYSPERF_THREAD_COUNT, PERF_COUNTER_RAWCOUNT), threads);
  EXPECT_EQ(total.value(SYSPERF_PROCESSOR_TIME, PERF_100NSEC_TIMER), time);
  EXPECT_EQ(total.value(SYSPERF_ELAPSED_TIME, PERF_ELAPSED_TIME),
            static_cast<ULONGLONG>(process.header.PerfTime.QuadPart));
}

TEST_F(SysPerf, AnswersSeveralThreadsAtOnce) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(provider_.open(), DWORD{ERROR_SUCCESS});
        EXPECT_EQ(symbols(collect(L"Global")), kAllObjects);
        EXPECT_EQ(provider_.close(), DWORD{ERROR_SUCCESS});
      }
    });
  }
}

TEST_F(SysPerf, IsOpenUntilClosedAsOftenAsOpened) {
  ASSERT_EQ(provider_.open(), DWORD{ERROR_SUCCESS});
  ASSERT_EQ(provider_.close(), DWORD{ERROR_SUCCESS});
  EXPECT_EQ(symbols(collect(L"Global")), kAllObjects);
  ASSERT_EQ(provider_.close(), DWORD{ERROR_SUCCESS});
  expect_nothing(L"Global");
  ASSERT_EQ(provider_.close(), DWORD{ERROR_SUCCESS});  // once more than Open
  ASSERT_EQ(provider_.open(), DWORD{ERROR_SUCCESS});
  EXPECT_EQ(symbols(collect(L"Global")), kAllObjects);
}

TEST_F(SysPerf, OpenReadsTheIndicesAnewWhenItWasClosed) {
  ASSERT_EQ(provider_.close(), DWORD{ERROR_SUCCESS});
  ASSERT_EQ(registry_.set(L"First Counter", 6000), ERROR_SUCCESS);
  ASSERT_EQ(provider_.open(), DWORD{ERROR_SUCCESS});
  expect_nothing(index_of(SYSPERF_SYSTEM).c_str());
  EXPECT_EQ(provider_.collect(L"6000").objects, 1u);
}

// A file in place of a device. A file that is open can't be deleted, which shows that it is open.
class Device {
 public:
  explicit Device(const wchar_t* name) {
    wchar_t folder[MAX_PATH] = L"";
    GetTempPathW(MAX_PATH, folder);
    path_ = folder + (L"sysperf_test_" + std::to_wstring(GetCurrentProcessId())) + name;
    const HANDLE file = CreateFileW(path_.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
    EXPECT_NE(file, INVALID_HANDLE_VALUE) << GetLastError();
    CloseHandle(file);
  }
  ~Device() { DeleteFileW(path_.c_str()); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::wstring& path() const { return path_; }
  bool is_open() const {
    const HANDLE file = CreateFileW(path_.c_str(), DELETE, 7, nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) return GetLastError() == ERROR_SHARING_VIOLATION;
    CloseHandle(file);
    return false;
  }

 private:
  std::wstring path_;
};

class SysPerfDevices : public SysPerf {
 protected:
  // In the form of Linkage\Export.
  static std::wstring multi_sz(const std::vector<std::wstring>& names) {
    std::wstring list;
    for (const std::wstring& name : names) list += name + L'\0';
    return list + L'\0';
  }
  void SetUp() override {
    SysPerf::SetUp();
    provider_.close();
  }

  const Device first_{L".first"};
  const Device second_{L".second"};
  const std::wstring missing_ = first_.path() + L".missing";
};

TEST_F(SysPerfDevices, AreOpenFromTheFirstOpenToTheLastClose) {
  const std::wstring names = multi_sz({first_.path(), second_.path()});
  ASSERT_EQ(provider_.open(names), DWORD{ERROR_SUCCESS});
  EXPECT_TRUE(first_.is_open() && second_.is_open());
  ASSERT_EQ(provider_.open(names), DWORD{ERROR_SUCCESS});
  provider_.close();
  EXPECT_TRUE(first_.is_open() && second_.is_open());
  EXPECT_EQ(symbols(collect(L"Global")), kAllObjects);
  provider_.close();
  EXPECT_FALSE(first_.is_open() || second_.is_open());
}

TEST_F(SysPerfDevices, MayBeNone) {
  for (const auto& names : {std::optional<std::wstring>(), std::optional(multi_sz({})),
                            std::optional(multi_sz({L""}))}) {
    ASSERT_EQ(provider_.open(names), DWORD{ERROR_SUCCESS});
    EXPECT_EQ(symbols(collect(L"Global")), kAllObjects);
    provider_.close();
  }
}

TEST_F(SysPerfDevices, OneThatCanNotBeOpenedIsTheErrorOfOpen) {
  EXPECT_EQ(provider_.open(multi_sz({first_.path(), missing_, second_.path()})),
            DWORD{ERROR_FILE_NOT_FOUND});
  EXPECT_FALSE(first_.is_open()) << "Open must close the others again";
  expect_nothing(L"Global");
  EXPECT_EQ(provider_.open(multi_sz({missing_ + L"\\below"})), DWORD{ERROR_PATH_NOT_FOUND});
  EXPECT_EQ(provider_.open(multi_sz({first_.path()})), DWORD{ERROR_SUCCESS})
      << "Open must succeed afterwards";
}

TEST(SysPerfUnregistered, OpenSaysWhatIsMissingAndCollectGivesNothing) {
  const Provider provider{SYSPERF_DLL};
  const ScratchRegistry registry;
  ASSERT_TRUE(provider.loaded());
  EXPECT_EQ(provider.open(), DWORD{ERROR_FILE_NOT_FOUND});
  const Collected reply = provider.collect(L"Global");
  EXPECT_EQ(reply.status, DWORD{ERROR_SUCCESS});
  EXPECT_EQ(reply.objects, 0u);
  EXPECT_TRUE(reply.untouched);
}

}  // namespace
}  // namespace sysperf
