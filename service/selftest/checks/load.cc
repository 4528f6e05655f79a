// What a server of the default configuration costs over a while, with two scrapers, beside what
// Windows' typeperf costs for the same counters.
#include <algorithm>
#include <map>
#include <span>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/load.h"
#include "service/selftest/machine_names.h"
#include "service/selftest/metrics_page.h"
#include "service/selftest/page_client.h"
#include "service/selftest/running_server.h"
#include "service/selftest/steps.h"

namespace winperf::selftest {
namespace {

using LoadJson = nlohmann::json;

constexpr std::chrono::milliseconds kLoadPatience{60'000};
constexpr std::chrono::minutes kNamesDeadline{2};
constexpr int kLoadServed = 200;

std::string load_config() {
  return "interval: " + std::to_string(kLoadInterval.count()) + "s\n" + kCheckSettings;
}

// A document of the server; null if it isn't there.
LoadJson load_document(const RunningServer& server, const std::string& path) {
  const auto answer = ask_page({.origin = server.origin(), .path = path});
  if (!answer || answer->status != kLoadServed) return {};
  LoadJson json = LoadJson::parse(answer->body, nullptr, false);
  return json.is_object() ? json : LoadJson();
}

// The members of a list in a document, as far as they are objects.
std::vector<LoadJson> entries_of(const LoadJson& document, const char* list) {
  std::vector<LoadJson> entries;
  if (!document.is_object() || !document.contains(list) || !document[list].is_array())
    return entries;
  for (const LoadJson& entry : document[list])
    if (entry.is_object()) entries.push_back(entry);
  return entries;
}

// What typeperf takes: names in the machine's language. Without a list, those that there are.
std::map<std::string, std::string> typeperf_names(const CheckRun& run) {
  const auto english = ask_program(run, {"list", "--format", "json"}, kNamesDeadline);
  const auto local =
      ask_program(run, {"list", "--machine-language", "--format", "json"}, kNamesDeadline);
  if (!english || !local) return {};
  return machine_names(english->document, local->document);
}

// The counters of all countersets that the server samples, for typeperf.
std::string perfmon_paths(const CheckRun& run, const RunningServer& server) {
  const auto names = typeperf_names(run);
  std::string paths;
  for (const LoadJson& entry :
       entries_of(load_document(server, "/api/v1/countersets"), "countersets")) {
    const std::string object = text_of(entry, "object");
    if (object.empty()) continue;
    const auto name = names.find(object);
    const bool has_instances = entry.contains("instances") && entry["instances"].is_number();
    paths += '\\' + (name == names.end() ? object : name->second) + (has_instances ? "(*)" : "") +
             "\\*\r\n";
  }
  return paths;
}

class LoadMeasurement {
 public:
  LoadMeasurement(Steps& steps, const RunningServer& server)
      : steps_(steps), server_(server), began_(std::chrono::steady_clock::now()) {}

  // typeperf, for as many samples; without it where there is none.
  void start_typeperf(std::size_t samples) {
    const std::filesystem::path program = system_program("typeperf.exe");
    std::error_code failed;
    if (program.empty() || !std::filesystem::is_regular_file(program, failed)) {
      steps_.data()["typeperf"] = "there is no typeperf.exe";
      return;
    }
    const std::filesystem::path folder = steps_.run().folder;
    const std::string paths = perfmon_paths(steps_.run(), server_);
    if (!write_whole_file(folder / "typeperf.txt", std::as_bytes(std::span(paths)))) return;
    auto started = start_program(
        {.program = program,
         .words = {"-cf", path_text(folder / "typeperf.txt"), "-si",
                   std::to_string(kLoadInterval.count()), "-sc", std::to_string(samples + 2), "-f",
                   "CSV", "-o", path_text(folder / "typeperf.csv"), "-y"},
         .folder = folder});
    if (started) typeperf_ = *std::move(started);
  }

  // Two scrapers, and a sample of every process.
  void measure() {
    scrape({});
    const auto page = scrape({{"Accept-Encoding", "gzip"}});
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    std::map<std::uint32_t, std::string> names;
    for (const LoadJson& worker : entries_of(load_document(server_, "/api/v1/workers"), "workers"))
      if (worker.contains("process_id") && worker["process_id"].is_number_unsigned() &&
          worker.contains("worker") && worker["worker"].is_string())
        names[worker["process_id"].get<std::uint32_t>()] = worker["worker"].get<std::string>();
    const std::uint32_t id = server_.program().id();
    for (const ProcessFacts& process : list_processes()) {
      if (process.id == id)
        add("the server", {.seconds = seconds, .process = process},
            page.value("winperf_exporter_recorder_bytes").value_or(0));
      else if (process.parent == id)
        add("the worker " +
                (names.contains(process.id) ? names[process.id] : std::to_string(process.id)),
            {.seconds = seconds, .process = process}, std::nullopt);
      else if (typeperf_ && process.id == typeperf_->id())
        typeperf_series_.samples.push_back({.seconds = seconds, .process = process});
    }
    note_end_of_typeperf();
    restarts_ = page.sum("winperf_exporter_worker_restarts_total").value_or(0);
  }

  void finish() {
    for (const auto& series : series_) {
      steps_.data()["processes"].push_back(load_json(series));
      for (Finding& finding : growth_of(series))
        steps_.report().findings.push_back(std::move(finding));
    }
    steps_.data()["growth"] = growth_json(series_);
    steps_.expect(restarts_ == 0, "workers of the server were replaced", "none",
                  std::to_string(restarts_));
    if (!typeperf_series_.samples.empty()) steps_.data()["typeperf"] = load_json(typeperf_series_);
    if (!typeperf_end_.empty()) steps_.data()["typeperf_ended"] = typeperf_end_;
  }
  std::string text() const {
    std::string text = load_text(series_);
    if (const std::string why = why_no_growth(series_); !why.empty()) text += "; " + why;
    if (!typeperf_end_.empty()) return text + "; typeperf ended early with " + typeperf_end_;
    if (typeperf_series_.samples.size() > 1)
      text += "; typeperf for the same counters: " + load_text({typeperf_series_});
    return text;
  }
  bool has_scraped() const { return is_well_; }

 private:
  // It takes more samples than this measurement, so that it has no reason to end.
  void note_end_of_typeperf() {
    if (!typeperf_ || !typeperf_end_.empty()) return;
    const auto code = typeperf_->wait_until(std::chrono::steady_clock::now(), {});
    if (code)
      typeperf_end_ = early_end_text(
          {.exit_code = code, .output = typeperf_->output(), .errors = typeperf_->errors()});
  }
  MetricsPage scrape(std::vector<std::pair<std::string, std::string>> fields) {
    const auto answer = ask_page({.origin = server_.origin(), .fields = std::move(fields)});
    const bool is_good = answer && answer->status == kLoadServed;
    if (!is_good && std::exchange(is_well_, false))
      steps_.fail("a scrape failed during the load", answer ? describe(*answer) : answer.error());
    if (!is_good) return {"", false};
    if (answer->encoding != "gzip") return {answer->body, false};
    return {decompressed(answer->body).value_or(""), false};
  }
  void add(const std::string& name, const LoadSample& sample, std::optional<double> recorder) {
    const auto known = std::ranges::find(series_, name, &LoadSeries::process);
    LoadSeries& series =
        known != series_.end() ? *known : series_.emplace_back(LoadSeries{.process = name});
    // Another process of the same worker, which begins anew.
    if (!series.samples.empty() && series.samples.back().process.id != sample.process.id)
      series.samples.clear();
    series.samples.push_back(sample);
    if (recorder) series.known.push_back(static_cast<std::uint64_t>(*recorder));
  }

  Steps& steps_;
  const RunningServer& server_;
  const std::chrono::steady_clock::time_point began_;
  std::vector<LoadSeries> series_;
  std::unique_ptr<Program> typeperf_;
  LoadSeries typeperf_series_{.process = "typeperf"};
  std::string typeperf_end_;  // empty: it runs, or there is none
  double restarts_ = 0;
  bool is_well_ = true;
};

CheckReport check_load(CheckRun& run) {
  Steps steps(run);
  const std::filesystem::path file = run.folder / "load.yaml";
  const std::string config = load_config();
  if (!write_whole_file(file, std::as_bytes(std::span(config))))
    return report_of(Verdict::kBroken, "a file of the check could not be written");
  const auto server = RunningServer::start(
      {.program = run.program, .folder = run.folder, .config = file}, run.stop);
  if (!server) return report_of(Verdict::kBroken, "the server does not start: " + server.error());
  if (const auto ready = server->await_ready(kLoadPatience, run.stop); !ready)
    return report_of(Verdict::kBroken, ready.error());
  LoadMeasurement measurement(steps, *server);
  const auto samples = static_cast<std::size_t>(run.settings.load_time / kLoadInterval);
  measurement.start_typeperf(samples);
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i <= samples && !steps.is_stopped(); ++i) {
    steps.begin("sample " + std::to_string(i) + " of " + std::to_string(samples));
    pause_until(began + i * kLoadInterval, run.stop);
    measurement.measure();
  }
  steps.data()["interval_seconds"] = kLoadInterval.count();
  measurement.finish();
  (void)server->end(kLoadPatience);  // how it ends is judged by the check of the server
  CheckReport report = steps.end("a server under load");
  if (report.verdict != Verdict::kBroken) report.summary = measurement.text();
  return report;
}

}  // namespace

SelfCheck load_check() {
  return {.id = "load",
          .title = "Server load",
          .does =
              "measures processor time, memory, handles, threads and wake-ups of a server with "
              "the default countersets and two scrapers for some minutes, and compares them with "
              "typeperf's",
          .takes = std::chrono::seconds(20),
          .takes_load_time = true,
          .run = check_load};
}

}  // namespace winperf::selftest
