// One scrape of a page of the simulated server, or of a part of it, for a program that counts the
// instructions of measured_scrape(), as scrape_work.py lets it.
//
//   winperf_scrape_work text|gzip WHAT [first]
//
// WHAT: "all"; a number of countersets, spread over all, and negative in the opposite order; "0",
// what is on each page; or "names=NUMBER", of metrics. The page was rendered before; it was also
// compressed, and this part of it, unless this is the first scrape that wants it so. Prints the
// countersets of the server and the bytes of the answer.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "exporter/text/metrics_page.h"
#include "tests/bench/server_page.h"

extern "C" std::size_t measured_scrape(winperf::MetricsPage& page, bool is_gzip,
                                       const winperf::PageFilter& filter);

[[gnu::noinline]] std::size_t measured_scrape(winperf::MetricsPage& page, bool is_gzip,
                                              const winperf::PageFilter& filter) {
  return (is_gzip ? page.gzipped(winperf::PageFormat::kText, filter)
                  : page.text(winperf::PageFormat::kText, filter))
      .size();
}

namespace winperf::testing {
namespace {

constexpr std::string_view kNames = "names=";

PageFilter filter_called(std::string_view what, const Sample& sample, MetricsPage& page) {
  const bool is_of_names = what.starts_with(kNames);
  if (is_of_names) what.remove_prefix(kNames.size());
  if (what == "all") return {};
  const int number = std::atoi(std::string(what).c_str());
  if (number == 0) return {.countersets = {"none"}};
  const auto count = static_cast<std::size_t>(std::abs(number));
  return is_of_names ? filter_of_names(page.text().str(), count)
                     : filter_of(sample, count, number < 0);
}

int run(bool is_gzip, std::string_view what, bool is_first) {
  const std::shared_ptr<const Sample> sample = server_sample();
  const SteadyTime now = sample->countersets.front().sampled_at.steady;
  SampleSlot slot;
  slot.publish(sample);
  ExporterRegistry registry({"1.2.3", "abc", "gcc", "linux", "x86_64"}, Ticks100ns{1});
  MetricsPage page(slot, registry, MappingOptions{}, [now] { return now; });
  const PageFilter filter = filter_called(what, *sample, page);
  page.text();
  if (!is_first) {
    page.gzipped();
    page.gzipped(PageFormat::kText, filter);
  }
  const std::size_t bytes = measured_scrape(page, is_gzip, filter);
  std::printf("%zu countersets, %zu bytes\n", sample->countersets.size(), bytes);
  return bytes == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace winperf::testing

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return winperf::testing::run(std::string_view(argv[1]) == "gzip", argv[2], argc > 3);
}
