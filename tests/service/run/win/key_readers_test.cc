#include "service/run/win/key_readers.h"

#include <gmock/gmock.h>
#include <sddl.h>

#include <cstddef>
#include <memory>

namespace winperf {
namespace {

using ::testing::ElementsAre;

// Of a file that belongs to administrators.
std::vector<std::string> readers(const wchar_t* entries) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const std::wstring text = std::wstring(L"O:BAD:") + entries;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(text.c_str(), SDDL_REVISION_1,
                                                            &descriptor, nullptr)) {
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
  return readers_in(list, owner);
}

TEST(KeyReaders, AreNotThoseWhoMayReadEverything) {
  EXPECT_THAT(readers(L"(A;;FA;;;SY)(A;;FA;;;BA)(A;;FR;;;CO)"), ElementsAre());
  EXPECT_THAT(readers(L"(A;;FR;;;S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)"),
              ElementsAre())
      << "the system's installer";
}

TEST(KeyReaders, AreOtherAccountsThatMayReadTheFileItself) {
  EXPECT_THAT(readers(L"(A;;FR;;;WD)"), ElementsAre("everyone"));
  EXPECT_EQ(readers(L"(A;;FA;;;BU)").size(), 1U);
  EXPECT_EQ(readers(L"(A;;GA;;;BU)(A;;GR;;;AU)").size(), 2U);
  EXPECT_THAT(readers(L"(D;;FR;;;WD)(A;;FW;;;BU)(A;IO;FR;;;BU)"), ElementsAre());
}

// All of them share two of these, and each service has one of the third kind.
TEST(KeyReaders, AreOtherServices) {
  for (const wchar_t* const entry :
       {L"(A;;FR;;;LS)", L"(A;;FR;;;NS)", L"(A;;FR;;;S-1-5-80-0)", L"(A;;FR;;;S-1-5-80-1-2-3-4-5)"})
    EXPECT_EQ(readers(entry).size(), 1U);
}

TEST(KeyReaders, AreThoseOfAConditionalEntry) {
  alignas(ACL) std::byte bytes[256]{};
  auto* const list = reinterpret_cast<ACL*>(bytes);
  ASSERT_TRUE(InitializeAcl(list, sizeof(bytes), ACL_REVISION));
  std::byte everyone[SECURITY_MAX_SID_SIZE];
  DWORD size = sizeof(everyone);
  ASSERT_TRUE(CreateWellKnownSid(WinWorldSid, nullptr, everyone, &size));
  ASSERT_TRUE(AddAccessAllowedAce(list, ACL_REVISION, FILE_READ_DATA, everyone));
  void* entry = nullptr;
  ASSERT_TRUE(GetAce(list, 0, &entry));
  static_cast<ACE_HEADER*>(entry)->AceType = ACCESS_ALLOWED_CALLBACK_ACE_TYPE;
  EXPECT_THAT(readers_in(list, nullptr), ElementsAre("everyone"));
}

TEST(KeyReaders, AreEveryoneWithoutAList) {
  EXPECT_THAT(readers_in(nullptr, nullptr), ElementsAre("everyone"));
}

}  // namespace
}  // namespace winperf
