#include "collectors/base/path_rights.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::Optional;

constexpr char kAdministrators[] = "S-1-5-32-544";
constexpr char kUsers[] = "S-1-5-32-545";
constexpr char kAuthenticated[] = "S-1-5-11";
constexpr char kCreator[] = "S-1-3-0";
constexpr char kSomebody[] = "S-1-5-21-1-2-3-1001";

constexpr std::uint32_t kFull = 0x1F01FF;
constexpr std::uint32_t kModify = 0x1301BF;
constexpr std::uint32_t kRead = 0x1200A9;
constexpr std::uint32_t kMakeFolders = 0x4;

// Administrators own it and may do everything.
PathRights with(std::vector<AccessEntry> others) {
  others.insert(others.begin(), {.sid = kAdministrators, .rights = kFull});
  return {.owner = kAdministrators, .entries = std::move(others)};
}

AccessEntry for_children(const char* sid, std::uint32_t rights) {
  return {.sid = sid,
          .rights = rights,
          .applies_here = false,
          .goes_to_files = true,
          .goes_to_folders = true};
}

TEST(PathRights, WhoOnlyReads_IsNoStranger) {
  for (const PathRole role : {PathRole::kFile, PathRole::kFolder, PathRole::kAbove})
    EXPECT_EQ(stranger_among(with({{.sid = kUsers, .rights = kRead}}), role), std::nullopt);
}

TEST(PathRights, WhoMayChangeIt_IsNamed) {
  // WRITE_DATA, APPEND_DATA, DELETE_CHILD, DELETE, WRITE_DAC, WRITE_OWNER, GENERIC_ALL and _WRITE.
  for (const std::uint32_t right :
       {0x2u, 0x4u, 0x40u, 0x10000u, 0x40000u, 0x80000u, 0x10000000u, 0x40000000u}) {
    const PathRights rights = with({{.sid = kUsers, .rights = right | kRead}});
    EXPECT_THAT(stranger_among(rights, PathRole::kFile), Optional(std::string(kUsers))) << right;
    EXPECT_THAT(stranger_among(rights, PathRole::kFolder), Optional(std::string(kUsers))) << right;
  }
  const PathRights makes_links = with({{.sid = kUsers, .rights = 0x100}});
  EXPECT_THAT(stranger_among(makes_links, PathRole::kFolder), Optional(std::string(kUsers)));
}

TEST(PathRights, FolderAbove_MayBeAddedToButNotTakenAway) {
  EXPECT_EQ(stranger_among(with({{.sid = kAuthenticated, .rights = kRead | kMakeFolders | 0x2}}),
                           PathRole::kAbove),
            std::nullopt)
      << "as in C:\\ and C:\\ProgramData";
  EXPECT_THAT(stranger_among(with({{.sid = kAuthenticated, .rights = kModify}}), PathRole::kAbove),
              Optional(std::string(kAuthenticated)))
      << "DELETE lets them rename it";
}

TEST(PathRights, Owner_HasEveryRight) {
  PathRights rights = with({});
  rights.owner = kSomebody;
  for (const PathRole role : {PathRole::kFile, PathRole::kFolder, PathRole::kAbove})
    EXPECT_THAT(stranger_among(rights, role), Optional(std::string(kSomebody)));
  const std::string own[] = {kSomebody};
  EXPECT_EQ(stranger_among(rights, PathRole::kFolder, own), std::nullopt);
}

TEST(PathRights, WhatIsInherited_CountsForAFolderThatDoesNotExistYet) {
  const PathRights root = with({{.sid = kAuthenticated, .rights = kMakeFolders},
                                for_children(kAuthenticated, kModify),
                                for_children(kCreator, kFull)});
  EXPECT_EQ(stranger_among(root, PathRole::kAbove), std::nullopt);
  EXPECT_THAT(stranger_among(root, PathRole::kNewFolder), Optional(std::string(kAuthenticated)))
      << "as C:\\ hands it down";
  const PathRights program_files =
      with({for_children(kUsers, kRead), for_children(kCreator, kFull)});
  EXPECT_EQ(stranger_among(program_files, PathRole::kNewFolder), std::nullopt);
}

TEST(PathRights, WithoutAList_EveryoneMayChangeIt) {
  PathRights rights = with({});
  rights.has_list = false;
  EXPECT_THAT(stranger_among(rights, PathRole::kAbove), Optional(std::string("S-1-1-0")));
}

TEST(PathRights, Administrative_AreTheSystemItsInstallerAndAdministrators) {
  for (const std::string_view sid :
       {"S-1-5-18", "S-1-5-32-544", "S-1-5-21-1-2-3-500", "S-1-5-21-1-2-3-512",
        "S-1-5-21-1-2-3-519", "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"})
    EXPECT_TRUE(is_administrative(sid)) << sid;
  for (const std::string_view sid :
       {"", "S-1-1-0", "S-1-5-19", "S-1-5-11", "S-1-5-32-545", "S-1-5-32-5440",
        "S-1-5-21-1-2-3-513", "S-1-5-21-1-2-3-1500", "S-1-5-80-1-2-3-4-512", "S-1-5-80-0"})
    EXPECT_FALSE(is_administrative(sid)) << sid;
}

}  // namespace
}  // namespace winperf
