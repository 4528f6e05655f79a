// Who may change a file or folder, or put another in its place, by its owner and its access list,
// as Windows has them. The question is always the same: does anybody count who is not an
// administrator?
//
// Entries that deny are not looked at, so that one account too many may be named. SIDs are texts as
// in "S-1-5-32-544". Thread rule: any thread.
// Source: Learn, "File Access Rights Constants", "ACE_HEADER", "Well-known SIDs".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

struct AccessEntry {
  std::string sid{};
  std::uint32_t rights = 0;
  bool applies_here = true;    // to the file or folder itself
  bool goes_to_files = false;  // to those that are created in the folder
  bool goes_to_folders = false;
};

struct PathRights {
  std::string owner{};
  bool has_list = true;  // false: everyone may do everything
  std::vector<AccessEntry> entries{};
};

enum class PathRole {
  kFile,       // what it holds matters
  kFolder,     // what is in it matters
  kAbove,      // a folder further up: the one below must not be renamed, deleted or given away
  kNewFolder,  // a folder that doesn't exist yet will be made in this one, with what it inherits
};

// The system, Administrators, Windows' installer, and groups of a domain whose members administer
// each machine of it.
bool is_administrative(std::string_view sid);

// The first who is neither administrative nor one of `trusted`; nothing if there is none.
std::optional<std::string> stranger_among(const PathRights& rights, PathRole role,
                                          std::span<const std::string> trusted = {});

}  // namespace winperf
