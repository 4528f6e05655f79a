#include "collectors/base/win/path_rights.h"

#include <gmock/gmock.h>
#include <sddl.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "collectors/base/win/account.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;
using ::testing::Optional;

PathRights rights(const wchar_t* text) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(text, SDDL_REVISION_1, &descriptor,
                                                            nullptr)) {
    ADD_FAILURE() << GetLastError();
    return {};
  }
  const std::unique_ptr<void, decltype(&LocalFree)> owned(descriptor, LocalFree);
  BOOL is_there = FALSE;
  BOOL is_default = FALSE;
  ACL* list = nullptr;
  PSID owner = nullptr;
  EXPECT_TRUE(GetSecurityDescriptorDacl(descriptor, &is_there, &list, &is_default));
  EXPECT_TRUE(GetSecurityDescriptorOwner(descriptor, &owner, &is_default));
  return rights_in(list, owner);
}

// The permissions of these folders on Windows Server 2022.
TEST(PathRightsOnWindows, FoldersOfWindows_AreJudgedAsTheyAre) {
  const PathRights root = rights(
      L"O:S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464D:PAI(A;OICI;FA;;;SY)"
      L"(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)(A;CI;LC;;;BU)(A;CIIO;DC;;;BU)(A;OICIIO;GA;;;CO)");
  EXPECT_EQ(stranger_among(root, PathRole::kAbove), std::nullopt);
  EXPECT_THAT(stranger_among(root, PathRole::kNewFolder), Optional(std::string("S-1-5-32-545")));
  const PathRights program_files = rights(
      L"O:S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464D:PAI"
      L"(A;;FA;;;S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)"
      L"(A;;0x1301bf;;;SY)(A;OICIIO;GA;;;SY)(A;;0x1301bf;;;BA)(A;OICIIO;GA;;;BA)"
      L"(A;;0x1200a9;;;BU)(A;OICIIO;GXGR;;;BU)(A;OICIIO;GA;;;CO)(A;;0x1200a9;;;S-1-15-2-1)");
  EXPECT_EQ(stranger_among(program_files, PathRole::kAbove), std::nullopt);
  EXPECT_EQ(stranger_among(program_files, PathRole::kNewFolder), std::nullopt);
  const PathRights program_data = rights(
      L"O:SYD:PAI(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)"
      L"(A;CI;DCLCRPCR;;;BU)");
  EXPECT_EQ(stranger_among(program_data, PathRole::kAbove), std::nullopt);
  EXPECT_THAT(stranger_among(program_data, PathRole::kFolder),
              Optional(std::string("S-1-5-32-545")))
      << "a folder made there is open until it gets permissions of its own";
}

TEST(PathRightsOnWindows, WithoutAListOrByADenial_IsSaid) {
  EXPECT_FALSE(rights_in(nullptr, nullptr).has_list);
  EXPECT_TRUE(rights(L"O:BAD:(D;;FA;;;BU)").entries.empty());
}

TEST(PathRightsOnWindows, EntryWithASecondName_IsForeign) {
  const fs::path folder =
      fs::temp_directory_path() / ("winperf-rights-" + std::to_string(GetCurrentProcessId()));
  fs::create_directory(folder);
  std::ofstream(folder / "one") << "x";
  EXPECT_EQ(foreign_entry(folder), std::nullopt);
  fs::create_directories(folder / "in" / "it");
  EXPECT_EQ(foreign_entry(folder), std::nullopt);
  const fs::path second = folder / "in" / "it" / "two";
  ASSERT_TRUE(CreateHardLinkW(second.c_str(), (folder / "one").c_str(), nullptr));
  EXPECT_THAT(foreign_entry(folder), Optional(::testing::HasSubstr("has another hard link")));
  fs::remove_all(folder);
  EXPECT_THAT(foreign_entry(folder), Optional(::testing::HasSubstr("cannot be listed")));
}

TEST(PathRightsOnWindows, OwnAccount_HasASid) {
  EXPECT_THAT(own_sid(), ::testing::StartsWith("S-1-5-"));
}

}  // namespace
}  // namespace winperf
