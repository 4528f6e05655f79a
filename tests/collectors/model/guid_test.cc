#include "collectors/model/guid.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

// In the order in which Windows stores it: three integers, then eight bytes.
constexpr Guid kGuid{{0x1A, 0x72, 0xFC, 0xB4, 0x78, 0x03, 0x6F, 0x47, 0x89, 0xBA, 0xA5, 0xA7, 0x9F,
                      0x81, 0x0B, 0x36}};
const std::string kText = "{b4fc721a-0378-476f-89ba-a5a79f810b36}";
const std::string kPlain = kText.substr(1, 36);

TEST(Guid, IsWrittenAndReadAsWindowsDoes) {
  EXPECT_EQ(to_string(kGuid), kText);
  EXPECT_EQ(parse_guid(kText), kGuid);
  EXPECT_EQ(parse_guid(kPlain), kGuid) << "without braces";
  EXPECT_EQ(parse_guid("{B4FC721A-0378-476F-89BA-A5A79F810B36}"), kGuid);
  EXPECT_EQ(to_string(Guid{}), "{00000000-0000-0000-0000-000000000000}");
  for (const std::string text :
       {"{01234567-89ab-cdef-0123-456789abcdef}", "{fedcba98-7654-3210-fedc-ba9876543210}"})
    EXPECT_EQ(to_string(parse_guid(text).value()), text);
}

TEST(Guid, OfAnotherLengthIsNone) {
  for (std::size_t size = 0; size < kPlain.size(); ++size)
    EXPECT_EQ(parse_guid(kPlain.substr(0, size)), std::nullopt) << size;
  for (const std::string& text :
       {kPlain + "0", "{" + kPlain, kPlain + "}", "{" + kText + "}", "(" + kPlain + "}",
        "{" + kPlain + ")", "[" + kPlain + "]", "  " + kPlain, kPlain + "  "})
    EXPECT_EQ(parse_guid(text), std::nullopt) << text;
}

TEST(Guid, WithAnotherCharacterInItIsNone) {
  for (std::size_t at = 0; at < kPlain.size(); ++at) {
    for (const char c : std::string(kPlain[at] == '-' ? "0f_ " : "/:@G`g- ")) {
      std::string text = kPlain;
      text[at] = c;
      EXPECT_EQ(parse_guid(text), std::nullopt) << text;
    }
  }
}

}  // namespace
}  // namespace winperf
