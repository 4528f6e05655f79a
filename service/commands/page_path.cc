#include "service/commands/page_path.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "collectors/sampling/registry/registry_reader.h"
#include "collectors/wire/text.h"
#include "exporter/counters/own_counters.h"
#include "exporter/http/download.h"
#include "exporter/textfile/textfile_family.h"
#include "service/run/own_numbers.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxBytesOfPage = std::size_t{16} << 20;
constexpr std::chrono::seconds kAnswerPatience{10};  // between two parts of an answer
constexpr std::chrono::seconds kPagePatience{30};    // for the whole of it
// A service that is well publishes a state at least every 5 s.
constexpr std::chrono::seconds kStatePatience{15};
constexpr std::chrono::milliseconds kStatePause{200};

// Of the page, which shows whose page it is: the counter "Uptime" has the same moment.
constexpr char kStartTime[] = "process_start_time_seconds";

const own::CounterRow& row_at(own::ExporterValue value) {
  return own::kExporterRows[own::index_of(value)];
}
const own::CounterRow& state_number_row() { return row_at(own::ExporterValue::kStateNumber); }

// The exporter's own families that the table names.
class OwnPage {
 public:
  // A line of the page; others than samples of these families are ignored.
  void add(std::string_view line) {
    auto parsed = parse_textfile_line(line);
    if (!parsed || parsed->content != LineContent::kSample) return;
    std::string counterset;
    for (auto& [name, value] : parsed->labels) {
      if (name == "machine") return;  // of a recording of several
      if (name == "counterset") counterset = std::move(value);
    }
    Family& family = families_[std::string(parsed->name)];
    family.sum += parsed->value;
    family.by_instance[instance_name(counterset)] += parsed->value;
  }

  // The numbers of all countersets together, or of that with this instance; nothing if the page has
  // none.
  std::optional<double> number(const own::CounterRow& row) const { return number(row.metric); }
  std::optional<double> number(std::string_view metric) const {
    const auto found = families_.find(metric);
    return found == families_.end() ? std::nullopt : std::optional(found->second.sum);
  }
  std::optional<double> number(const own::CounterRow& row, const std::u16string& instance) const {
    const auto found = families_.find(row.metric);
    if (found == families_.end()) return std::nullopt;
    const auto value = found->second.by_instance.find(instance);
    return value == found->second.by_instance.end() ? std::nullopt : std::optional(value->second);
  }

 private:
  struct Family {
    double sum = 0;
    std::map<std::u16string, double> by_instance;
  };
  std::map<std::string, Family, std::less<>> families_;
};

std::set<std::string> metrics_to_read() {
  std::set<std::string> metrics{kStartTime};
  for (const own::ObjectRow* const object : own::kObjects)
    for (const own::CounterRow& row : object->counters)
      if (row.metric != nullptr) metrics.insert(row.metric);
  return metrics;
}

std::string page_failure_text(DownloadFailure failure, const std::string& url) {
  if (failure == DownloadFailure::kBadAddress)
    return url +
           " is not the address of a page; write, for example, http://127.0.0.1:10182/metrics";
  if (failure == DownloadFailure::kNoServer) return "nothing listens at " + url;
  return url + " did not send a page; does an exporter listen there, without TLS?";
}

std::expected<OwnPage, std::string> read_page(const PageAddress& address) {
  const std::string url = address.origin + address.path;
  DownloadRequest request{
      .origin = address.origin, .path = address.path, .patience = kAnswerPatience};
  for (const std::string& metric : metrics_to_read())
    request.parameters.emplace_back("name[]", metric);
  std::string text;
  const auto deadline = std::chrono::steady_clock::now() + kPagePatience;
  const auto answer = download(request, [&](std::string_view bytes) {
    if (bytes.size() > kMaxBytesOfPage - text.size()) return false;
    if (std::chrono::steady_clock::now() > deadline) return false;
    text += bytes;
    return true;
  });
  if (!answer) return std::unexpected(page_failure_text(answer.error(), url));
  constexpr int kOk = 200;
  if (answer->status != kOk)
    return std::unexpected(url + " answers with HTTP status " + std::to_string(answer->status));
  OwnPage page;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    page.add(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return page;
}

// As the counter has it: times of the page are in seconds.
std::uint64_t raw_of(const own::CounterRow& row, double number) {
  constexpr double kMost = 9e18;
  if (row.type == own::OwnType::kQueueLength100ns)
    number *= static_cast<double>(kTicks100nsPerSecond);
  return number > 0 ? static_cast<std::uint64_t>(std::min(number, kMost)) : 0;
}

// Whether the page adds it up over the countersets that are sampled now.
bool begins_anew(const own::CounterRow& row) {
  const std::string_view metric = row.metric;
  return metric == "winperf_exporter_counterset_attempts_total" ||
         metric == "winperf_exporter_counterset_failures_total" ||
         metric == "winperf_exporter_problems_total";
}

bool is_compared(const own::CounterRow& row) {
  return row.metric != nullptr &&
         &row != &own::kExporterRows[own::index_of(own::ExporterValue::kConnections)];
}

std::optional<std::size_t> column_of(const CountersetSample& sample, std::string_view name) {
  for (std::size_t column = 0; column < sample.columns(); ++column)
    if (sample.schema->counters[column].name == name) return column;
  return std::nullopt;
}

// The page's numbers as a sample with the instances of `counters`, and only some of its counters.
std::shared_ptr<const CountersetSample> sample_of(const OwnPage& page, const own::ObjectRow& object,
                                                  const CountersetSample& counters) {
  auto sample = std::make_shared<CountersetSample>();
  auto schema = std::make_shared<CountersetSchema>(*counters.schema);
  schema->counters.clear();
  sample->instances = counters.instances;
  sample->clocks = counters.clocks;
  for (const own::CounterRow& row : object.counters) {
    const auto column = is_compared(row) ? column_of(counters, row.english.name) : std::nullopt;
    if (!column) continue;
    CounterSchema& counter = schema->counters.emplace_back(counters.schema->counters[*column]);
    counter.has_base = false;
    for (std::size_t at = 0; at < counters.rows(); ++at) {
      const auto number = object.has_instances
                              ? page.number(row, to_utf16(counters.instances->instances[at].name))
                              : page.number(row);
      const std::uint64_t raw = number ? raw_of(row, *number) : 0;
      const bool is_behind =
          begins_anew(row) && raw < counters.total_at(counters.cell(at, *column));
      sample->raw.push_back(raw);
      sample->reason.push_back(number && !is_behind ? NoValue::kNone : NoValue::kNotDelivered);
    }
  }
  sample->cooked.resize(sample->raw.size());
  sample->schema = std::move(schema);
  return sample;
}

std::unexpected<ReadFailure> page_failure(ErrorCode code) {
  return std::unexpected(ReadFailure{.error = {.code = code, .where = "the page"}});
}

class PageReader {
 public:
  PageReader(CounterSource& registry, CatalogKeeper& catalog, PageAddress page, ClockSource clocks)
      : registry_(registry),
        catalog_(catalog),
        address_(std::move(page)),
        clocks_(std::move(clocks)) {}

  ReadResult read(const std::string& name, const StopToken& stop) {
    const own::ObjectRow* object = nullptr;
    for (const own::ObjectRow* const known : own::kObjects)
      if (name == known->english.name) object = known;
    if (object == nullptr) return page_failure(ErrorCode::kNotRegistered);
    ReadResult counters = read_counters(name, stop);
    if (!counters) return counters;
    const auto before = published(stop);
    const auto page = read_page(address_);
    if (!page) return page_failure(ErrorCode::kOsError);
    const auto number = page->number(state_number_row());
    const auto started = page->number(kStartTime);
    if (!number || !started || !before) return page_failure(ErrorCode::kNotRunning);
    const std::uint64_t on_page = raw_of(state_number_row(), *number);
    const auto after = newer_state(on_page, stop);
    // Otherwise the page is another exporter's, or it was restarted meanwhile.
    if (!is_start(*started, *before) || !after || !is_start(*started, *after) ||
        on_page < before->number || after->number < on_page)
      return page_failure(ErrorCode::kNoSuchObject);
    counters->sample = sample_of(*page, *object, *counters->sample);
    return counters;
  }

 private:
  ReadResult read_counters(const std::string& name, const StopToken& stop) {
    return RegistryReader({.label = name, .names = {name}}).read(registry_, catalog_, name, stop);
  }

  // What says which state was published, and by whom.
  struct Published {
    std::uint64_t number = 0;
    Ticks100ns started{};
  };

  std::optional<Published> published(const StopToken& stop) {
    const ReadResult counters = read_counters(own::kExporterObject.english.name, stop);
    if (!counters) return std::nullopt;
    const auto number = raw_at(*counters->sample, own::ExporterValue::kStateNumber);
    const auto started = raw_at(*counters->sample, own::ExporterValue::kStarted);
    if (!number || !started) return std::nullopt;
    return Published{.number = *number, .started = Ticks100ns{static_cast<std::int64_t>(*started)}};
  }

  static std::optional<std::uint64_t> raw_at(const CountersetSample& sample,
                                             own::ExporterValue value) {
    const auto column = column_of(sample, row_at(value).english.name);
    if (!column || sample.rows() != 1) return std::nullopt;
    const std::size_t cell = sample.cell(0, *column);
    return has_raw(sample.reason[cell]) ? std::optional(sample.raw[cell]) : std::nullopt;
  }

  // The page has it as a double, which is good for microseconds.
  static bool is_start(double on_page, const Published& state) {
    return std::abs(unix_seconds(state.started) - on_page) < 1e-3;
  }

  // The number of a state that was published after that of the page, or of the last one.
  std::optional<Published> newer_state(std::uint64_t on_page, const StopToken& stop) {
    const SteadyTime deadline = clocks_.steady_now() + kStatePatience;
    auto state = published(stop);
    while (state && state->number <= on_page && clocks_.steady_now() < deadline &&
           !stop.stop_requested()) {
      clocks_.pause_until(clocks_.steady_now() + kStatePause, stop);
      state = published(stop);
    }
    return state;
  }

  CounterSource& registry_;
  CatalogKeeper& catalog_;
  const PageAddress address_;
  const ClockSource clocks_;
};

}  // namespace

std::expected<PageAddress, std::string> parse_page_address(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  if (url.starts_with("https:"))
    return std::unexpected(url + " uses TLS, which this command does not support");
  if (!url.starts_with(kScheme) || url.find_first_of("?#") != std::string::npos)
    return std::unexpected(page_failure_text(DownloadFailure::kBadAddress, url));
  const std::size_t end = std::min(url.find('/', kScheme.size()), url.size());
  if (end == kScheme.size())
    return std::unexpected(page_failure_text(DownloadFailure::kBadAddress, url));
  const std::string path = url.substr(end);
  return PageAddress{.origin = url.substr(0, end),
                     .path = path.empty() || path == "/" ? "/metrics" : path};
}

std::expected<void, std::string> check_page(const PageAddress& page) {
  const auto read = read_page(page);
  if (!read) return std::unexpected(read.error());
  const auto number = read->number(state_number_row());
  if (number && *number > 0) return {};
  return std::unexpected(
      "the exporter at " + page.origin +
      " does not publish its counters for other programs; see own_counters in its "
      "configuration");
}

std::vector<std::string> names_on_page() {
  std::vector<std::string> names;
  for (const own::ObjectRow* const object : own::kObjects) names.emplace_back(object->english.name);
  return names;
}

OtherPath via_page(CounterSource& registry, CatalogKeeper& catalog, PageAddress page,
                   const ClockSource& clocks) {
  const auto reader = std::make_shared<PageReader>(registry, catalog, std::move(page), clocks);
  return {.through = "on the page",
          .read = [reader](const std::string& name,
                           const StopToken& stop) { return reader->read(name, stop); },
          .is_partial = true};
}

}  // namespace winperf
