// The files that the recorder's own captures leave in their folder, and those that they leave
// alone.
#include "service/run/capture_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

constexpr char kFirstFile[] = "PC-20261128T020000Z-counter.zip";
constexpr char kSecondFile[] = "PC-20261128T020500Z-counterset_fails.zip";
constexpr char kThirdFile[] = "PC-20261128T021000Z-service_stops.zip";
constexpr char kFourthFile[] = "PC-20261128T021500Z-counter.zip";

class CaptureFilesTest : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& text = "x") {
    std::ofstream(temp_.path() / name, std::ios::binary) << text;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(temp_.path()))
      found.push_back(entry.path().filename().string());
    return found;
  }
  static std::expected<CaptureFiles::Stored, std::string> store(const CaptureFiles& folder,
                                                                const std::string& name,
                                                                const std::string& text = "new") {
    return folder.store(name, std::as_bytes(std::span(text)));
  }

  testing::TempFolder temp_;
  CaptureFiles folder_{temp_.path(), "PC-"};
};

TEST_F(CaptureFilesTest, KnowsItsFilesByTheirNames) {
  EXPECT_EQ(capture_name("PC-20261128T020000Z.zip", CaptureReason::kCounter), kFirstFile);
  const auto parsed = parse_capture_name(kThirdFile, "PC-");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->stamp, "20261128T021000Z");
  EXPECT_EQ(parsed->reason, CaptureReason::kServiceStops);
  for (const char* const other :
       {"", "counter.zip", "-counter.zip", "PC-20261128T020000Z.zip",
        "20261128T020000Z-counter.zip", "-20261128T020000Z-counter.zip",
        "PC20261128T020000Z-counter.zip", "PC-20261128T0200000-counter.zip",
        "PC-2026112xT020000Z-counter.zip", "PC-20261128T020000Z-counters.zip",
        "PC-20261128T020000Z-counter.zip.part", "PC-20261128T020000Z-counter.ZIP"})
    EXPECT_FALSE(parse_capture_name(other, "PC-")) << other;
}

TEST_F(CaptureFilesTest, KeepsThreeFiles_TheOldestGoes) {
  put(kThirdFile);
  put(kSecondFile);
  put(kFirstFile);
  const auto file = store(folder_, kFourthFile);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->file, temp_.path() / kFourthFile);
  EXPECT_EQ(file->notice, "");
  EXPECT_EQ(temp_.read(kFourthFile), "new");
  EXPECT_THAT(names(), UnorderedElementsAre(kSecondFile, kThirdFile, kFourthFile));
  std::vector<std::string> ordered;
  for (const auto& one : folder_.files()) ordered.push_back(one.path.filename().string());
  EXPECT_THAT(ordered, ElementsAre(kSecondFile, kThirdFile, kFourthFile)) << "the oldest first";
}

TEST_F(CaptureFilesTest, KeepsSoManyBytes) {
  const CaptureFiles folder(temp_.path(), "PC-", 10);
  put(kFirstFile, "1234");
  put(kSecondFile, "1234");
  ASSERT_TRUE(store(folder, kThirdFile, "12"));
  EXPECT_THAT(names(), UnorderedElementsAre(kFirstFile, kSecondFile, kThirdFile))
      << "exactly that many";
  ASSERT_TRUE(store(folder, kFourthFile, "12345"));
  EXPECT_THAT(names(), UnorderedElementsAre(kThirdFile, kFourthFile));
}

TEST_F(CaptureFilesTest, TouchesNoOtherFile) {
  const std::vector<std::string> others{"winperf_exporter.log",
                                        "PC2-20261128T010000Z-counter.zip",
                                        "case-17-PC-20261128T010000Z-counter.zip",
                                        "PC-20261128T010000Z.zip",
                                        "PC-20261128T010000Z-counters.zip",
                                        "notes.part",
                                        "PC-20261128T010000Z-counter.zip.bak"};
  for (const std::string& name : others) put(name);
  fs::create_directory(temp_.path() / "PC-20261128T000000Z-counter.zip");
  for (const char* const name : {kFirstFile, kSecondFile, kThirdFile, kFourthFile})
    ASSERT_TRUE(store(folder_, name));
  folder_.remove_unfinished();
  const auto present = names();
  for (const std::string& name : others) EXPECT_THAT(present, ::testing::Contains(name));
  EXPECT_THAT(present, ::testing::Contains("PC-20261128T000000Z-counter.zip"));
  EXPECT_EQ(present.size(), others.size() + 4);
}

TEST_F(CaptureFilesTest, OverwritesNone) {
  put(kFirstFile, "old");
  put(kSecondFile);
  put(kThirdFile);
  const auto file = store(folder_, kFirstFile);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr(std::string(kFirstFile) + " cannot be written: it exists"));
  EXPECT_EQ(temp_.read(kFirstFile), "old");
  EXPECT_THAT(names(), UnorderedElementsAre(kFirstFile, kSecondFile, kThirdFile));
}

TEST_F(CaptureFilesTest, RemovesWhatWasNotFinished) {
  put(std::string(kFirstFile) + ".part");
  put(kSecondFile);
  folder_.remove_unfinished();
  EXPECT_THAT(names(), UnorderedElementsAre(kSecondFile));
  put(std::string(kFirstFile) + ".part", "a longer text than the new one");
  ASSERT_TRUE(store(folder_, kFirstFile));
  EXPECT_EQ(temp_.read(kFirstFile), "new");
}

TEST_F(CaptureFilesTest, IsCreatedWithTheFoldersAboveIt) {
  const CaptureFiles folder(temp_.path() / "a" / "b", "PC-");
  folder.remove_unfinished();
  EXPECT_TRUE(folder.files().empty());
  EXPECT_FALSE(fs::exists(temp_.path() / "a"));
  ASSERT_TRUE(store(folder, kFirstFile));
  EXPECT_EQ(temp_.read("a/b/" + std::string(kFirstFile)), "new");
}

TEST_F(CaptureFilesTest, SaysWhyItCannotBeUsed) {
  put("file");
  const CaptureFiles folder(temp_.path() / "file" / "x", "PC-");
  const auto file = store(folder, kFirstFile);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr("file"));
  EXPECT_THAT(file.error(), HasSubstr(" cannot be "));
  EXPECT_FALSE(capture_folder_notice(temp_.path()));
}

TEST_F(CaptureFilesTest, LosesNoFileIfTheNewOneCannotGetItsName) {
  for (const char* const name : {kFirstFile, kSecondFile, kThirdFile}) put(name);
  // No system takes such a long one.
  const std::string long_name = std::string(300, 'x') + "-20261128T030000Z-counter.zip";
  EXPECT_FALSE(store(folder_, long_name));
  EXPECT_THAT(names(), UnorderedElementsAre(kFirstFile, kSecondFile, kThirdFile));
}

TEST_F(CaptureFilesTest, TheNewOneStaysIfAClockWasSetBack) {
  for (const char* const name : {kSecondFile, kThirdFile, kFourthFile}) put(name);
  ASSERT_TRUE(store(folder_, kFirstFile));
  EXPECT_THAT(names(), UnorderedElementsAre(kFirstFile, kThirdFile, kFourthFile));
}

// Where the new file would be, so that it can be neither renamed nor removed.
TEST_F(CaptureFilesTest, LosesNoFileIfTheNewOneCannotBeWritten) {
  for (const char* const name : {kFirstFile, kSecondFile, kThirdFile}) put(name);
  const fs::path part = temp_.path() / (std::string(kFourthFile) + ".part");
  fs::create_directories(part / "x");
  const auto file = store(folder_, kFourthFile);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr(".part cannot be written: "));
  EXPECT_THAT(names(), UnorderedElementsAre(kFirstFile, kSecondFile, kThirdFile,
                                            std::string(kFourthFile) + ".part"));
}

}  // namespace
}  // namespace winperf
