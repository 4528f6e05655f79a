#include <gtest/gtest.h>
#include <windows.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <string>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/service_configs.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

// A service of our own that nobody starts.
class OwnService {
 public:
  explicit OwnService(DWORD start, const wchar_t* path = L"\"C:\\t\u00e4st folder\\s.exe\" run") {
    handle_.reset(CreateServiceW(manager_.get(), kName, L"winperf facts: \u00dcbung",
                                 SERVICE_ALL_ACCESS, SERVICE_WIN32_OWN_PROCESS, start,
                                 SERVICE_ERROR_NORMAL, path, nullptr, nullptr, nullptr, nullptr,
                                 nullptr));
  }
  ~OwnService() {
    if (handle_) DeleteService(handle_.get());
  }
  OwnService(const OwnService&) = delete;
  OwnService& operator=(const OwnService&) = delete;

  SC_HANDLE get() const { return handle_.get(); }
  static constexpr const wchar_t* kName = L"winperf_facts_test";

 private:
  UniqueService manager_{OpenSCManagerW(nullptr, nullptr, SC_MANAGER_ALL_ACCESS)};
  UniqueService handle_;
};

const FactRow* find_row(const FactTable& table, const std::string& name) {
  const auto found =
      std::ranges::find(table.rows, name, [](const FactRow& row) { return row.text_of("name"); });
  return found == table.rows.end() ? nullptr : &*found;
}

FactRow own_row(ServiceConfigs& configs) {
  const auto table = read_services(configs);
  EXPECT_TRUE(table) << describe(table.error());
  if (!table) return {};
  const FactRow* const row = find_row(*table, "winperf_facts_test");
  EXPECT_NE(row, nullptr);
  return row != nullptr ? *row : FactRow();
}
FactRow own_row() {
  ServiceConfigs configs;
  return own_row(configs);
}

TEST(ServicesTest, ServiceThatWasInstalled_IsThere) {
  const OwnService service(SERVICE_DEMAND_START);
  ASSERT_NE(service.get(), nullptr) << GetLastError();
  const FactRow row = own_row();
  EXPECT_EQ(row.text_of("display_name"),
            "winperf facts: \xC3\x9C"
            "bung");
  EXPECT_EQ(row.text_of("path_name"), "\"C:\\t\xC3\xA4st folder\\s.exe\" run");
  EXPECT_EQ(row.text_of("run_as"), "LocalSystem");
  EXPECT_EQ(row.text_of("state"), "stopped");
  EXPECT_EQ(row.text_of("start_mode"), "manual");
  EXPECT_EQ(row.find("process_id"), nullptr);
  EXPECT_EQ(row.find("process_started"), nullptr);
  EXPECT_EQ(row.find("delayed"), nullptr);  // it doesn't start by itself
  SERVICE_STATUS status{};
  ASSERT_TRUE(QueryServiceStatus(service.get(), &status));
  EXPECT_EQ(row.text_of("exit_code"), std::to_string(status.dwWin32ExitCode));
}

TEST(ServicesTest, StartModes_HaveTheirNames) {
  {
    const OwnService service(SERVICE_DISABLED);
    EXPECT_EQ(own_row().text_of("start_mode"), "disabled");
  }
  const OwnService service(SERVICE_AUTO_START);
  ASSERT_NE(service.get(), nullptr) << GetLastError();
  const FactRow row = own_row();
  EXPECT_EQ(row.text_of("start_mode"), "auto");
  EXPECT_EQ(row.text_of("delayed"), "0");
}

constexpr std::chrono::milliseconds kAtOnce{0};

TEST(ServicesTest, ServiceThatWasChanged_IsReadAgain) {
  ServiceConfigs configs(kAtOnce);
  const OwnService service(SERVICE_DISABLED);
  EXPECT_EQ(own_row(configs).text_of("start_mode"), "disabled");
  const FactRow same = own_row(configs);
  EXPECT_EQ(same, own_row());
  ASSERT_TRUE(ChangeServiceConfigW(service.get(), SERVICE_NO_CHANGE, SERVICE_AUTO_START,
                                   SERVICE_NO_CHANGE, nullptr, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, nullptr))
      << GetLastError();
  EXPECT_EQ(own_row(configs).text_of("start_mode"), "auto");
}

TEST(ServicesTest, ServiceThatIsKnown_IsNotOpened) {
  ServiceConfigs configs(kAtOnce);
  const OwnService service(SERVICE_DEMAND_START);
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  FactRow first;
  ASSERT_EQ(configs.add(manager.get(), OwnService::kName, first), DWORD{ERROR_SUCCESS});
  configs.end_reading();
  FactRow second;
  EXPECT_EQ(configs.add(nullptr, OwnService::kName, second), DWORD{ERROR_SUCCESS});
  EXPECT_EQ(second, first);
  configs.end_reading();
  configs.end_reading();  // of a reading without it
  EXPECT_NE(configs.add(nullptr, OwnService::kName, second), DWORD{ERROR_SUCCESS});
}

TEST(ServicesTest, ServiceThatWasWrittenJustNow_IsReadAgain) {
  ServiceConfigs configs(std::chrono::hours(1));
  const OwnService service(SERVICE_DEMAND_START);
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  FactRow row;
  ASSERT_EQ(configs.add(manager.get(), OwnService::kName, row), DWORD{ERROR_SUCCESS});
  configs.end_reading();
  EXPECT_NE(configs.add(nullptr, OwnService::kName, row), DWORD{ERROR_SUCCESS});
}

TEST(ServicesTest, ServiceThatWasDeleted_IsGone) {
  {
    const OwnService service(SERVICE_DEMAND_START);
  }
  ServiceConfigs configs;
  const auto table = read_services(configs);
  ASSERT_TRUE(table) << describe(table.error());
  EXPECT_EQ(find_row(*table, "winperf_facts_test"), nullptr);
}

// As the process itself knows it.
std::string start_of(DWORD process_id) {
  const UniqueKernelHandle process(
      OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process_id));
  FILETIME created{};
  FILETIME unused{};
  if (!GetProcessTimes(process.get(), &created, &unused, &unused, &unused)) return "unknown";
  FactRow row;
  put_known(row, "started", unix_seconds(std::bit_cast<std::uint64_t>(created)));
  return row.text_of("started");
}

SERVICE_STATUS_PROCESS status_of(SC_HANDLE manager, const std::wstring& name) {
  const UniqueService service(OpenServiceW(manager, name.c_str(), SERVICE_QUERY_STATUS));
  SERVICE_STATUS_PROCESS status{};
  DWORD needed = 0;
  if (service)
    QueryServiceStatusEx(service.get(), SC_STATUS_PROCESS_INFO, reinterpret_cast<LPBYTE>(&status),
                         sizeof status, &needed);
  return status;
}

// The registry has services by name, too.
TEST(ServicesTest, EveryServiceOfTheRegistry_IsThere) {
  ServiceConfigs configs;
  const auto table = read_services(configs);
  ASSERT_TRUE(table) << describe(table.error());
  const KeyReader key(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Services");
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  std::size_t services = 0;
  for (const std::wstring& name : key.subkeys()) {
    const bool is_service = (status_of(manager.get(), name).dwServiceType & SERVICE_WIN32) != 0;
    EXPECT_EQ(find_row(*table, to_utf8(name)) != nullptr, is_service) << to_utf8(name);
    if (is_service) ++services;
  }
  EXPECT_GT(services, 5u);
}

TEST(ServicesTest, EveryService_HasItsStateAndProcess) {
  ServiceConfigs configs;
  const auto table = read_services(configs);
  ASSERT_TRUE(table) << describe(table.error());
  for (const std::string& problem : table->problems) ADD_FAILURE() << problem;
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  std::size_t running = 0;
  for (const FactRow& row : table->rows) {
    const std::string name = row.text_of("name");
    const SERVICE_STATUS_PROCESS status = status_of(manager.get(), to_wide(name));
    EXPECT_NE(status.dwServiceType, 0u) << name;
    EXPECT_NE(row.find("start_mode"), nullptr) << name;
    EXPECT_EQ(row.text_of("state") == "running", status.dwCurrentState == SERVICE_RUNNING) << name;
    if (status.dwCurrentState != SERVICE_RUNNING) continue;
    ++running;
    EXPECT_EQ(row.text_of("process_id"), std::to_string(status.dwProcessId)) << name;
    EXPECT_EQ(row.find("exit_code"), nullptr) << name;
    EXPECT_EQ(row.text_of("process_started"), start_of(status.dwProcessId)) << name;
  }
  EXPECT_GT(running, 0u);
}

}  // namespace
}  // namespace winperf
