#include "exporter/text/textfile_part.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "tests/exporter/textfile/accepted_files.h"
#include "tests/exporter/textfile/textfile_pages.h"

namespace winperf {
namespace {

using Names = std::set<std::string, std::less<>>;

constexpr const char* kHelp = "A metric from a text file.";

std::string page_of(const std::string& content, PageFormat format, const Names& taken = {},
                    std::size_t left_out = 0) {
  const auto result = testing::merged_textfile("a", content);
  const auto written = testing::write_textfiles(
      format, result->families, [&](std::string_view name) { return taken.contains(name); });
  EXPECT_EQ(written.left_out, left_out);
  return written.text;
}

std::string open_metrics(const std::string& content, const Names& taken = {}) {
  return page_of(content, PageFormat::kOpenMetrics, taken);
}

std::string head(const std::string& name, const std::string& type) {
  return "# HELP " + name + " " + kHelp + "\n# TYPE " + name + " " + type + "\n";
}

TEST(TextfileLines, AreThoseOfTheFile) {
  for (const testing::AcceptedFile& file : testing::accepted_files()) {
    EXPECT_EQ(page_of(file.content, PageFormat::kText), file.page) << file.content;
    EXPECT_EQ(page_of(file.page, PageFormat::kText), file.page) << "the page is such a file";
  }
}

TEST(TextfileLines, NameTheTypesOfOpenMetrics) {
  EXPECT_EQ(open_metrics("a 1\n"), head("a", "unknown") + "a 1\n");
  EXPECT_EQ(open_metrics("# HELP a \"x\"\n# TYPE a gauge\na 1\n"),
            "# HELP a \\\"x\\\"\n# TYPE a gauge\na 1\n");
  EXPECT_EQ(open_metrics("# TYPE a_seconds gauge\na_seconds 1\n"),
            head("a_seconds", "gauge") + "# UNIT a_seconds seconds\na_seconds 1\n");
  EXPECT_EQ(open_metrics("# TYPE a_total counter\na_total 1\n"),
            head("a", "counter") + "a_total 1\n");
  EXPECT_EQ(open_metrics("# TYPE s summary\ns{quantile=\"1\"} 2\ns_count 1\n"),
            head("s", "summary") + "s{quantile=\"1.0\"} 2\ns_count 1\n");
  EXPECT_EQ(open_metrics("# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_count 1\nh_sum 1\n"),
            head("h", "histogram") +
                "h_bucket{le=\"1.0\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n");
}

TEST(TextfileLines, AreUnknownWhereOpenMetricsForbidsTheType) {
  EXPECT_EQ(open_metrics("# TYPE a counter\na 1\n"), head("a", "unknown") + "a 1\n");
  EXPECT_EQ(open_metrics("# TYPE _total counter\n_total 1\n"),
            head("_total", "unknown") + "_total 1\n");
  for (const char* value : {"-1", "NaN"}) {
    const std::string line = std::string("a_total ") + value + "\n";
    EXPECT_EQ(open_metrics("# TYPE a_total counter\n" + line), head("a_total", "unknown") + line);
  }
  EXPECT_EQ(open_metrics("# TYPE h histogram\nh_count 1\n"),
            head("h_bucket", "unknown") + "h_bucket{le=\"+Inf\"} 1\n" + head("h_count", "unknown") +
                "h_count 1\n");
  EXPECT_EQ(open_metrics("# TYPE h histogram\nh_bucket{le=\"-1\"} 1\nh_count 1\nh_sum -2\n"),
            head("h_bucket", "unknown") + "h_bucket{le=\"-1.0\"} 1\nh_bucket{le=\"+Inf\"} 1\n" +
                head("h_sum", "unknown") + "h_sum -2\n" + head("h_count", "unknown") +
                "h_count 1\n");
  EXPECT_EQ(open_metrics("# TYPE s summary\ns{quantile=\"0.5\"} -1\n"),
            head("s", "unknown") + "s{quantile=\"0.5\"} -1\n");
  EXPECT_EQ(open_metrics("# TYPE s summary\ns{quantile=\"2\"} 1\n"),
            head("s", "unknown") + "s{quantile=\"2.0\"} 1\n");
}

TEST(TextfileLines, AreUnknownWhereTheFamilysNameIsAnothers) {
  const std::string counter = "# TYPE a_total counter\na_total 1\n";
  EXPECT_EQ(open_metrics(counter + "# TYPE a gauge\na 1\n"),
            head("a", "gauge") + "a 1\n" + head("a_total", "unknown") + "a_total 1\n");
  EXPECT_EQ(open_metrics(counter, {"a"}), head("a_total", "unknown") + "a_total 1\n");
  EXPECT_EQ(open_metrics(counter, {"a_created"}), head("a_total", "unknown") + "a_total 1\n");
}

// As Python's client library writes text files.
TEST(TextfileLines, HaveTheTimeOfCreationInOpenMetrics) {
  const std::string content =
      "# TYPE a_total counter\na_total{x=\"1\"} 1\na_total{x=\"2\"} 2\n"
      "# TYPE a_created gauge\na_created{x=\"1\"} 1.7e9\n"
      "# TYPE h histogram\nh_count 1\nh_sum 1\n# TYPE h_created gauge\nh_created 1.7e9\n";
  EXPECT_EQ(open_metrics(content),
            head("a", "counter") +
                "a_total{x=\"1\"} 1\na_created{x=\"1\"} 1.7e+09\na_total{x=\"2\"} 2\n" +
                head("h", "histogram") +
                "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\nh_created 1.7e+09\n");
  EXPECT_THAT(page_of(content, PageFormat::kText),
              ::testing::HasSubstr(head("a_created", "gauge") + "a_created{x=\"1\"} 1.7e+09\n"));
}

TEST(TextfileLines, KeepWhatIsNoTimeOfCreation) {
  const std::string counter = "# TYPE a_total counter\na_total 1\n";
  const std::string unknown = head("a_total", "unknown") + "a_total 1\n";
  EXPECT_EQ(open_metrics(counter + "# TYPE a_created gauge\na_created{x=\"other\"} 1\n"),
            head("a_created", "gauge") + "a_created{x=\"other\"} 1\n" + unknown);
  EXPECT_EQ(open_metrics(counter + "# TYPE a_created summary\na_created_count 1\n"),
            head("a_created", "summary") + "a_created_count 1\n" + unknown);
  EXPECT_EQ(open_metrics("# TYPE a gauge\na 1\n# TYPE a_created gauge\na_created 1\n"),
            head("a", "gauge") + "a 1\n" + head("a_created", "gauge") + "a_created 1\n");
}

TEST(TextfileLines, LeaveOutNamesThatAreTaken) {
  const std::string content = "a 1\nb 1\n# TYPE h histogram\nh_count 1\nh_sum 1\n";
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    for (const char* name : {"h", "h_bucket", "h_sum", "h_count"}) {
      const std::string page = page_of(content, format, {"a", name}, 2);
      EXPECT_EQ(page.find("\na "), std::string::npos);
      EXPECT_NE(page.find("\nb "), std::string::npos);
      EXPECT_EQ(page.find("h_"), std::string::npos) << page;
    }
  }
  const std::string created = "# TYPE a_total counter\na_total 1\na_created 5\n";
  EXPECT_EQ(page_of(created, PageFormat::kOpenMetrics, {"a_total"}, 1),
            head("a_created", "unknown") + "a_created 5\n");
}

}  // namespace
}  // namespace winperf
