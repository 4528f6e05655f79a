// The accounts that may change or replace a file or folder, by its owner and its access list on
// Windows. The question is always whether an account that isn't administrative is among them.
//
// Deny entries are ignored, so an account may be named wrongly. SIDs are texts as in
// "S-1-5-32-544". Thread rule: any thread. Source: Learn, "File Access Rights Constants",
// "ACE_HEADER", "Well-known SIDs".
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
  bool has_list = true;  // false: all accounts have full access
  std::vector<AccessEntry> entries{};
};

enum class PathRole {
  kFile,       // its content matters
  kFolder,     // its entries matter
  kAbove,      // a folder further up: the one below must not be renamed, deleted or given away
  kNewFolder,  // a folder that doesn't exist yet will be made in this one, with what it inherits
};

// The system, Administrators, Windows' installer, and groups of a domain whose members administer
// each machine of it.
bool is_administrative(std::string_view sid);

// The first account that is neither administrative nor one of `trusted`; nothing if none.
std::optional<std::string> stranger_among(const PathRights& rights, PathRole role,
                                          std::span<const std::string> trusted = {});

}  // namespace winperf
