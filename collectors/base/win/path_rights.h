// Who may change what has a path on this machine: collectors/base/path_rights.h asks, this reads
// it from Windows. Links are never followed. Thread rule: any thread.
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

// An entry of the folder, or of one in it, that has other names elsewhere, is a link, or belongs to
// somebody who is neither administrative nor this process' own account: the reason, with its path.
// Also a reason: there are too many to look at.
[[nodiscard]] std::optional<std::string> foreign_entry(const std::filesystem::path& folder);

// Why others than administrators and this process' own account may change the file or folder, or
// put another in its place, as a sentence. What doesn't exist yet is judged by what it will
// inherit. `path`: absolute, on a drive or another machine.
[[nodiscard]] std::optional<std::string> why_others_may_change(const std::filesystem::path& path,
                                                               PathRole role);

}  // namespace winperf
