#include <windows.h>

// After windows.h.
#include <winioctl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/hex.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/volume_names.h"

namespace winperf {
namespace {

constexpr DWORD kNameChars = MAX_PATH + 1;

// As GetDriveType numbers them.
constexpr std::array<std::string_view, 7> kTypes{"unknown", "norootdir", "removable", "fixed",
                                                 "remote",  "cdrom",     "ramdisk"};

// A drive without a medium is an error, not a question to the user at the screen.
class NoDialogs {
 public:
  NoDialogs() { SetThreadErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX, &before_); }
  NoDialogs(const NoDialogs&) = delete;
  NoDialogs& operator=(const NoDialogs&) = delete;
  ~NoDialogs() { SetThreadErrorMode(before_, nullptr); }

 private:
  DWORD before_ = 0;
};

// Without access: this asks the system about it, not the file system on it.
UniqueFileHandle open_device(const std::wstring& volume) {
  return UniqueFileHandle(CreateFileW(without_last_backslash(volume).c_str(), 0,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, 0, nullptr));
}

// A drive that isn't ready would otherwise be waited for.
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
  if (!disks.empty()) row.text("disks", joined_numbers(disks));
}

// False if there is nothing on it that could have a size.
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
  if (label.front() != L'\0') row.text("label", to_utf8(label.data()));
  if (file_system.front() != L'\0') row.text("filesystem", to_utf8(file_system.data()));
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
