#include "service/scm/win/security.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(SecurityTest, ServiceSid_IsThatOfTheName) {
  // Well known: the owner of Windows' own files.
  EXPECT_EQ(service_sid("TrustedInstaller").value_or(""),
            "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464");
  EXPECT_EQ(service_sid("trustedinstaller").value_or(""),
            service_sid("TrustedInstaller").value_or("-"));
}

TEST(SecurityTest, Sid_IsReadFromItsText) {
  const auto sid = sid_of("S-1-5-32-558");
  ASSERT_TRUE(sid) << sid.error().text;
  EXPECT_EQ(sid->size(), 16u);
  const auto bad = sid_of("nonsense");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, static_cast<DWORD>(ERROR_INVALID_SID));
}

TEST(SecurityTest, AccountThatIsUnknown_IsAnError) {
  EXPECT_TRUE(sid_of_account("NT AUTHORITY\\LocalService"));
  const auto nobody = sid_of_account("nowhere\\nobody");
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code, static_cast<DWORD>(ERROR_NONE_MAPPED));
}

TEST(SecurityTest, Errors_HaveWordsWithoutALineEnd) {
  const SystemError error = system_error(ERROR_ACCESS_DENIED);
  EXPECT_EQ(error.code, 5u);
  EXPECT_FALSE(error.text.empty());
  EXPECT_EQ(error.text.find_first_of("\r\n"), std::string::npos);
  EXPECT_NE(error.text.find("(Windows error 5)"), std::string::npos) << error.text;
  EXPECT_EQ(system_error(0x2FFFFFFF).text, "Windows error 805306367");
}

}  // namespace
}  // namespace winperf
