// A text file with metrics, as anybody's script writes it. Whatever is in it: what is accepted is
// the same once it was written on a page and read again, and the page of two files is such a file.
#include <algorithm>
#include <cmath>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/textfile/textfile_source.h"
#include "tests/exporter/textfile/parse_textfile.h"
#include "tests/exporter/textfile/textfile_pages.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

std::string page_of(const TextfileFamilies& families, PageFormat format) {
  return testing::write_textfiles(format, families).text;
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool is_same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || is_same(*a, *b));
}

bool is_same(const TextfileSeries& a, const TextfileSeries& b) {
  const auto same_step = [](const auto& x, const auto& y) {
    return x.first == y.first && is_same(x.second, y.second);
  };
  return is_same(a.value, b.value) && std::ranges::equal(a.steps, b.steps, same_step) &&
         is_same(a.sum, b.sum) && is_same(a.count, b.count);
}

bool is_same(const TextfileFamilies& a, const TextfileFamilies& b) {
  const auto same_series = [](const auto& x, const auto& y) {
    return x.first == y.first && is_same(x.second, y.second);
  };
  const auto same_family = [&](const auto& x, const auto& y) {
    return x.first == y.first && x.second.type == y.second.type && x.second.help == y.second.help &&
           std::ranges::equal(x.second.series, y.second.series, same_series);
  };
  return std::ranges::equal(a, b, same_family);
}

// Read as a text file, where types are other words and the family of "x_total" has no type: the
// number of series is what both have in common.
void check_open_metrics(const TextfileFamilies& families) {
  std::string page = page_of(families, PageFormat::kOpenMetrics);
  std::string lines;
  std::size_t samples = 0;
  while (!page.empty()) {
    const auto line = page.substr(0, page.find('\n') + 1);
    page.erase(0, line.size());
    if (line.starts_with('#')) continue;
    lines += line;
    ++samples;
  }
  const auto again = parse_textfile(lines);
  require(again && again->samples == samples, "each line of OpenMetrics is a series");
  const auto all = parse_textfile(page_of(families, PageFormat::kText));
  require(all && all->samples == samples, "both formats have the same series");
}

void check_page(const TextfileResult& result) {
  const std::string page = page_of(result.families, PageFormat::kText);
  const auto again = parse_textfile(page);
  require(again.has_value(), "the page is a text file");
  require(is_same(again->families, result.families), "nothing is lost on the page");
  check_open_metrics(result.families);
}

// In pieces of one size, as parts of a file come.
std::expected<ParsedTextfile, std::string> fed(std::string_view text, std::size_t piece) {
  TextfileFeed feed;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    if (auto taken = feed.take(std::as_bytes(std::span(text.substr(0, piece)))); !taken)
      return std::unexpected(std::move(taken).error());
  return feed.finish();
}

void check_refusal(const std::string& sentence) {
  require(!sentence.empty() && sentence.size() < 4096, "a refusal is a sentence");
  require(sentence.find('\n') == std::string::npos, "a refusal is one line");
}

// Wherever the pieces of a file end, it is the same file.
std::optional<ParsedTextfile> check_file(std::string_view text) {
  auto whole = parse_textfile(text);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, text.size() / 2 + 1}) {
    const auto again = fed(text, piece);
    require(again.has_value() == whole.has_value(), "pieces don't matter");
    require(whole ? is_same(again->families, whole->families) : again.error() == whole.error(),
            "pieces don't change what is read");
  }
  if (whole) return *std::move(whole);
  check_refusal(whole.error());
  return std::nullopt;
}

// Two files: the halves of the text, so that mutations find what they have in common.
void check(std::string_view text) {
  const std::size_t half = text.find('\f');
  std::vector<TextfileInput> inputs;
  const auto add = [&](const char* name, std::string_view content) {
    if (auto parsed = check_file(content))
      inputs.push_back(
          {.file = name, .parsed = std::make_shared<const ParsedTextfile>(*std::move(parsed))});
  };
  add("a", text.substr(0, half));
  if (half != std::string_view::npos) add("b", text.substr(half + 1));
  const TextfileResult result = merge_textfiles(inputs);
  require(result.files.size() + result.problems.size() == inputs.size(),
          "each file is used or has a problem");
  for (const auto& [file, sentence] : result.problems) check_refusal(sentence);
  check_page(result);
}

Input bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<Input> seeds() {
  using namespace std::string_view_literals;
  std::vector<Input> files;
  for (
      const std::string_view text :
      {"# HELP backup_age_seconds Since the last \"backup\" of C:\\\\ \\n\r\n"
       "# TYPE backup_age_seconds gauge\r\nbackup_age_seconds{disk=\"C:\\\\\",kind=\"\"} 1.5e3\r\n"sv,
       "a 1\na{b=\"x\"} NaN\na{c=\"y\",b=\"\\\"z\\n\",} -Inf\n\fa{b=\"w\"} +0.5\n# HELP a x\n"sv,
       "# TYPE jobs_total counter\njobs_total{x=\"1\"} 7\n# TYPE jobs_created gauge\n"
       "jobs_created{x=\"1\"} 1.7e9\n\f# TYPE jobs_total counter\njobs_total{x=\"2\"} 1e999\n"sv,
       "# HELP h h\n# TYPE h histogram\nh_bucket{le=\"-1\",a=\"b\"} "
       "1\nh_bucket{le=\"+Inf\",a=\"b\"} 3\n"
       "h_sum{a=\"b\"} 2.5\nh_count{a=\"b\"} 3\nh_count 5\n\fh_sum 1\n"sv,
       "# TYPE s summary\ns{quantile=\"0.5\"} 1\ns{quantile=\"1e-7\"} NaN\ns_sum -1\ns_count 9\n\f"
       "# TYPE s summary\ns_count{x=\"\xC3\xBC\"} 1e20\n"sv,
       "a 1 1395066363000\n"sv,
       "\xFF\xFE"
       "a\0 \0001\0\r\0\n\0"sv,
       "\xEF\xBB\xBF# a\nb 2"sv})
    files.push_back(bytes_of(text));
  return files;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input input = fuzz::copy_of(data, size);
  fuzz::check({reinterpret_cast<const char*>(input.data()), input.size()});
  return 0;
}
