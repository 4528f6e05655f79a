#include "collectors/base/plain_value.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::Optional;

TEST(PlainValue, WhatPathsAddressesAndAccountsAreMadeOf_IsPlain) {
  for (const std::string_view value :
       {"", "10182", "::", R"(C:\Program Files\a b\)", R"(NT SERVICE\winperf_exporter)",
        "10.0.0.5,192.168.0.0/16", "Gerät 'x' %TEMP% | & ^", "DOMAIN\\web$"})
    EXPECT_EQ(why_not_plain(value), std::nullopt) << value;
}

TEST(PlainValue, AQuotationMark_IsRefusedWithItsPlace) {
  EXPECT_THAT(why_not_plain("\""), Optional(std::string("has a quotation mark at character 1")));
  EXPECT_THAT(why_not_plain(R"(x" --force ")"),
              Optional(std::string("has a quotation mark at character 2")));
  EXPECT_THAT(why_not_plain("\xC3\xA4\xE2\x82\xAC\""),
              Optional(std::string("has a quotation mark at character 3")))
      << "characters are counted, not bytes";
}

TEST(PlainValue, EveryControlCharacter_IsRefused) {
  for (int code = 0; code < 0x20; ++code)
    EXPECT_NE(why_not_plain(std::string("ab") + static_cast<char>(code)), std::nullopt) << code;
  EXPECT_THAT(why_not_plain("a\nb"),
              Optional(std::string("has the control character \\u000a at character 2")));
  EXPECT_THAT(why_not_plain("ab\x7F"),
              Optional(std::string("has the control character \\u007f at character 3")));
}

TEST(QuotedArgument, ComesBackAsItWas) {
  const std::pair<std::string, std::string> rows[] = {
      {"plain", R"("plain")"},      {"with blank", R"("with blank")"}, {"", R"("")"},
      {R"(C:\a\b)", R"("C:\a\b")"}, {R"(C:\a\)", R"("C:\a\\")"},       {R"(a"b)", R"("a\"b")"},
      {R"(a\"b)", R"("a\\\"b")"},   {R"(a\\)", R"("a\\\\")"},
  };
  for (const auto& [argument, quoted] : rows) EXPECT_EQ(quoted_argument(argument), quoted);
}

}  // namespace
}  // namespace winperf
