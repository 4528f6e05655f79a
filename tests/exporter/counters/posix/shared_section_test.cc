#include "exporter/counters/shared_section.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "exporter/counters/section_view.h"
#include "exporter/counters/section_writer.h"
#include "tests/exporter/counters/section_states.h"

namespace winperf::own {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SectionFileTest : public ::testing::Test {
 protected:
  SectionFileTest() {
    std::string name = (std::filesystem::temp_directory_path() / "own-file-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~SectionFileTest() override { std::filesystem::remove_all(folder_); }

  std::string place(const char* name = "section") const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(SectionFileTest, WithoutAPlace_ThereIsNone) {
  const auto section = create_shared_section();
  ASSERT_TRUE(section);
  EXPECT_EQ(*section, nullptr);
}

TEST_F(SectionFileTest, ANewOne_IsOfZerosAndHasTheSizeOfThisVersion) {
  const auto section = create_shared_section(place());
  ASSERT_TRUE(section) << section.error();
  EXPECT_EQ((*section)->words().size(), kSectionWords);
  EXPECT_EQ(std::filesystem::file_size(place()), kSectionBytes);
  for (const Word& word : (*section)->words()) ASSERT_EQ(word, 0U);
}

TEST_F(SectionFileTest, StatesAreReadFromTheFileAndOutliveTheWriter) {
  {
    const auto section = create_shared_section(place()).value();
    SectionWriter(section->words()).publish(testing::state_of(1));
  }
  const auto section = create_shared_section(place());
  ASSERT_TRUE(section) << section.error();
  const auto copy = SectionView((*section)->words()).newest();
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->number(), 1U);
  EXPECT_EQ(testing::wrong_in(*copy), "");
  EXPECT_EQ(SectionWriter((*section)->words()).next_number(), 2U);
}

TEST_F(SectionFileTest, OneThatIsUsed_IsRefusedUntilItIsClosed) {
  {
    const auto section = create_shared_section(place()).value();
    const auto second = create_shared_section(place());
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error(),
                AllOf(HasSubstr(place()), HasSubstr("another process publishes in it")));
  }
  EXPECT_TRUE(create_shared_section(place()));
}

TEST_F(SectionFileTest, WhatIsNoSection_IsRefusedAndLeftAlone) {
  std::ofstream(place("text")) << "something else";
  std::filesystem::create_directory(folder_ / "folder");
  std::filesystem::create_symlink("text", folder_ / "link");
  const auto text = create_shared_section(place("text"));
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error(), HasSubstr("another size"));
  EXPECT_EQ(std::filesystem::file_size(place("text")), 14U);
  EXPECT_FALSE(create_shared_section(place("folder")));
  EXPECT_FALSE(create_shared_section(place("link")));
  EXPECT_FALSE(create_shared_section(place("missing/section")));
}

}  // namespace
}  // namespace winperf::own
