// One real DLL, asked by the system and by the product's own host. The system sees no other
// provider, because HKEY_LOCAL_MACHINE is a scratch key in this process. What both give must be
// equal, byte by byte, except for what changes by itself: that differs between two replies of the
// system, too.
#include <gmock/gmock.h>
#include <windows.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collectors/provider/provider_source.h"
#include "collectors/sources/platform.h"
#include "collectors/wire/block_view.h"

namespace winperf {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

constexpr DWORD kFirstCounter = 4000;
constexpr DWORD kFirstHelp = 4001;
constexpr int kRounds = 100;
constexpr std::size_t kWord = 4;

struct Dll {
  const wchar_t* service;
  const wchar_t* path;
  const wchar_t* functions[3];
  std::vector<std::uint32_t> objects;  // from its first counter
  DWORD span;                          // of its titles
};

const std::vector<Dll>& dlls() {
  static const std::vector<Dll> all{
      {L"sysperf",
       SYSPERF_DLL,
       {L"OpenSysPerf", L"CollectSysPerf", L"CloseSysPerf"},
       {0, 8, 18, 32},
       56},
      {L"faulty", FAULTY_DLL, {L"OpenFaulty", L"CollectFaulty", L"CloseFaulty"}, {0, 6}, 12}};
  return all;
}

std::wstring full_path(const wchar_t* path) {
  wchar_t full[MAX_PATH] = {};
  EXPECT_NE(GetFullPathNameW(path, MAX_PATH, full, nullptr), 0U);
  return full;
}

class ScratchMachine {
 public:
  ScratchMachine() {
    EXPECT_EQ(RegCreateKeyExW(HKEY_CURRENT_USER, path_.c_str(), 0, nullptr, REG_OPTION_VOLATILE,
                              KEY_ALL_ACCESS, nullptr, &root_, nullptr),
              ERROR_SUCCESS);
    // Without the machine's name Wine answers no query.
    set(L"SYSTEM\\CurrentControlSet\\Control\\ComputerName\\ActiveComputerName", L"ComputerName",
        std::wstring(L"LONE"));
    EXPECT_EQ(RegOverridePredefKey(HKEY_LOCAL_MACHINE, root_), ERROR_SUCCESS);
  }
  ~ScratchMachine() {
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    RegOverridePredefKey(HKEY_LOCAL_MACHINE, nullptr);
    RegCloseKey(root_);
    RegDeleteTreeW(HKEY_CURRENT_USER, path_.c_str());
  }
  ScratchMachine(const ScratchMachine&) = delete;
  ScratchMachine& operator=(const ScratchMachine&) = delete;

  void install(const Dll& dll) {
    std::wstring list;
    for (const std::uint32_t object : dll.objects)
      list += std::to_wstring(kFirstCounter + object) + L' ';
    list.pop_back();
    const std::wstring key =
        std::wstring(L"SYSTEM\\CurrentControlSet\\Services\\") + dll.service + L"\\Performance";
    set(key, L"Library", full_path(dll.path));
    set(key, L"Open", std::wstring(dll.functions[0]));
    set(key, L"Collect", std::wstring(dll.functions[1]));
    set(key, L"Close", std::wstring(dll.functions[2]));
    set(key, L"Object List", list);
    set(key, L"First Counter", kFirstCounter);
    set(key, L"Last Counter", kFirstCounter + dll.span);
    set(key, L"First Help", kFirstHelp);
    set(key, L"Last Help", kFirstHelp + dll.span);
    set(key, L"Collect Supports Metadata", 1);
    const std::wstring perflib = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
    set(perflib, L"Last Counter", kFirstCounter + dll.span);
    set(perflib, L"Last Help", kFirstHelp + dll.span);
  }

 private:
  void set(const std::wstring& key, const wchar_t* name, DWORD type, const void* data,
           std::size_t bytes) {
    HKEY opened = nullptr;
    ASSERT_EQ(RegCreateKeyExW(root_, key.c_str(), 0, nullptr, REG_OPTION_VOLATILE, KEY_ALL_ACCESS,
                              nullptr, &opened, nullptr),
              ERROR_SUCCESS);
    EXPECT_EQ(RegSetValueExW(opened, name, 0, type, static_cast<const BYTE*>(data),
                             static_cast<DWORD>(bytes)),
              ERROR_SUCCESS);
    RegCloseKey(opened);
  }
  void set(const std::wstring& key, const wchar_t* name, DWORD value) {
    set(key, name, REG_DWORD, &value, sizeof value);
  }
  void set(const std::wstring& key, const wchar_t* name, const std::wstring& text) {
    set(key, name, REG_SZ, text.c_str(), (text.size() + 1) * sizeof(wchar_t));
  }

  const std::wstring path_ =
      L"Software\\winperf_lone_provider_" + std::to_wstring(GetCurrentProcessId());
  HKEY root_ = nullptr;
};

// A reply's head without its clocks, and the bytes of each object.
struct Read {
  std::string computer;
  std::int64_t perf_frequency = 0;
  std::map<std::uint32_t, Bytes> objects;

  std::vector<std::uint32_t> indices() const {
    std::vector<std::uint32_t> all;
    for (const auto& [index, bytes] : objects) all.push_back(index);
    return all;
  }
};

Read read(CounterSource& source, const std::string& value_name) {
  const auto reply = source.query(value_name, {});
  EXPECT_TRUE(reply) << value_name << ": " << describe(reply.error());
  if (!reply) return {};
  const Bytes& bytes = reply->blocks.front();
  const auto block = BlockView::parse(bytes);
  EXPECT_TRUE(block) << value_name << ": " << describe(block.error());
  if (!block) return {};
  Read result{.computer = std::string(block->computer_name()),
              .perf_frequency = block->clocks().perf_frequency.ticks_per_second,
              .objects = {}};
  ObjectWalk walk = block->objects();
  while (const auto object = walk.next()) {
    EXPECT_TRUE(*object);
    const auto part = std::span(bytes).subspan((*object)->offset(), (*object)->byte_length());
    result.objects[value_of((*object)->index())].assign(part.begin(), part.end());
  }
  return result;
}

// The words that the system gave twice, and the host otherwise.
std::size_t differences(const Bytes& before, const Bytes& host, const Bytes& after) {
  if (before.size() != after.size()) return 0;  // instances have come or gone
  if (host.size() != before.size()) return 1;
  std::size_t count = 0;
  for (std::size_t at = 0; at < before.size(); at += kWord) {
    const auto same = [at](const Bytes& a, const Bytes& b) {
      return std::memcmp(&a[at], &b[at], kWord) == 0;
    };
    if (same(before, after) && !same(before, host)) ++count;
  }
  return count;
}

// One that two samples happen to hide, such as a count that went up and down again while other
// programs start and end, isn't in every round.
std::size_t fewest_differences(CounterSource& system, CounterSource& host, const std::string& query,
                               std::uint32_t object) {
  std::size_t fewest = SIZE_MAX;
  for (int round = 0; round < kRounds && fewest != 0; ++round) {
    const Read before = read(system, query);
    const Read between = read(host, query);
    const Read after = read(system, query);
    if (!before.objects.contains(object) || !between.objects.contains(object) ||
        !after.objects.contains(object))
      return SIZE_MAX;
    fewest = std::min(fewest, differences(before.objects.at(object), between.objects.at(object),
                                          after.objects.at(object)));
  }
  return fewest;
}

std::string utf8(const wchar_t* ascii) {
  std::string text;
  for (; *ascii != 0; ++ascii) text += static_cast<char>(*ascii);
  return text;
}

TEST(LoneProvider, IsReadByItsHostAsByTheSystem) {
  for (const Dll& dll : dlls()) {
    SCOPED_TRACE(utf8(dll.service));
    ScratchMachine machine;
    machine.install(dll);
    const auto system = make_registry_source().value();
    ProviderSource host(make_provider_machine(), utf8(dll.service), {}, system_clocks());
    std::vector<std::uint32_t> all;
    std::string list;
    for (const std::uint32_t object : dll.objects) {
      all.push_back(kFirstCounter + object);
      list += (list.empty() ? "" : " ") + std::to_string(all.back());
    }
    for (const std::string& query : {std::string("Global"), list, std::to_string(all.back())}) {
      SCOPED_TRACE(query);
      const Read expected = read(*system, query);
      const Read hosted = read(host, query);
      EXPECT_EQ(hosted.computer, expected.computer);
      EXPECT_EQ(hosted.perf_frequency, expected.perf_frequency);
      EXPECT_EQ(hosted.indices(), expected.indices()) << "and nobody else's";
      for (const auto& [object, bytes] : expected.objects)
        EXPECT_EQ(fewest_differences(*system, host, query, object), 0U) << object;
    }
    EXPECT_THAT(read(*system, "Global").indices(), ElementsAreArray(all));
  }
}

TEST(LoneProvider, MayHaveACollectAlone) {
  ScratchMachine machine;
  Dll alone = dlls().front();
  alone.functions[0] = alone.functions[2] = L"";
  machine.install(alone);
  ProviderSource host(make_provider_machine(), utf8(alone.service), {}, system_clocks());
  const auto reply = host.query("Global", {});
  ASSERT_TRUE(reply) << describe(reply.error());
  EXPECT_THAT(read(host, "Global").indices(), IsEmpty()) << "this one needs to be opened";
}

TEST(LoneProvider, IsNotThereWithoutItsRegistration) {
  ScratchMachine machine;
  EXPECT_THAT(make_provider_machine()->registrations(), IsEmpty());
}

}  // namespace
}  // namespace winperf
