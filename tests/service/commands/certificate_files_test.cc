#include "service/commands/new_file.h"

#include <gmock/gmock.h>

#include <fstream>

#include "service/run/key_file.h"
#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CertificateFilesTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::string problem(const std::string& certificate, const std::string& key,
                      bool force = false) const {
    return write_certificate({path(certificate), path(key)},
                             {.certificate = "new certificate", .key = "new key"}, force)
        .value_or("");
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  testing::TempFolder folder_;
};

TEST_F(CertificateFilesTest, AreWritten) {
  EXPECT_EQ(problem("a.crt", "a.key"), "");
  EXPECT_EQ(folder_.read("a.crt"), "new certificate");
  EXPECT_EQ(folder_.read("a.key"), "new key");
  EXPECT_THAT(names(), ElementsAre("a.crt", "a.key"));
  EXPECT_THAT(who_else_reads(path("a.key")).value(), IsEmpty());
}

TEST_F(CertificateFilesTest, AreReplacedOnlyIfThatIsWanted) {
  write("a.key", "old");
  EXPECT_THAT(problem("a.crt", "a.key"), HasSubstr("a.key already exists"));
  EXPECT_THAT(names(), ElementsAre("a.key"));
  write("a.crt", "old");
  EXPECT_EQ(problem("a.crt", "a.key", true), "");
  EXPECT_EQ(folder_.read("a.crt"), "new certificate");
  EXPECT_EQ(folder_.read("a.key"), "new key");
  EXPECT_THAT(names(), ElementsAre("a.crt", "a.key"));
  EXPECT_THAT(who_else_reads(path("a.key")).value(), IsEmpty());
}

TEST_F(CertificateFilesTest, StayAsTheyAreIfOneCanNotBeWritten) {
  write("a.crt", "old");
  write("a.key", "old");
  std::filesystem::create_directory(folder_.path() / "folder");
  EXPECT_THAT(problem("none/a.crt", "a.key", true), HasSubstr("its folder does not exist"));
  EXPECT_THAT(problem("a.crt", "none/a.key", true), HasSubstr("its folder does not exist"));
  EXPECT_NE(problem("folder", "a.key", true), "");
  EXPECT_NE(problem("a.crt", "folder", true), "");
  EXPECT_EQ(folder_.read("a.crt"), "old");
  EXPECT_EQ(folder_.read("a.key"), "old");
  // What is in the way of the new key is noticed when the certificate is in its place.
  std::filesystem::create_directories(folder_.path() / "a.key.old" / "full");
  EXPECT_THAT(problem("a.crt", "a.key", true), HasSubstr("a.key cannot be written"));
  EXPECT_EQ(folder_.read("a.crt"), "old");
  EXPECT_EQ(folder_.read("a.key"), "old");
  EXPECT_THAT(names(), ElementsAre("a.crt", "a.key", "a.key.old", "folder"));
}

TEST_F(CertificateFilesTest, AreTwo) {
  EXPECT_THAT(problem("a", "a"), HasSubstr("need separate files"));
  EXPECT_THAT(problem("a", "./a", true), HasSubstr("need separate files"));
  EXPECT_THAT(names(), IsEmpty());
}

TEST(UsableHosts, AreThoseThatACertificateCanHave) {
  EXPECT_THAT(usable_hosts({"srv-1", "b\xc3\xbcro", "srv1.example.com", "a b"}),
              ElementsAre("srv-1", "srv1.example.com"));
}

}  // namespace
}  // namespace winperf
