#include "service/selftest/machine.h"

#include <windows.h>
// After windows.h.
#include <lm.h>
#include <shlobj.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string_view>
#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/win/account.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/wire/name_table.h"
#include "exporter/counters/v2_layout.h"
#include "service/scm/service_definition.h"
#include "service/scm/win/security.h"

namespace winperf::selftest {
namespace {

constexpr wchar_t kEventSourcesPath[] =
    L"SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application";
constexpr wchar_t kUninstallPath[] = L"SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall";
constexpr wchar_t kV2ProvidersPath[] =
    L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\_V2Providers";
constexpr std::string_view kVirtualAccount = "S-1-5-80-";
constexpr std::size_t kMostOfNameFile = std::size_t{16} << 20;

bool has_our_name(std::string_view text) { return ascii_lower(text).contains(kServiceName); }

void add_keys(const wchar_t* path, const std::string& what, std::vector<std::string>& traces) {
  for (const std::wstring& key : KeyReader(HKEY_LOCAL_MACHINE, path).subkeys())
    if (const std::string name = to_utf8(key); has_our_name(name)) traces.push_back(what + name);
}

void add_services(std::vector<std::string>& traces) {
  for (const std::wstring& service : services_key().subkeys()) {
    const std::string name = to_utf8(service);
    if (!has_our_name(name)) continue;
    traces.push_back("the key of the service " + name);
    if (performance_key(service).status() == ERROR_SUCCESS)
      traces.push_back("the registration of counters of the service " + name);
  }
}

// By what the person sees under Settings.
void add_products(std::vector<std::string>& traces) {
  for (const std::wstring& key : KeyReader(HKEY_LOCAL_MACHINE, kUninstallPath).subkeys()) {
    const auto shown = KeyReader(HKEY_LOCAL_MACHINE, std::wstring(kUninstallPath) + L'\\' + key)
                           .text(L"DisplayName");
    if (shown && has_our_name(to_utf8(*shown)))
      traces.push_back(std::string(kProgramTrace) + to_utf8(key));
  }
}

void add_folders(REFKNOWNFOLDERID id, const std::string& what, std::vector<std::string>& traces) {
  PWSTR text = nullptr;
  std::wstring folder;
  if (SUCCEEDED(SHGetKnownFolderPath(id, 0, nullptr, &text))) folder = text;
  CoTaskMemFree(text);
  if (folder.empty()) return;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (has_our_name(path_text(entry->path().filename())))
      traces.push_back(what + path_text(entry->path()));
}

struct NetMemory {
  void operator()(void* memory) const { NetApiBufferFree(memory); }
};

// Accounts of services in the group that may read counters.
void add_members(std::vector<std::string>& traces) {
  const auto group = counter_reader_group();
  if (!group) return;
  LPBYTE buffer = nullptr;
  DWORD read = 0;
  DWORD total = 0;
  DWORD_PTR resume = 0;
  const NET_API_STATUS status = NetLocalGroupGetMembers(
      nullptr, to_wide(*group).c_str(), 0, &buffer, MAX_PREFERRED_LENGTH, &read, &total, &resume);
  const std::unique_ptr<void, NetMemory> owner(buffer);
  if (status != NERR_Success || buffer == nullptr) return;
  const auto* const members = reinterpret_cast<const LOCALGROUP_MEMBERS_INFO_0*>(buffer);
  for (DWORD i = 0; i < read; ++i) {
    if (const std::string sid = sid_text(members[i].lgrmi0_sid); sid.starts_with(kVirtualAccount))
      traces.push_back("the member " + sid + " of the group " + *group);
  }
}

void add_counter_names(std::vector<std::string>& traces) {
  const std::wstring folder = written_path(GetSystemDirectoryW);
  const auto bytes =
      read_whole_file(std::filesystem::path(folder + L"\\perfc009.dat"), kMostOfNameFile);
  if (!bytes) return;
  for (const NameTable::Entry& entry : NameTable::parse(*bytes).entries())
    if (has_our_name(entry.text))
      traces.push_back("the name " + entry.text + " with the index " + std::to_string(entry.index));
}

// As in the registry.
std::string v2_provider() {
  static_assert(sizeof(GUID) == sizeof(own::ProviderGuid));
  std::array<wchar_t, 40> text{};
  StringFromGUID2(std::bit_cast<GUID>(own::kProviderGuid), text.data(),
                  static_cast<int>(text.size()));
  return to_utf8(text.data());
}

std::unexpected<std::string> machine_failure() {
  return std::unexpected(
      system_text(std::error_code(static_cast<int>(GetLastError()), std::system_category())));
}

}  // namespace

std::vector<std::string> machine_traces() {
  std::vector<std::string> traces;
  add_services(traces);
  add_keys(kEventSourcesPath, "the event source ", traces);
  add_keys(L"SOFTWARE", std::string(kInstallerTrace), traces);
  add_products(traces);
  add_folders(FOLDERID_ProgramData, "the data folder ", traces);
  add_folders(FOLDERID_ProgramFiles, std::string(kProgramFolderTrace), traces);
  add_members(traces);
  add_counter_names(traces);
  const std::string guid = v2_provider();
  if (KeyReader(HKEY_LOCAL_MACHINE, std::wstring(kV2ProvidersPath) + L'\\' + to_wide(guid))
          .status() == ERROR_SUCCESS)
    traces.push_back("the V2 provider " + guid);
  std::ranges::sort(traces);
  return traces;
}

std::expected<void, std::string> end_process_of(std::uint32_t id,
                                                const std::filesystem::path& executable) {
  const UniqueKernelHandle process(
      OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_TERMINATE | SYNCHRONIZE, FALSE, id));
  if (!process) return machine_failure();
  const std::wstring image = written_path([&](wchar_t* to, DWORD size) {
    return QueryFullProcessImageNameW(process.get(), 0, to, &size) ? size : 0;
  });
  std::error_code failed;
  if (!std::filesystem::equivalent(std::filesystem::path(image), executable, failed))
    return std::unexpected("process " + std::to_string(id) + " runs another program");
  if (!TerminateProcess(process.get(), 1)) return machine_failure();
  return {};
}

}  // namespace winperf::selftest
