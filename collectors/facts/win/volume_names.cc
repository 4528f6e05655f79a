#include "collectors/facts/win/volume_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "collectors/base/win/unique_handle.h"
#include "collectors/facts/refusals.h"

namespace winperf {
namespace {

constexpr DWORD kNameChars = MAX_PATH + 1;
constexpr DWORD kMaxPathsChars = 1U << 20;
constexpr std::size_t kMostVolumes = 10'000;

struct VolumeHandleTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return INVALID_HANDLE_VALUE; }
  static void close(HANDLE handle) { FindVolumeClose(handle); }
};
using UniqueVolumeSearch = UniqueHandle<VolumeHandleTraits>;

// Those it is mounted at: one text after the other, an empty one at the end.
std::vector<std::wstring> paths_of(const std::wstring& volume) {
  std::vector<std::wstring> paths;
  std::wstring list(kNameChars, L'\0');
  DWORD needed = 0;
  BOOL done = GetVolumePathNamesForVolumeNameW(volume.c_str(), list.data(),
                                               static_cast<DWORD>(list.size()), &needed);
  if (!done && GetLastError() == ERROR_MORE_DATA && needed <= kMaxPathsChars) {
    list.assign(needed, L'\0');
    done = GetVolumePathNamesForVolumeNameW(volume.c_str(), list.data(), needed, &needed);
  }
  if (!done) return paths;
  std::wstring_view rest = list;
  while (!rest.empty() && rest.front() != L'\0') {
    const std::size_t end = std::min(rest.find(L'\0'), rest.size());
    paths.push_back(without_last_backslash(std::wstring(rest.substr(0, end))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return paths;
}

// "HarddiskVolume3", of "\Device\HarddiskVolume3". Empty if it isn't known.
std::wstring device_name(const std::wstring& volume) {
  constexpr std::wstring_view kPrefix = L"\\\\?\\";
  if (!volume.starts_with(kPrefix)) return {};
  const std::wstring name = without_last_backslash(volume.substr(kPrefix.size()));
  std::array<wchar_t, kNameChars> device{};
  if (QueryDosDeviceW(name.c_str(), device.data(), kNameChars) == 0) return {};
  std::wstring_view target(device.data(), device.size());
  target = target.substr(0, target.find(L'\0'));
  return std::wstring(target.substr(target.find_last_of(L'\\') + 1));
}

}  // namespace

std::expected<std::vector<std::wstring>, Error> list_volumes() {
  std::vector<std::wstring> volumes;
  std::array<wchar_t, kNameChars> name{};
  const UniqueVolumeSearch search(FindFirstVolumeW(name.data(), kNameChars));
  if (!search && GetLastError() == ERROR_NO_MORE_FILES) return volumes;
  if (!search) return os_failure(GetLastError(), "volumes");
  do {
    volumes.emplace_back(name.data());
  } while (volumes.size() < kMostVolumes && FindNextVolumeW(search.get(), name.data(), kNameChars));
  return volumes;
}

std::wstring without_last_backslash(std::wstring path) {
  if (path.ends_with(L'\\')) path.pop_back();
  return path;
}

std::wstring volume_name(const std::wstring& volume) {
  constexpr std::size_t kLetterChars = 2;
  const std::vector<std::wstring> paths = paths_of(volume);
  if (paths.empty()) return device_name(volume);
  const auto letter = std::ranges::find(paths, kLetterChars, &std::wstring::size);
  return letter != paths.end() ? *letter : paths.front();
}

}  // namespace winperf
