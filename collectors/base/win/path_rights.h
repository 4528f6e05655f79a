// Reads the rights to files and folders of this machine from Windows, for
// collectors/base/path_rights.h. Links are never followed. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "collectors/base/path_rights.h"

namespace winperf {

// `object`: a file or folder, opened with READ_CONTROL. The error is Windows' code.
[[nodiscard]] std::expected<PathRights, DWORD> rights_of(HANDLE object);
PathRights rights_in(const ACL* list, PSID owner);

// Why an entry in the folder or below isn't trusted, with its path: it has another hard link, is a
// link, or belongs to an account that is neither administrative nor this process'. Too many entries
// are also a reason.
[[nodiscard]] std::optional<std::string> foreign_entry(const std::filesystem::path& folder);

// Why accounts other than administrators and this process' may change or replace the file or
// folder, as a sentence. A path that doesn't exist is judged by the rights that it would inherit.
// `path`: absolute, on a drive or a remote machine.
[[nodiscard]] std::optional<std::string> why_others_may_change(const std::filesystem::path& path,
                                                               PathRole role);

}  // namespace winperf
