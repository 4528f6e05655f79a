#include "collectors/base/win/path_rights.h"

#include <aclapi.h>

#include <array>
#include <memory>
#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/win/account.h"
#include "collectors/base/win/unique_handle.h"

namespace winperf {

namespace fs = std::filesystem;

namespace {

std::string text_of(DWORD code) {
  return system_text(std::error_code(static_cast<int>(code), std::system_category()));
}

// Both kinds begin alike. The condition of the second kind isn't evaluated.
bool allows(const ACE_HEADER& header) {
  return header.AceType == ACCESS_ALLOWED_ACE_TYPE ||
         header.AceType == ACCESS_ALLOWED_CALLBACK_ACE_TYPE;
}

UniqueFileHandle open_itself(const fs::path& path) {
  return UniqueFileHandle(
      CreateFileW(path.c_str(), READ_CONTROL | FILE_READ_ATTRIBUTES,
                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                  FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
}

bool is_absent(DWORD code) { return code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND; }

std::string cannot_tell(const fs::path& path, DWORD code) {
  return "the permissions of " + path_text(path) + " cannot be determined: " + text_of(code);
}

// Of something that exists.
std::optional<std::string> why_others_may_change_this(const fs::path& path, HANDLE object,
                                                      PathRole role) {
  BY_HANDLE_FILE_INFORMATION facts{};
  if (!GetFileInformationByHandle(object, &facts)) return cannot_tell(path, GetLastError());
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
    return path_text(path) + " is a link: name its target instead";
  const auto rights = rights_of(object);
  if (!rights) return cannot_tell(path, rights.error());
  const std::array trusted{own_sid()};
  const auto by = [](const std::string& sid) { return account_text(sid) + " (" + sid + ')'; };
  const PathRole here = role == PathRole::kNewFolder ? PathRole::kAbove : role;
  if (const auto stranger = stranger_among(*rights, here, trusted))
    return path_text(path) + " can be changed by " + by(*stranger);
  if (role != PathRole::kNewFolder) return std::nullopt;
  const auto heir = stranger_among(*rights, role, trusted);
  if (!heir) return std::nullopt;
  return "new folders in " + path_text(path) + " can be changed by " + by(*heir);
}

// Why an entry doesn't belong to administrators; nothing if it does.
std::optional<std::string> why_foreign(const fs::path& path, bool& is_folder) {
  const std::array trusted{own_sid()};
  const UniqueFileHandle opened = open_itself(path);
  if (!opened) return cannot_tell(path, GetLastError());
  BY_HANDLE_FILE_INFORMATION facts{};
  if (!GetFileInformationByHandle(opened.get(), &facts)) return cannot_tell(path, GetLastError());
  const std::string name = path_text(path);
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) return name + " is a link";
  is_folder = (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  if (!is_folder && facts.nNumberOfLinks > 1) return name + " has another hard link";
  auto rights = rights_of(opened.get());
  if (!rights) return cannot_tell(path, rights.error());
  rights->entries.clear();  // only the owner, who can change the entries
  rights->has_list = true;
  if (const auto stranger = stranger_among(*rights, PathRole::kFile, trusted))
    return name + " belongs to " + account_text(*stranger);
  return std::nullopt;
}

}  // namespace

PathRights rights_in(const ACL* list, PSID owner) {
  PathRights rights{.owner = sid_text(owner), .has_list = list != nullptr};
  for (DWORD i = 0; list != nullptr && i < list->AceCount; ++i) {
    void* found = nullptr;
    if (!GetAce(const_cast<ACL*>(list), i, &found)) continue;
    const auto& entry = *static_cast<const ACCESS_ALLOWED_ACE*>(found);
    if (!allows(entry.Header)) continue;
    const BYTE flags = entry.Header.AceFlags;
    rights.entries.push_back({.sid = sid_text(const_cast<DWORD*>(&entry.SidStart)),
                              .rights = entry.Mask,
                              .applies_here = (flags & INHERIT_ONLY_ACE) == 0,
                              .goes_to_files = (flags & OBJECT_INHERIT_ACE) != 0,
                              .goes_to_folders = (flags & CONTAINER_INHERIT_ACE) != 0});
  }
  return rights;
}

std::expected<PathRights, DWORD> rights_of(HANDLE object) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD failure = GetSecurityInfo(object, SE_FILE_OBJECT,
                                        OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                        &owner, nullptr, &list, nullptr, &descriptor);
  if (failure != ERROR_SUCCESS) return std::unexpected(failure);
  const std::unique_ptr<void, LocalFreed> owned(descriptor);
  return rights_in(list, owner);
}

std::optional<std::string> foreign_entry(const fs::path& folder) {
  constexpr std::size_t kMost = 10'000;  // checked; a folder of ours has a few
  std::vector<fs::path> folders{folder};
  std::size_t looked_at = 0;
  while (!folders.empty()) {
    const fs::path inside = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    for (fs::directory_iterator entry(inside, error), end; !error && entry != end;
         entry.increment(error)) {
      if (++looked_at > kMost) return path_text(folder) + " has too many entries to check";
      bool is_folder = false;
      if (auto why = why_foreign(entry->path(), is_folder)) return why;
      if (is_folder) folders.push_back(entry->path());
    }
    if (error) return path_text(inside) + " cannot be listed: " + system_text(error);
  }
  return std::nullopt;
}

std::optional<std::string> why_others_may_change(const fs::path& path, PathRole role) {
  // From the file or folder itself to the root of its drive.
  for (fs::path part = path.lexically_normal();; part = part.parent_path()) {
    if (!part.has_filename() && part != part.root_path()) continue;  // it ends with a backslash
    const UniqueFileHandle opened = open_itself(part);
    if (!opened && !is_absent(GetLastError())) return cannot_tell(part, GetLastError());
    if (!opened) {
      role = PathRole::kNewFolder;
    } else if (auto why = why_others_may_change_this(part, opened.get(), role)) {
      return why;
    } else {
      role = PathRole::kAbove;
    }
    if (part == part.root_path()) break;
  }
  return std::nullopt;
}

}  // namespace winperf
