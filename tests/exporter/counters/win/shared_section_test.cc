// The section as Windows keeps it: who may open it for what, and that it has one writer.
#include "exporter/counters/shared_section.h"

#include <gmock/gmock.h>
#include <windows.h>

#include <expected>
#include <memory>
#include <string>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "exporter/counters/section_view.h"
#include "exporter/counters/section_writer.h"
#include "tests/exporter/counters/section_states.h"

namespace winperf::own {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NamedSectionTest : public ::testing::Test {
 protected:
  // The error of opening it, or 0.
  DWORD opened_for(DWORD rights) const {
    const UniqueKernelHandle section(OpenFileMappingW(rights, FALSE, to_wide(name_).c_str()));
    return section ? ERROR_SUCCESS : GetLastError();
  }

  // Why it can't be created; empty if it can.
  std::string refused() const {
    const auto section = create_shared_section(name_);
    return section ? std::string() : section.error();
  }

  const std::string name_ = "Local\\winperf_section_" + std::to_string(GetCurrentProcessId());
};

TEST_F(NamedSectionTest, IsReadByOthersAndWrittenByItsCreatorAlone) {
  const auto section = create_shared_section(name_);
  ASSERT_TRUE(section) << section.error();
  ASSERT_EQ((*section)->words().size(), kSectionWords);
  for (const Word& word : (*section)->words()) ASSERT_EQ(word, 0U);
  SectionWriter((*section)->words()).publish(testing::state_of(1));
  // Not by the account that has created it either. (Wine lets the owner change who may.)
  EXPECT_EQ(opened_for(FILE_MAP_WRITE), DWORD{ERROR_ACCESS_DENIED});
  const UniqueKernelHandle reader(OpenFileMappingW(FILE_MAP_READ, FALSE, to_wide(name_).c_str()));
  ASSERT_TRUE(reader) << GetLastError();
  EXPECT_EQ(MapViewOfFile(reader.get(), FILE_MAP_WRITE, 0, 0, 0), nullptr);
  const void* const view = MapViewOfFile(reader.get(), FILE_MAP_READ, 0, 0, 0);
  ASSERT_NE(view, nullptr) << GetLastError();
  const auto copy = SectionView({static_cast<const Word*>(view), kSectionWords}).newest();
  ASSERT_TRUE(copy);
  EXPECT_EQ(testing::wrong_in(*copy), "");
  UnmapViewOfFile(view);
}

TEST_F(NamedSectionTest, IsMadeAnewOnceNobodyHasTheOneBefore) {
  auto section = create_shared_section(name_);
  ASSERT_TRUE(section) << section.error();
  EXPECT_THAT(refused(),
              AllOf(HasSubstr(name_), HasSubstr("another program has one of that name")));
  UniqueKernelHandle reader(OpenFileMappingW(FILE_MAP_READ, FALSE, to_wide(name_).c_str()));
  ASSERT_TRUE(reader) << GetLastError();
  section->reset();
  EXPECT_THAT(refused(), HasSubstr("another program has one of that name")) << "a monitor";
  reader.reset();
  EXPECT_EQ(opened_for(FILE_MAP_READ), DWORD{ERROR_FILE_NOT_FOUND});
  EXPECT_EQ(refused(), "");
}

TEST_F(NamedSectionTest, WhatAnotherProgramHasMade_IsNotUsed) {
  {
    const UniqueKernelHandle open_to_all(CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr,
                                                            PAGE_READWRITE, 0, DWORD{kSectionBytes},
                                                            to_wide(name_).c_str()));
    ASSERT_TRUE(open_to_all) << GetLastError();
    EXPECT_THAT(refused(), HasSubstr("another program has one of that name"));
  }
  {
    const UniqueKernelHandle event(CreateEventW(nullptr, FALSE, FALSE, to_wide(name_).c_str()));
    ASSERT_TRUE(event) << GetLastError();
    EXPECT_THAT(refused(), HasSubstr("another program has one of that name"));
  }
  EXPECT_EQ(refused(), "");
}

}  // namespace
}  // namespace winperf::own
