// docs/doctor.md explains every reason, in the order in which they are looked for, and no other.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "service/doctor/rules.h"

namespace winperf::testing {
namespace {

constexpr std::string_view kHeading = "### `";

struct Section {
  std::string reason;
  std::string text;
};

std::vector<Section> sections() {
  std::ifstream page(WINPERF_SOURCE_DIR "/docs/doctor.md");
  EXPECT_TRUE(page) << "docs/doctor.md is missing";
  std::vector<Section> found;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with('#')) inside = line.starts_with(kHeading);
    if (line.starts_with(kHeading))
      found.push_back({line.substr(kHeading.size(), line.rfind('`') - kHeading.size()), {}});
    else if (inside)
      found.back().text += line + '\n';
  }
  return found;
}

TEST(DoctorPage, ExplainsEveryReasonAndNoOther) {
  std::vector<std::string> in_page;
  for (const Section& section : sections()) in_page.push_back(section.reason);
  std::vector<std::string> in_table;
  for (std::size_t i = 0; i < kReasonCount; ++i)
    in_table.emplace_back(name_of(static_cast<Reason>(i)));
  EXPECT_EQ(in_page, in_table);
}

TEST(DoctorPage, SaysWhatAReasonMeansAndItsRepair) {
  for (const Section& section : sections()) {
    EXPECT_NE(section.text.find("**Means:** "), std::string::npos) << section.reason;
    EXPECT_NE(section.text.find("**Repair:** "), std::string::npos) << section.reason;
  }
}

}  // namespace
}  // namespace winperf::testing
