// What anybody asks of /metrics: the input is the query of a URL. Whatever it is, it is refused
// with a sentence, or the page is what the plain rule makes of the whole one, compressed or not.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/http/page_query.h"
#include "exporter/json/sample_document.h"
#include "exporter/text/metrics_page.h"
#include "exporter/text/sample_writer.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/large_sample.h"
#include "tests/exporter/support/page_oracle.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

using Query = std::multimap<std::string, std::string>;

std::expected<CollectorParts, std::string> find_collector(std::string_view name) {
  if (name == "tcp") return CollectorParts{.countersets = {"TCPv4", "TCPv6", "TCP"}};
  if (name == "os") return CollectorParts{.topics = {FactTopic::kOs, FactTopic::kTime}};
  if (name == "net") return CollectorParts{{"ipv4"}, {FactTopic::kAdapters}};
  return std::unexpected(name == "tpc" ? "tcp" : "");
}

// A page that stays the same, and the same in parts.
struct Pages {
  explicit Pages(PageFormat of) : format(of) {
    slot.publish(sample);
    SampleWriter writer(MappingOptions{});
    writer.append(of_sample, *sample, format);
    parts = writer.take_parts();
    const std::string whole = page.text(format).str();
    require(whole.ends_with(of_sample + end), "the sample's part comes last");
    own = whole.substr(0, whole.size() - of_sample.size() - end.size());
  }

  void check(const PageFilter& filter) {
    const std::string text = page.text(format, filter).str();
    require(text == testing::cut_by_lines(own, *sample, filter) +
                        testing::cut_by_parts(of_sample, parts, *sample, filter) + end,
            "a part of the page is what the plain rule makes of the whole");
    require(testing::gunzipped(page.gzipped(format, filter).str()) == text,
            "compressed, it is the same");
  }

  const PageFormat format;
  const std::string end = format == PageFormat::kOpenMetrics ? "# EOF\n" : "";
  std::shared_ptr<const Sample> sample = testing::large_sample(7);
  SampleSlot slot;
  ExporterRegistry registry{{"1", "abc", "gcc", "linux", "x86_64"}, testing::kSampledAt, [] {
                              return ProcessFacts{.cpu_seconds = 2};
                            }};
  MetricsPage page{slot, registry, MappingOptions{}, [] { return testing::kTaken; }};
  std::string of_sample;
  std::vector<PagePart> parts;
  std::string own;
};

Pages& pages(PageFormat format) {
  static Pages text(PageFormat::kText);
  static Pages open_metrics(PageFormat::kOpenMetrics);
  return format == PageFormat::kText ? text : open_metrics;
}

Query query_of(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    query.emplace(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())));
  }
  return query;
}

void check(std::string_view text) {
  const Query query = query_of(text);
  for (const PageFormat format : {PageFormat::kText, PageFormat::kOpenMetrics}) {
    Pages& all = pages(format);
    const auto filter = page_filter(query, all.page.countersets().get(), nullptr, find_collector);
    if (filter) {
      all.check(*filter);
    } else {
      require(!filter.error().empty() && filter.error().size() < 1024, "a refusal is a sentence");
      require(std::ranges::none_of(filter.error(), [](char c) { return c >= 0 && c < ' '; }),
              "a refusal may be shown");
    }
  }
  static json::SampleDocument document(pages(PageFormat::kText).sample);
  std::vector<std::string> names;
  for (const auto& [key, value] : query) names.push_back(value);
  if (document.unknown_counterset(names)) return;
  require(testing::gunzipped(document.gzipped(names, testing::kTaken).str()) ==
              document.text(names, testing::kTaken).str(),
          "the document is the same, compressed or not");
}

Input bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (const char* const query :
       {"counterset=TCPv4&counterset[]=tcpv6", "counterset=Absent&counterset=Shared",
        "name[]=winperf_nothing&name=winperf_exporter_counterset_series&counterset=IPv6",
        "collect[]=tcp&collect[]=net&facts=os", "collect=tpc", "facts[]=service", "colect=cpu",
        "name=", "Object 6&=&&x==y",
        "counterset=TCPv4&counterset=TCPv4&name=process_cpu_seconds_total",
        "name=winperf_tcp_segments_0_total&name=winperf_ip_segments_1_total"})
    inputs.push_back(bytes_of(query));
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check(
      std::string(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 8192)));
  return 0;
}
