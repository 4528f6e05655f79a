#include "service/scm/counter_registrar.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cwchar>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/wire/name_table.h"
#include "exporter/counters/v2_provider.h"
#include "service/scm/counter_state.h"
#include "service/scm/win/event_source.h"
#include "service/scm/win/security.h"

namespace winperf {
namespace {

constexpr wchar_t kServiceKey[] = L"SYSTEM\\CurrentControlSet\\Services\\winperf_exporter";
constexpr wchar_t kPerformanceName[] = L"Performance";
constexpr DWORD kLongestRunMs = 300'000;

std::wstring performance_path() { return std::wstring(kServiceKey) + L"\\" + kPerformanceName; }

std::optional<CounterKey> read_counter_key() {
  const KeyReader key(HKEY_LOCAL_MACHINE, performance_path());
  if (key.status() != ERROR_SUCCESS) return std::nullopt;
  const auto text = [&key](const wchar_t* name) {
    const auto found = key.text(name);
    return found ? std::optional(to_utf8(*found)) : std::nullopt;
  };
  return CounterKey{.library = text(L"Library"),
                    .open = text(L"Open"),
                    .collect = text(L"Collect"),
                    .close = text(L"Close"),
                    .supports_metadata = key.number(L"Collect Supports Metadata"),
                    .first_counter = key.number(L"First Counter"),
                    .last_counter = key.number(L"Last Counter"),
                    .first_help = key.number(L"First Help"),
                    .last_help = key.number(L"Last Help")};
}

std::string in_system_folder(const std::string& name) {
  return to_utf8(
             written_path([](wchar_t* to, DWORD size) { return GetSystemDirectoryW(to, size); })) +
         '\\' + name;
}

// The largest tables in the field are a few MiB.
constexpr std::size_t kMostNameBytes = 16U << 20;

std::vector<std::byte> names_in_registry() {
  UniqueKey key;
  if (RegOpenKeyExW(HKEY_LOCAL_MACHINE,
                    L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009", 0,
                    KEY_READ | KEY_WOW64_64KEY, key.put()) != ERROR_SUCCESS)
    return {};
  std::vector<std::byte> bytes(kMostNameBytes);
  DWORD size = kMostNameBytes;
  const LSTATUS status = RegQueryValueExW(key.get(), L"Counter", nullptr, nullptr,
                                          reinterpret_cast<BYTE*>(bytes.data()), &size);
  bytes.resize(status == ERROR_SUCCESS ? size : 0);
  return bytes;
}

// Windows' English table of names, from the file that it is kept in, or as the registry shows it;
// empty if neither can be read.
NameTable english_names() {
  const auto file = read_whole_file(path_of(in_system_folder("perfc009.dat")), kMostNameBytes);
  return NameTable::parse(file ? *file : names_in_registry());
}

std::optional<std::string> first_title_of(const CounterKey& key) {
  if (!key.first_counter || !key.last_counter) return std::nullopt;
  const NameTable names = english_names();
  const auto first =
      std::ranges::lower_bound(names.entries(), *key.first_counter, {}, &NameTable::Entry::index);
  if (first == names.entries().end() || first->index > *key.last_counter) return std::nullopt;
  return first->text;
}

using QueryRegistration = ULONG(WINAPI*)(LPCWSTR machine, GUID* counterset, ULONG request,
                                         ULONG language, LPBYTE buffer, ULONG size, ULONG* needed);
constexpr ULONG kCountersetStruct = 1;  // PERF_REG_COUNTERSET_STRUCT
constexpr ULONG kEnglish = 0;

// Whether PerfLib knows the counterset; nothing if it doesn't say so. With no buffer, it says how
// large one would have to be.
std::optional<bool> is_known(QueryRegistration query, const own::ProviderGuid& guid) {
  static_assert(sizeof(GUID) == sizeof(own::ProviderGuid));
  GUID counterset = std::bit_cast<GUID>(guid);
  ULONG needed = 0;
  const ULONG status =
      query(nullptr, &counterset, kCountersetStruct, kEnglish, nullptr, 0, &needed);
  if (status == ERROR_SUCCESS || status == ERROR_NOT_ENOUGH_MEMORY ||
      status == ERROR_INSUFFICIENT_BUFFER || status == ERROR_MORE_DATA)
    return true;
  return status == ERROR_WMI_GUID_NOT_FOUND ? std::optional(false) : std::nullopt;
}

std::optional<std::size_t> known_countersets() {
  const UniqueLibrary library = load_system_library(L"advapi32.dll");
  QueryRegistration query = nullptr;
  if (!find_function(library.get(), "PerfQueryCounterSetRegistrationInfo", query))
    return std::nullopt;
  std::size_t known = 0;
  for (const own::ProviderGuid& guid : {own::kExporterGuid, own::kCountersetGuid}) {
    const auto found = is_known(query, guid);
    if (!found) return std::nullopt;
    known += *found ? 1 : 0;
  }
  return known;
}

// Sets the value, or removes it if it has none.
LSTATUS write_text(HKEY key, const wchar_t* name, const std::optional<std::string>& text) {
  if (!text) {
    const LSTATUS status = RegDeleteValueW(key, name);
    return status == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : status;
  }
  const std::wstring wide = to_wide(*text);
  return RegSetValueExW(key, name, 0, REG_SZ, reinterpret_cast<const BYTE*>(wide.c_str()),
                        static_cast<DWORD>((wide.size() + 1) * sizeof(wchar_t)));
}

LSTATUS write_number(HKEY key, const wchar_t* name, const std::optional<std::uint32_t>& number) {
  if (!number) {
    const LSTATUS status = RegDeleteValueW(key, name);
    return status == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : status;
  }
  const DWORD value = *number;
  return RegSetValueExW(key, name, 0, REG_DWORD, reinterpret_cast<const BYTE*>(&value),
                        sizeof(value));
}

ServiceResult<void> result_of(DWORD code) {
  if (code != ERROR_SUCCESS) return system_failure(code);
  return {};
}

ServiceResult<void> call_loadperf(const char* function, const std::string& command_line) {
  using TextStrings = DWORD(WINAPI*)(LPWSTR command_line, BOOL quiet);
  const UniqueLibrary library = load_system_library(L"loadperf.dll");
  if (!library) return system_failure(ERROR_MOD_NOT_FOUND);
  TextStrings call = nullptr;
  if (!find_function(library.get(), function, call)) return system_failure(ERROR_PROC_NOT_FOUND);
  std::wstring words = to_wide(command_line);  // which the function may change
  return result_of(call(words.data(), TRUE));
}

class WindowsCounterRegistrar final : public CounterRegistrar {
 public:
  ServiceResult<CounterFacts> facts() override {
    auto key = read_counter_key();
    auto first_title = key ? first_title_of(*key) : std::nullopt;
    return CounterFacts{.key = std::move(key),
                        .first_title = std::move(first_title),
                        .message_file = message_file_of(std::string(kCounterEventSource)),
                        .v2_countersets = known_countersets()};
  }

  bool has_file(const std::string& path) override {
    const DWORD attributes = GetFileAttributesW(to_wide(path).c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
  }

  std::string system_program(const std::string& name) override { return in_system_folder(name); }

  ServiceResult<void> put_key(const CounterKey& key) override {
    UniqueKey service;
    // A service that isn't there gets no key.
    LSTATUS status = RegOpenKeyExW(HKEY_LOCAL_MACHINE, kServiceKey, 0,
                                   KEY_CREATE_SUB_KEY | KEY_WOW64_64KEY, service.put());
    if (status != ERROR_SUCCESS) return system_failure(static_cast<DWORD>(status));
    UniqueKey performance;
    status = RegCreateKeyExW(service.get(), kPerformanceName, 0, nullptr, 0,
                             KEY_SET_VALUE | KEY_WOW64_64KEY, nullptr, performance.put(), nullptr);
    for (const auto& [name, text] :
         {std::pair(L"Library", &key.library), std::pair(L"Open", &key.open),
          std::pair(L"Collect", &key.collect), std::pair(L"Close", &key.close)})
      if (status == ERROR_SUCCESS) status = write_text(performance.get(), name, *text);
    if (status == ERROR_SUCCESS)
      status = write_number(performance.get(), L"Collect Supports Metadata", key.supports_metadata);
    return result_of(static_cast<DWORD>(status));
  }

  ServiceResult<void> remove_key() override {
    const LSTATUS status =
        RegDeleteKeyExW(HKEY_LOCAL_MACHINE, performance_path().c_str(), KEY_WOW64_64KEY, 0);
    return result_of(status == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : static_cast<DWORD>(status));
  }

  ServiceResult<void> put_event_source(const std::string& message_file) override {
    return winperf::put_event_source(std::string(kCounterEventSource), message_file);
  }
  ServiceResult<void> remove_event_source() override {
    return winperf::remove_event_source(std::string(kCounterEventSource));
  }

  ServiceResult<void> load_titles(const std::string& command_line) override {
    return call_loadperf("LoadPerfCounterTextStringsW", command_line);
  }
  ServiceResult<void> unload_titles(const std::string& command_line) override {
    return call_loadperf("UnloadPerfCounterTextStringsW", command_line);
  }

  ServiceResult<void> run(const std::string& command_line) override {
    std::wstring words = to_wide(command_line);
    STARTUPINFOW startup{};
    startup.cb = sizeof(startup);
    PROCESS_INFORMATION started{};
    if (!CreateProcessW(nullptr, words.data(), nullptr, nullptr, FALSE, CREATE_NO_WINDOW, nullptr,
                        nullptr, &startup, &started))
      return last_failure();
    const UniqueKernelHandle process(started.hProcess);
    const UniqueKernelHandle thread(started.hThread);
    // A program that changes tables isn't ended in the middle.
    if (WaitForSingleObject(process.get(), kLongestRunMs) != WAIT_OBJECT_0)
      return system_failure(WAIT_TIMEOUT);
    DWORD code = 0;
    if (!GetExitCodeProcess(process.get(), &code)) return last_failure();
    return result_of(code);
  }
};

}  // namespace

std::expected<std::unique_ptr<CounterRegistrar>, std::string> open_counter_registrar() {
  return std::make_unique<WindowsCounterRegistrar>();
}

}  // namespace winperf
