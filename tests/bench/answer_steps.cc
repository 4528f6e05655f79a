// From samples to what clients get: text of both formats, JSON, and their compressed forms.
#include <utility>

#include "exporter/json/sample_document.h"
#include "exporter/text/gzip.h"
#include "exporter/text/metrics_page.h"
#include "exporter/text/sample_writer.h"
#include "tests/bench/sampled_machine.h"
#include "tests/bench/server_page.h"
#include "tests/bench/step.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf::testing {
namespace {

using Series = std::unique_ptr<SampleSeries>;

MappingOptions with_profiles(bool has_windows_exporter) {
  MappingOptions options;
  options.max_series = 10'000'000;  // of a million values, too
  if (has_windows_exporter) options.profiles.push_back(MetricProfile::kWindowsExporter);
  return options;
}

std::uint64_t written(const std::vector<CountersetCounts>& counts) {
  std::uint64_t series = 0;
  for (const CountersetCounts& one : counts) series += one.series;
  return series;
}

class TextStep final : public Step {
 public:
  TextStep(Series series, const MappingOptions& options, PageFormat format)
      : series_(std::move(series)), writer_(options), format_(format) {}

  void prepare() override { sample_ = series_->next(); }
  std::size_t run() override {
    page_.clear();
    count_ = written(writer_.append(page_, *sample_, format_));
    return page_.size();
  }
  std::uint64_t count() const override { return count_; }
  const std::string& page() const { return page_; }

 private:
  Series series_;
  SampleWriter writer_;
  PageFormat format_;
  std::shared_ptr<const Sample> sample_;
  std::string page_;
  std::uint64_t count_ = 0;
};

class GzipStep final : public Step {
 public:
  explicit GzipStep(Series series) : text_(std::move(series), with_profiles(false), kFormat) {}

  void prepare() override {
    text_.prepare();
    text_.run();
  }
  std::size_t run() override { return deflate_part(text_.page()).size; }
  std::uint64_t count() const override { return text_.count(); }

 private:
  static constexpr PageFormat kFormat = PageFormat::kText;
  TextStep text_;
};

class JsonStep final : public Step {
 public:
  explicit JsonStep(Series series) : series_(std::move(series)) {}

  void prepare() override { sample_ = series_->next(); }
  std::size_t run() override { return json::SampleDocument(sample_).text({}, kTaken).size(); }
  std::uint64_t count() const override {
    std::uint64_t values = 0;
    for (const CountersetState& state : sample_->countersets)
      values += state.sample->rows() * state.sample->columns();
    return values;
  }

 private:
  Series series_;
  std::shared_ptr<const Sample> sample_;
};

MappingOptions all_profiles() {
  MappingOptions options = with_profiles(true);
  options.profiles.push_back(MetricProfile::kWindowsExporterLegacy);
  return options;
}

// A scrape of the whole page with all profiles: the first one of a new sample, or a later one. The
// server has facts, too.
class PageStep final : public Step {
 public:
  PageStep(Series series, std::shared_ptr<const FactSnapshot> facts, bool is_gzip, bool is_new)
      : series_(std::move(series)),
        is_gzip_(is_gzip),
        is_new_(is_new),
        page_(slot_, registry_, all_profiles(), [] { return kTaken; },
              {.slot = &facts_, .wall_now = [] { return kSampledAt; }}) {
    if (facts != nullptr) facts_.publish(std::move(facts));
    slot_.publish(series_->next());
    scrape();
  }

  void prepare() override {
    if (is_new_) slot_.publish(series_->next());
  }
  std::size_t run() override { return scrape(); }
  std::uint64_t count() const override { return 1; }

 private:
  std::size_t scrape() { return (is_gzip_ ? page_.gzipped() : page_.text()).size(); }

  Series series_;
  bool is_gzip_;
  bool is_new_;
  SampleSlot slot_;
  FactSlot facts_;
  ExporterRegistry registry_{{"1.2.3", "abc", "gcc", "linux", "x86_64"}, Ticks100ns{1}};
  MetricsPage page_;
};

template <class Made, class... Arguments>
std::unique_ptr<Step> made(std::string_view shape, unsigned churn, Arguments... arguments) {
  auto series = series_of(shape, churn);
  return series ? std::make_unique<Made>(std::move(series), arguments...) : nullptr;
}

template <PageFormat kFormat, bool kHasWindowsExporter, unsigned kChurn = 0>
std::unique_ptr<Step> text(std::string_view shape) {
  return made<TextStep>(shape, kChurn, with_profiles(kHasWindowsExporter), kFormat);
}

template <bool kIsGzip, bool kIsNew>
std::unique_ptr<Step> page(std::string_view shape) {
  const auto facts = shape == kServerShape ? server_facts_snapshot() : nullptr;
  return made<PageStep>(shape, 0, facts, kIsGzip, kIsNew);
}

}  // namespace

std::vector<StepRow> answer_steps() {
  using enum PageFormat;
  return {
      {"text", "series", text<kText, false>},
      {"text, 1 % new", "series", text<kText, false, 1>},
      {"text, all new", "series", text<kText, false, 100>},
      {"text, windows_exporter's names", "series", text<kText, true>},
      {"openmetrics", "series", text<kOpenMetrics, false>},
      {"json", "value", [](auto shape) { return made<JsonStep>(shape, 0); }},
      {"gzip", "series", [](auto shape) { return made<GzipStep>(shape, 0); }},
      {"new page", "scrape", page<false, true>},
      {"new page, gzip", "scrape", page<true, true>},
      {"unchanged page", "scrape", page<false, false>},
      {"unchanged page, gzip", "scrape", page<true, false>},
  };
}

}  // namespace winperf::testing
