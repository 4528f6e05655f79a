#include "service/commands/bash_line.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using Words = std::vector<std::string>;

TEST(BashLineTest, HasTheWordsThatBashWouldPass) {
  EXPECT_EQ(parse_bash_line("winperf_exporter").words, Words());
  EXPECT_EQ(parse_bash_line("winperf_exporter ").words, Words({""}));
  EXPECT_EQ(parse_bash_line("x  list  Pro").words, Words({"list", "Pro"}));
  EXPECT_EQ(parse_bash_line("x 'a b' \"c d\" e\\ f ").words, Words({"a b", "c d", "e f", ""}));
  EXPECT_EQ(parse_bash_line("x '' \"\" ").words, Words({"", "", ""}));
  EXPECT_EQ(parse_bash_line(R"(x "\Memory\\\$a\"b)").words, Words({R"(\Memory\$a"b)"}));
  EXPECT_EQ(parse_bash_line(R"(x '\a\')").words, Words({R"(\a\)"}));
  EXPECT_EQ(parse_bash_line(R"(x \\Memory\\Av)").words, Words({R"(\Memory\Av)"}));
}

TEST(BashLineTest, TakesAPathWithoutQuotationMarksAsItIsMeant) {
  EXPECT_EQ(parse_bash_line(R"(x \Memory\Av)").words, Words({R"(\Memory\Av)"}));
  EXPECT_EQ(parse_bash_line(R"(x \)").words, Words({R"(\)"}));
  EXPECT_EQ(bash_completion(parse_bash_line(R"(x \Mem)"), R"(\Memory\Available Bytes)"),
            R"('\Memory\Available Bytes')");
  EXPECT_EQ(bash_completion(parse_bash_line(R"(x \Proc)"), R"(\Process()"), R"('\Process()")
      << "the quotation continues";
}

TEST(BashLineTest, CompletesInTheOpenQuotation) {
  EXPECT_EQ(bash_completion(parse_bash_line("x 'MS"), R"(MS$A 'B'\C)"), R"(MS$A '\''B'\''\C)");
  EXPECT_EQ(bash_completion(parse_bash_line("x \"MS"), R"(MS$A `"\\B\C)"), R"(MS\$A \`\"\\\B\C)");
  EXPECT_EQ(bash_completion(parse_bash_line("x MS"), "MS$A B"), R"(MS\$A\ B)");
}

TEST(BashLineTest, LeavesOutWhatBashKeeps) {
  EXPECT_EQ(bash_completion(parse_bash_line("x --format=js"), "--format=json"), "json");
  EXPECT_EQ(bash_completion(parse_bash_line("x --sort='Wo"), "--sort=Working Set"), "Working Set");
  EXPECT_EQ(bash_completion(parse_bash_line("x MSSQL:Bu"), "MSSQL:Buffer Manager"),
            "Buffer\\ Manager");
  EXPECT_EQ(bash_completion(parse_bash_line("x a=b c"), "cd"), "cd");
}

}  // namespace
}  // namespace winperf
