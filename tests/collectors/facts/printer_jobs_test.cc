#include "collectors/facts/wmi_rows.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

FactRow job(std::string_view name, std::string_view status) {
  return FactRow().text("Name", name).text("Status", status);
}

// Of each of these printers.
std::vector<std::string> jobs_of(const std::vector<std::string>& names, const FactTable& jobs) {
  FactTable printers;
  for (const std::string& name : names) printers.add().text("Name", name);
  std::vector<std::string> texts;
  for (const FactRow& row : printer_rows(printers, jobs).rows) texts.push_back(row.text_of("jobs"));
  return texts;
}

TEST(PrinterJobsTest, Jobs_AreCountedByPrinterAndStatus) {
  const FactTable jobs{.rows = {job("HP LaserJet, 12", "Printing"), job("HP LaserJet, 13", "Error"),
                                job("HP LaserJet, 14", "Printing"), job("Other, 1", "OK")}};
  EXPECT_EQ(jobs_of({"HP LaserJet", "Other", "HP"}, jobs),
            (std::vector<std::string>{"Error 1;Printing 2", "OK 1", ""}));
}

TEST(PrinterJobsTest, StatusWithASemicolon_IsOneStatus) {
  const FactTable jobs{.rows = {job("p", "a;b")}};
  EXPECT_EQ(jobs_of({"p"}, jobs), std::vector<std::string>{"a,b 1"});
}

}  // namespace
}  // namespace winperf
