#include "collectors/base/path_rights.h"

#include <algorithm>

namespace winperf {
namespace {

constexpr std::uint32_t kWriteData = 0x2;   // of a folder: create a file in it
constexpr std::uint32_t kAppendData = 0x4;  // of a folder: create a folder in it
constexpr std::uint32_t kDeleteChild = 0x40;
constexpr std::uint32_t kWriteAttributes = 0x100;  // an empty folder can be made a link
constexpr std::uint32_t kDelete = 0x1'0000;
constexpr std::uint32_t kWriteList = 0x4'0000;
constexpr std::uint32_t kWriteOwner = 0x8'0000;
constexpr std::uint32_t kGenericAll = 0x1000'0000;
constexpr std::uint32_t kGenericWrite = 0x4000'0000;

constexpr std::uint32_t kTakeAway = kDelete | kDeleteChild | kWriteList | kWriteOwner | kGenericAll;
constexpr std::uint32_t kFill = kWriteData | kAppendData | kGenericWrite;

constexpr std::string_view kEveryone = "S-1-1-0";
constexpr std::string_view kAdministrative[] = {
    "S-1-5-18",                                                        // the system
    "S-1-5-32-544",                                                    // Administrators
    "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464",  // TrustedInstaller
};
// They mean the owner, who is checked separately.
constexpr std::string_view kOwners[] = {"S-1-3-0", "S-1-3-4"};
// Of a domain: its built-in Administrator, Domain Admins, Enterprise Admins.
constexpr std::string_view kDomainRoles[] = {"-500", "-512", "-519"};

std::uint32_t rights_that_matter(PathRole role) {
  if (role == PathRole::kAbove) return kTakeAway;
  const std::uint32_t both = kTakeAway | kFill;
  return role == PathRole::kFile ? both : both | kWriteAttributes;
}

bool counts(const AccessEntry& entry, PathRole role) {
  return role == PathRole::kNewFolder ? entry.goes_to_folders || entry.goes_to_files
                                      : entry.applies_here;
}

}  // namespace

bool is_administrative(std::string_view sid) {
  if (std::ranges::find(kAdministrative, sid) != std::end(kAdministrative)) return true;
  return sid.starts_with("S-1-5-21-") &&
         std::ranges::any_of(kDomainRoles, [&](auto role) { return sid.ends_with(role); });
}

std::optional<std::string> stranger_among(const PathRights& rights, PathRole role,
                                          std::span<const std::string> trusted) {
  const auto is_trusted = [&](const std::string& sid) {
    return is_administrative(sid) || std::ranges::find(trusted, sid) != trusted.end();
  };
  if (!is_trusted(rights.owner)) return rights.owner;
  if (!rights.has_list) return std::string(kEveryone);
  for (const AccessEntry& entry : rights.entries) {
    const bool is_owners = std::ranges::find(kOwners, entry.sid) != std::end(kOwners);
    if (counts(entry, role) && (entry.rights & rights_that_matter(role)) != 0 && !is_owners &&
        !is_trusted(entry.sid))
      return entry.sid;
  }
  return std::nullopt;
}

}  // namespace winperf
