#include <windows.h>

// After windows.h.
#include <winioctl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/hex.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"
#include "collectors/model/error.h"

namespace winperf {
namespace {

constexpr DWORD kNameChars = MAX_PATH + 1;
constexpr DWORD kMaxPathsChars = 1U << 20;
constexpr std::size_t kMostVolumes = 10'000;

std::wstring without_last_backslash(std::wstring path) {
  if (path.ends_with(L'\\')) path.pop_back();
  return path;
}

struct VolumeHandleTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return INVALID_HANDLE_VALUE; }
  static void close(HANDLE handle) { FindVolumeClose(handle); }
};
using UniqueVolumeSearch = UniqueHandle<VolumeHandleTraits>;

// The mount points of a volume, from a list of texts that ends with an empty one.
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
  paths = strings_in(list);
  for (std::wstring& path : paths) path = without_last_backslash(std::move(path));
  return paths;
}

// "HarddiskVolume3", of "\Device\HarddiskVolume3". Empty if unknown.
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

// Each as \\?\Volume{...}\, which other functions take. Neither network drives nor substitutes.
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

// As in counter instances: the letter ("C:"), the mount point ("C:\mount"), or the device
// ("HarddiskVolume3"). Empty if unknown.
std::wstring volume_name(const std::wstring& volume) {
  constexpr std::size_t kLetterChars = 2;
  const std::vector<std::wstring> paths = paths_of(volume);
  if (paths.empty()) return device_name(volume);
  const auto letter = std::ranges::find(paths, kLetterChars, &std::wstring::size);
  return letter != paths.end() ? *letter : paths.front();
}

void add_disk(FactTable& table, const FactRow& disk) {
  FactRow row;
  put_known(row, "device_id", without_device_prefix(text_property(disk, "DeviceID")));
  put_known(row, "name", without_device_prefix(text_property(disk, "Name")));
  if (row.find("name") == nullptr && row.find("device_id") != nullptr)
    row.text("name", row.text_of("device_id"));
  if (row.find("name") == nullptr) {
    table.problems.emplace_back("WMI reports a disk without a name");
    return;
  }
  put_known(row, "model", without_blanks_at_end(text_property(disk, "Model")));
  put_known(row, "caption", without_blanks_at_end(text_property(disk, "Caption")));
  copy_property(disk, "Size", row, "size");
  copy_property(disk, "Partitions", row, "partitions");
  copy_property(disk, "Status", row, "status");
  copy_property(disk, "Availability", row, "availability");
  table.rows.push_back(row);
}

}  // namespace

FactAnswer read_disks() {
  const auto answer = query_wmi(
      L"root\\cimv2",
      L"SELECT DeviceID, Name, Model, Caption, Size, Partitions, Status, Availability FROM "
      L"Win32_DiskDrive");
  if (!answer) return std::unexpected(answer.error());
  FactTable table;
  table.problems = answer->problems;
  for (const FactRow& disk : answer->rows) add_disk(table, disk);
  return table;
}

namespace {

// As GetDriveType numbers them.
constexpr std::array<std::string_view, 7> kTypes{"unknown", "norootdir", "removable", "fixed",
                                                 "remote",  "cdrom",     "ramdisk"};

// A drive without a medium is an error, not a dialog on the screen.
class NoDialogs {
 public:
  NoDialogs() { SetThreadErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX, &before_); }
  NoDialogs(const NoDialogs&) = delete;
  NoDialogs& operator=(const NoDialogs&) = delete;
  ~NoDialogs() { SetThreadErrorMode(before_, nullptr); }

 private:
  DWORD before_ = 0;
};

// Opened without access rights: queries the device, not its file system.
UniqueFileHandle open_device(const std::wstring& volume) {
  return UniqueFileHandle(CreateFileW(without_last_backslash(volume).c_str(), 0,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, 0, nullptr));
}

// Otherwise later calls would wait for a drive that isn't ready.
bool lacks_medium(HANDLE device) {
  DWORD size = 0;
  if (DeviceIoControl(device, IOCTL_STORAGE_CHECK_VERIFY2, nullptr, 0, nullptr, 0, &size, nullptr))
    return false;
  const DWORD code = GetLastError();
  return code == ERROR_NOT_READY || code == ERROR_NO_MEDIA_IN_DRIVE;
}

void add_disks(FactRow& row, HANDLE device) {
  constexpr std::size_t kMostBytes = 16U << 10;  // 682 extents
  ReturnedBuffer buffer(kMostBytes);
  DWORD size = 0;
  if (!DeviceIoControl(device, IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS, nullptr, 0, buffer.data(),
                       static_cast<DWORD>(kMostBytes), &size, nullptr))
    return;  // neither CD-ROMs nor network drives have any
  buffer.filled(size);
  constexpr std::size_t kBefore = offsetof(VOLUME_DISK_EXTENTS, Extents);
  const auto* const extents = buffer.at<VOLUME_DISK_EXTENTS>(buffer.data());
  if (extents == nullptr) return;
  const std::size_t most = (buffer.bytes() - kBefore) / sizeof(DISK_EXTENT);
  const std::size_t count = std::min<std::size_t>(extents->NumberOfDiskExtents, most);
  std::vector<std::uint32_t> disks;
  for (std::size_t i = 0; i < count; ++i) disks.push_back(extents->Extents[i].DiskNumber);
  put_known(row, "disks", joined_numbers(disks));
}

// False if it has no file system.
bool add_file_system(FactTable& table, const std::wstring& volume, const std::string& name) {
  std::array<wchar_t, kNameChars> label{};
  std::array<wchar_t, kNameChars> file_system{};
  DWORD serial = 0;
  DWORD flags = 0;
  if (!GetVolumeInformationW(volume.c_str(), label.data(), kNameChars, &serial, nullptr, &flags,
                             file_system.data(), kNameChars)) {
    const DWORD code = GetLastError();
    if (code != ERROR_UNRECOGNIZED_VOLUME && code != ERROR_NOT_READY &&
        code != ERROR_NO_MEDIA_IN_DRIVE)
      table.problems.push_back(problem_text("The file system of " + name, code));
    return false;
  }
  FactRow& row = table.rows.back();
  put_known(row, "label", to_utf8(label.data()));
  put_known(row, "filesystem", to_utf8(file_system.data()));
  row.text("serial_number", upper_hex(serial));
  row.number("read_only", (flags & FILE_READ_ONLY_VOLUME) != 0 ? 1 : 0);
  return true;
}

void add_size(FactTable& table, const std::wstring& volume, const std::string& name) {
  ULARGE_INTEGER size{};
  ULARGE_INTEGER free{};
  if (!GetDiskFreeSpaceExW(volume.c_str(), nullptr, &size, &free)) {
    table.problems.push_back(problem_text("The size of " + name, GetLastError()));
    return;
  }
  table.rows.back()
      .number("size", static_cast<double>(size.QuadPart))
      .number("free", static_cast<double>(free.QuadPart));
}

// Wine knows the types of drive letters alone.
UINT type_of(const std::wstring& volume, const std::string& name) {
  return GetDriveTypeW(name.ends_with(':') ? to_wide(name + '\\').c_str() : volume.c_str());
}

void add_volume(FactTable& table, const std::wstring& volume) {
  const std::string name = to_utf8(volume_name(volume));
  if (name.empty()) {
    table.problems.push_back("The volume " + to_utf8(volume) + " has no name");
    return;
  }
  FactRow& row = table.add().text("volume", name);
  const UINT type = type_of(volume, name);
  row.text("type", kTypes[type < kTypes.size() ? type : DRIVE_UNKNOWN]);
  const UniqueFileHandle device = open_device(volume);
  if (device) add_disks(row, device.get());
  const bool has_media = type == DRIVE_REMOVABLE || type == DRIVE_CDROM;
  if (has_media && device && lacks_medium(device.get())) return;
  if (add_file_system(table, volume, name)) add_size(table, volume, name);
}

}  // namespace

FactAnswer read_volumes() {
  const NoDialogs no_dialogs;
  const auto volumes = list_volumes();
  if (!volumes) return std::unexpected(volumes.error());
  FactTable table;
  for (const std::wstring& volume : *volumes) add_volume(table, volume);
  return table;
}

}  // namespace winperf
