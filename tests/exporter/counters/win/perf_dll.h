// winperf_exporter_perf.dll, called through its exports as Windows does; and the checks that each
// of its replies has to pass. Thread rule: any thread, while the DLL is loaded.
#pragma once

#include <gtest/gtest.h>
#include <windows.h>
#include <winperf.h>

#include <cstddef>
#include <string>

#include "exporter/counters/own_counters.h"
#include "tests/exporter/counters/section_builder.h"
#include "tests/providers/sysperf/provider.h"
#include "tests/providers/sysperf/walk.h"

namespace winperf::own::testing {

inline constexpr DWORD kFirstCounter = 4000;
inline constexpr DWORD kFirstHelp = 5001;

using DllReply = sysperf::Collected;

class PerfDll : public sysperf::Provider {
 public:
  PerfDll()
      : Provider(OWN_PERF_DLL,
                 {"OpenWinperfExporter", "CollectWinperfExporter", "CloseWinperfExporter"}) {}

  DllReply collect(const std::wstring& query = L"Global",
                   std::size_t room = std::size_t{1} << 18) const {
    return Provider::collect(query.c_str(), room);
  }
};

inline void expect_no_data(const DllReply& reply) {
  EXPECT_EQ(reply.status, DWORD{ERROR_SUCCESS});
  EXPECT_TRUE(reply.data.empty());
  EXPECT_EQ(reply.objects, 0U);
  EXPECT_TRUE(reply.moved_by_size && reply.untouched);
}

// Both objects, whose values all follow from the number of one state. Returns the number, or 0.
inline std::uint64_t expect_one_state(const DllReply& reply, std::size_t rows) {
  EXPECT_EQ(reply.status, DWORD{ERROR_SUCCESS});
  EXPECT_TRUE(reply.moved_by_size);
  const auto objects = sysperf::walk(reply.data, kFirstCounter);
  EXPECT_EQ(objects.size(), reply.objects);
  const auto value = [](const sysperf::WalkedInstance& instance, const ObjectRow& object,
                        std::size_t row) {
    return instance.value(title_offset(object, row), static_cast<DWORD>(object.counters[row].type));
  };
  const auto shown = [](const CounterRow& row, std::uint64_t full) {
    return row.bytes == 4 ? full & MAXDWORD : full;
  };
  const auto exporter = objects.find(title_offset(kExporterObject));
  const auto countersets = objects.find(title_offset(kCountersetObject));
  if (exporter == objects.end() || countersets == objects.end()) {
    ADD_FAILURE() << "an object is missing";
    return 0;
  }
  EXPECT_EQ(exporter->second.header.ObjectHelpTitleIndex, kFirstHelp);
  const auto& single = exporter->second.instances.at(0);
  const std::uint64_t number = value(single, kExporterObject, 0);
  for (std::size_t i = 0; i < kExporterValues; ++i)
    EXPECT_EQ(value(single, kExporterObject, i),
              shown(kExporterRows[i], exporter_value_of(number, i)));
  EXPECT_EQ(countersets->second.instances.size(), rows);
  for (std::size_t row = 0; row < countersets->second.instances.size(); ++row) {
    const auto& instance = countersets->second.instances[row];
    const std::u16string name = row_name_of(row);
    EXPECT_EQ(instance.name, std::wstring(name.begin(), name.end()));
    for (std::size_t i = 0; i < kCountersetValues; ++i)
      EXPECT_EQ(value(instance, kCountersetObject, i),
                shown(kCountersetRows[i], counterset_value_of(number, row, i)));
  }
  return number;
}

// The values that lodctr would have written, in a private registry: HKEY_LOCAL_MACHINE is a scratch
// key in this process.
class RegisteredIndices {
 public:
  RegisteredIndices() {
    RegCreateKeyExW(HKEY_CURRENT_USER, path_.c_str(), 0, nullptr, REG_OPTION_VOLATILE,
                    KEY_ALL_ACCESS, nullptr, &root_, nullptr);
    RegOverridePredefKey(HKEY_LOCAL_MACHINE, root_);
  }
  ~RegisteredIndices() {
    RegOverridePredefKey(HKEY_LOCAL_MACHINE, nullptr);
    RegCloseKey(root_);
    RegDeleteTreeW(HKEY_CURRENT_USER, path_.c_str());
  }
  RegisteredIndices(const RegisteredIndices&) = delete;
  RegisteredIndices& operator=(const RegisteredIndices&) = delete;

  void set(const wchar_t* name, DWORD value, DWORD type = REG_DWORD) {
    HKEY key = nullptr;
    ASSERT_EQ(RegCreateKeyExW(
                  root_, L"SYSTEM\\CurrentControlSet\\Services\\winperf_exporter\\Performance", 0,
                  nullptr, REG_OPTION_VOLATILE, KEY_ALL_ACCESS, nullptr, &key, nullptr),
              ERROR_SUCCESS);
    EXPECT_EQ(
        RegSetValueExW(key, name, 0, type, reinterpret_cast<const BYTE*>(&value), sizeof value),
        ERROR_SUCCESS);
    RegCloseKey(key);
  }
  void clear() { RegDeleteTreeW(root_, L"SYSTEM"); }
  void set_both() {
    set(L"First Counter", kFirstCounter);
    set(L"First Help", kFirstHelp);
    set(L"Last Counter",
        kFirstCounter + title_offset(kCountersetObject, kCountersetRows.size() - 1));
  }

 private:
  // Tests may run in several processes at once.
  const std::wstring path_ =
      L"Software\\winperf_perf_dll_" + std::to_wstring(GetCurrentProcessId());
  HKEY root_ = nullptr;
};

}  // namespace winperf::own::testing
