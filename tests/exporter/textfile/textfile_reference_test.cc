// The same files by the reference parsers: promtool reads the text format as node_exporter does,
// and Python's client library OpenMetrics.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "exporter/textfile/textfile_parser.h"
#include "tests/collectors/sources/temp_dir.h"
#include "tests/exporter/textfile/accepted_files.h"
#include "tests/exporter/textfile/refused_files.h"
#include "tests/exporter/textfile/textfile_pages.h"

namespace winperf {
namespace {

using testing::TempDir;

constexpr const char* kImport =
    "from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse";

class Reference {
 public:
  explicit Reference(std::string command) : command_(std::move(command)) {}

  // What it says about the text; empty if it accepts it. Lints are none of its errors.
  std::string complaint(const std::string& text) const {
    const auto input = folder_.path() / "input";
    const auto output = folder_.path() / "output";
    {
      std::ofstream(input, std::ios::binary) << text;
    }
    const int code = std::system(
        (command_ + " < " + input.string() + " > " + output.string() + " 2>&1").c_str());
    std::ostringstream said;
    said << std::ifstream(output).rdbuf();
    const bool is_lint = said.str().find("error while linting") == std::string::npos;
    return code == 0 || (is_lint && command_.starts_with("promtool")) ? "" : said.str() + "!";
  }

 private:
  TempDir folder_;
  std::string command_;
};

std::string whole_page(const std::string& content, PageFormat format) {
  return testing::write_textfiles(format, testing::merged_textfile("a", content)->families).text;
}

bool is_there(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

TEST(TextfileReference, RefusesTheSameFilesAtTheSameLine) {
  if (!is_there("promtool --version"))
    GTEST_SKIP() << "promtool is not installed: the refusals were not compared with its own";
  const Reference promtool("promtool check metrics");
  for (const testing::RefusedFile& file : testing::refused_files()) {
    if (file.is_stricter) continue;
    const std::string complaint = promtool.complaint(file.content);
    EXPECT_NE(complaint, "") << file.content << "\n" << file.sentence;
    const auto line = file.sentence.substr(0, file.sentence.find(':'));
    EXPECT_THAT(complaint, ::testing::HasSubstr(line + ":")) << file.content;
  }
}

TEST(TextfileReference, AcceptsTheSameFilesAndTheirPages) {
  if (!is_there("promtool --version"))
    GTEST_SKIP() << "promtool is not installed: the pages were not checked by it";
  const Reference promtool("promtool check metrics");
  for (const testing::AcceptedFile& file : testing::accepted_files()) {
    EXPECT_EQ(promtool.complaint(whole_page(file.content, PageFormat::kText)), "") << file.content;
    if (file.is_more_lenient) continue;
    EXPECT_EQ(promtool.complaint(file.content), "") << file.content;
  }
}

TEST(TextfileReference, AcceptsTheSamePagesInOpenMetrics) {
  const std::string python = "/usr/bin/python3 -c '" + std::string(kImport);
  if (!is_there(python + "'"))
    GTEST_SKIP() << "NO PARSER: python3-prometheus-client isn't installed";
  const Reference parser(python + "\nimport sys\nlist(parse(sys.stdin.read()))'");
  EXPECT_NE(parser.complaint("a 1\n"), "") << "the end is missing";
  std::vector<std::string> contents;
  for (const testing::AcceptedFile& file : testing::accepted_files())
    contents.push_back(file.content);
  for (const char* content :
       {"# TYPE a_total counter\na_total 1\n# TYPE a_created gauge\na_created 1.7e9\n",
        "# TYPE a_total counter\na_total 1\n# TYPE a gauge\na 1\n",
        "# TYPE a_total counter\na_total NaN\n", "# TYPE a_total counter\na_total -1\n",
        "# TYPE h histogram\nh_count 1\nh_bucket{le=\"-1\"} 1\nh_sum -1\n",
        "# TYPE h histogram\nh_count 1\nh_bucket{le=\"1e-7\"} 1\nh_bucket{le=\"1e6\"} 1\nh_sum 1\n"
        "# TYPE h_created gauge\nh_created 1.7e9\n",
        "# TYPE s summary\ns{quantile=\"2\"} 1\n", "# TYPE s summary\ns{quantile=\"1\"} -1\n",
        "# TYPE s summary\ns_sum NaN\n",
        "# TYPE s_seconds summary\ns_seconds_sum 1\n"
        "s_seconds_count 1\n"})
    contents.emplace_back(content);
  for (const std::string& content : contents)
    EXPECT_EQ(parser.complaint(whole_page(content, PageFormat::kOpenMetrics) + "# EOF\n"), "")
        << content;
}

}  // namespace
}  // namespace winperf
