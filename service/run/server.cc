#include "service/run/server.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/worker/worker_source.h"
#include "config/collectors.h"
#include "config/log_files.h"
#include "config/quantity.h"
#include "service/console/version.h"
#include "service/plan/plan.h"
#include "service/plan/setup.h"
#include "service/run/counterset_advice.h"
#include "service/run/machine_diagnosis.h"
#include "service/run/recording.h"
#include "service/run/service_reports.h"
#include "service/scm/service_definition.h"

namespace winperf {
namespace {

// Whether the sources can stay open: these are the settings that they were opened with.
bool same_sources(const Config& a, const Config& b) {
  return a.limits == b.limits && a.workers == b.workers && a.language == b.language;
}

// In seconds, unless it is less than one.
std::string approximate(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kSecond{1000};
  return duration_text((time < kSecond ? time : std::chrono::round<std::chrono::seconds>(time)) /
                       std::chrono::milliseconds(1));
}

// This program's names for what windows_exporter's collector reads.
std::expected<CollectorParts, std::string> parts_of(std::string_view collector) {
  auto objects = objects_of(collector);
  if (!objects) return std::unexpected(objects.error());
  return CollectorParts{.countersets = *std::move(objects), .topics = topics_of(collector)};
}

}  // namespace

std::string describe(const EarlyScraper& scraper) {
  return scraper.address + " scrapes every " + approximate(scraper.between) + ", but " +
         scraper.counterset + " is sampled every " + duration_text(scraper.interval.count()) +
         ": rates over two scrapes jump; scrape less often, sample more often, or scrape that "
         "counterset in a separate job";
}

TargetTools target_tools(const worker::WorkerOptions& origin, const ClockSource& clocks,
                         const Logger& logger, std::shared_ptr<SampleNews> news) {
  return {
      .make_worker = std::bind_front(make_remote_worker, origin),
      .connect = [now = origin.now](
                     const std::shared_ptr<worker::Worker>& worker,
                     const std::string& host) { return worker::remote_machine(worker, host, now); },
      .clocks = clocks,
      .logger = logger,
      .news = std::move(news)};
}

BuildInfo build_info() {
  return {.version = kVersion,
          .revision = kRevision,
          .compiler = kCompiler,
          .os = kOperatingSystem,
          .arch = kArchitecture};
}

namespace {

// A service of another name may run beside the one whose counters are registered, and would show
// its numbers as that one's. A program at a console may take its place.
bool has_own_counters(const LogPlace& place) {
  return place.service_name.empty() || ascii_lower(place.service_name) == ascii_lower(kServiceName);
}

}  // namespace

Server::Server(Setup setup, const RunOptions& options, LogPlace log_place, Logger logger,
               std::function<PlainAnswer()> reload, std::function<void()> has_news)
    : options_(options),
      log_place_(std::move(log_place)),
      logger_(std::move(logger)),
      reload_(std::move(reload)),
      reload_allowed_(setup.config->reload.http),
      keeps_owners_(setup.config->recorder.owners),
      config_(setup.config),
      setup_(std::move(setup)),
      has_facts_(!setup_.is_replay),
      started_(options_.clocks.wall_now()),
      registry_(build_info(), started_),
      captures_({.sample = [this] { return slot_.latest(); },
                 .make = std::bind_front(&Server::own_recording, this),
                 .prefix = recording_prefix({.is_this = has_facts_})},
                logger_, options_.clocks, registry_),
      discovery_(
          [this](const SharedConfig& config, const StopToken& stop) {
            return discover(options_.setup, config, options_.clocks, stop);
          },
          !setup_.is_replay, options_.clocks, logger_, registry_, std::move(has_news)),
      targets_(target_tools(options_.setup.origin, options_.clocks, logger_, news_)),
      router_(slot_, registry_, router_options()),
      listeners_(router_),
      own_counters_(
          has_facts_ && has_own_counters(log_place_) ? options_.own_counters : OwnPlatform(), slot_,
          registry_, started_, logger_, std::bind_front(&Server::own_facts, this)) {
  show_config();
}

RouterOptions Server::router_options() {
  return {.build = build_info(),
          .mapping = page_mapping(config_),
          .now = options_.clocks.steady_now,
          .find_collector = [](std::string_view name) { return parts_of(name); },
          .early_scraper =
              [this](const EarlyScraper& who) {
                logger_->write(Event::kScrapedTooOften, describe(who));
              },
          .discovery = [this] { return discovery_.report(); },
          .reload = [this] { return answer_reload_request(); },
          .facts = {.slot = &facts_, .wall_now = options_.clocks.wall_now},
          .targets = &targets_,
          .history = [this] { return recorder_.history(); },
          .recording = std::bind_front(&Server::recording_of, this),
          .doctor = diagnosis(),
          .advise =
              [this](const CountersetState& state) {
                return advice_on(state, *known_config_.latest(), options_.setup.source);
              },
          .service = service_reports(logger_, {.file = options_.setup.config_file,
                                               .settings = [this] { return settings_.latest(); }}),
          .news = news_};
}

std::expected<RecordingFile, api::Problem> Server::recording_of(const MachineView& machine,
                                                                const api::RecordingQuery& query) {
  const auto history = machine.history();
  if (history == nullptr) return std::unexpected(machine.no_history());
  const RecordedMachine whose{.is_this = has_facts_ && machine.host().empty(),
                              .target = machine.host()};
  return make_recording(*history, query, whose, {}, recording_stop_.token());
}

std::expected<RecordingFile, RecordingProblem> Server::own_recording(
    const api::RecordingQuery& query, const StopToken& stop) {
  const auto history = recorder_.history();
  if (history == nullptr)
    return std::unexpected(RecordingProblem{{.detail = "nothing has been recorded yet"}});
  return make_recording(*history, query, {.is_this = has_facts_}, {}, stop);
}

// A recording has none.
std::function<std::expected<std::string, api::Problem>()> Server::diagnosis() {
  if (!has_facts_) return {};
  return [this, question = absolute_question(options_.setup.config_file, options_.overrides)] {
    return diagnose_by_worker(options_.setup.origin, question, diagnosis_stop_.token());
  };
}

void Server::show_config() { known_config_.publish(std::make_shared<const SharedConfig>(config_)); }

MappingOptions Server::page_mapping(const Config& config) const {
  return has_facts_ ? mapping_beside_facts(config) : mapping_options(config);
}

std::expected<void, std::string> Server::start(
    const std::function<bool(const std::string& address)>& pause) {
  if (options_.past) options_.past(config_, recorder_);
  const auto listening =
      listeners_.open_first(config_->listen, config_->limits.max_requests, pause);
  if (!listening) return listening;
  tell_notices();
  router_.change_mapping(page_mapping(config_));
  router_.change_metrics_path(config_->metrics.path);
  change_captures(config_);
  change_own_counters(config_);
  setup_.config = discovery_.change(config_);
  sampling_ = std::make_unique<SamplingThread>(
      std::move(setup_), slot_, logger_,
      [this](const std::string& counterset) { registry_.count_abandoned_match(counterset); },
      options_.clocks, &recorder_,
      SamplingWatcher{
          .sampled = [this] { note_sample(); },
          .counterset_fails =
              [this](const std::string& counterset) { captures_.note_failure(counterset); }});
  if (has_facts_)
    reading_ =
        std::make_unique<FactsThread>(config_, facts_, logger_, options_.clocks,
                                      std::bind_front(isolated_facts, options_.setup.origin));
  targets_.change(config_);
  return {};
}

// On the sampling thread.
void Server::note_sample() {
  owners_.note(keeps_owners_, options_.clocks.steady_now());
  news_->note();
  captures_.note_sample();
  registry_.show_recorder(recorded());  // as the state that is published has it
  own_counters_.publish();
}

std::expected<void, std::string> Server::apply(SharedConfig next) {
  // Steps that can fail come first.
  std::optional<LogLines> lines;
  if (next->log != config_->log) {
    auto opened = open_log_lines(next->log, log_place_);
    if (!opened) return std::unexpected(opened.error());
    lines = *std::move(opened);
  }
  std::optional<Setup> setup;
  if (!same_sources(config_, next)) {
    auto opened = open_sources(options_.setup, next);
    if (!opened) return std::unexpected(opened.error());
    for (const std::string& notice : opened->notices) logger_->write(Event::kSourceNotice, notice);
    setup = *std::move(opened);
  }
  const auto listening = listeners_.change(next->listen, next->limits.max_requests);
  if (!listening) return listening;

  if (lines) logger_->change(*std::move(lines));
  tell_notices();
  SharedConfig concrete = discovery_.change(next);
  if (setup) {
    setup->config = std::move(concrete);
    sampling_->change(*std::move(setup));
  } else {
    sampling_->change(concrete);
  }
  if (reading_) reading_->change(next);
  targets_.change(next);
  change_captures(next);
  change_own_counters(next);
  router_.change_mapping(page_mapping(next));
  router_.change_metrics_path(next->metrics.path);
  reload_allowed_ = next->reload.http;
  keeps_owners_ = next->recorder.owners;
  config_ = std::move(next);
  show_config();
  router_.forget_diagnosis();
  return {};
}

void Server::change_captures(const Config& config) {
  const CapturesConfig& captures = config.recorder.captures;
  captures_.change(captures, captures_folder_of(captures, path_of(options_.setup.config_file)));
}

void Server::show_settings(Settings settings) {
  settings_.publish(std::make_shared<const Settings>(std::move(settings)));
}

// For addresses whose protection has changed.
void Server::tell_notices() {
  for (const ListenConfig& where : listeners_.newly_protected()) {
    certificates_.forget(authority_of(where.address, where.port));
    for (const std::string& notice : protection_notices(
             where.web, where.web_file.empty() ? options_.setup.config_file : where.web_file))
      logger_->write(Event::kSourceNotice, authority_of(where.address, where.port) + ": " + notice);
  }
  tell_of_certificates();
}

void Server::tell_of_certificates() {
  const std::chrono::sys_seconds now(
      std::chrono::seconds(static_cast<std::int64_t>(unix_seconds(options_.clocks.wall_now()))));
  for (const AddressNotices& one :
       certificates_.due(listeners_.certificate_notices(now), options_.clocks.steady_now()))
    for (const std::string& notice : one.notices)
      logger_->write(Event::kCertificate, one.address, notice);
}

void Server::maintain() {
  if (listeners_.maintain()) logger_->write(Event::kListensAgain, "listening on " + urls());
  if (const auto concrete = discovery_.take_update()) sampling_->change(*concrete);
  if (const auto sample = slot_.latest()) discovery_.note_registrations(sample->registrations);
  targets_.maintain();
  tell_of_certificates();
  const LogHealth log = logger_->health();
  registry_.show_log(log.is_written, log.lost);
  registry_.show_recorder(recorded());
  own_counters_.publish();
}

std::optional<ExporterRegistry::Recorded> Server::recorded() const {
  const auto history = recorder_.history();
  if (history == nullptr) return std::nullopt;
  return ExporterRegistry::Recorded{.bytes = history->memory + targets_.recorded_bytes(),
                                    .reach = history->reach()};
}

// On the sampling thread or the main one.
OwnFacts Server::own_facts() const {
  std::uint64_t restarts = targets_.worker_restarts();
  const auto count = [&](const std::vector<WorkerState>& workers) {
    for (const WorkerState& worker : workers) restarts += lost_processes(worker);
  };
  if (const auto sample = slot_.latest()) count(sample->workers);
  if (const auto facts = facts_.latest()) count(facts->workers);
  return {.now = options_.clocks.now(),
          .exporter = registry_.numbers(),
          .process = process_facts(),
          .worker_restarts = restarts,
          .recorded = recorded(),
          .recorder_budget = recorder_budget_};
}

void Server::change_own_counters(const Config& config) {
  recorder_budget_ = recorder_budget(config);
  own_counters_.change(config.own_counters);
}

bool Server::is_sampling() const { return !sampling_->ended_by(std::chrono::steady_clock::now()); }

bool Server::is_stuck() const {
  // Generous: a round may wait for the queries of many countersets, one after the other.
  constexpr std::chrono::minutes kLongest{5};
  constexpr int kQueries = 30;
  return sampling_->is_stuck(
      std::max<std::chrono::milliseconds>(kLongest, kQueries * config_->limits.query_timeout));
}

std::string Server::stop(std::chrono::steady_clock::time_point deadline) {
  recording_stop_.request_stop();
  diagnosis_stop_.request_stop();
  captures_.request_stop();
  sampling_->request_stop();
  if (reading_) reading_->request_stop();
  discovery_.request_stop();
  targets_.request_stop();
  listeners_.stop();
  std::string late;
  const auto note = [&](bool has_ended, std::string_view what) {
    if (!has_ended) late.append(late.empty() ? "" : ", ").append(what);
  };
  // The first to be waited for, because it gives up before the deadline.
  const bool are_captures_written = captures_.end_by(deadline);
  note(sampling_->ended_by(deadline), "the sampling of counters");
  note(discovery_.ended_by(deadline), "discovery");
  if (reading_) note(reading_->ended_by(deadline), "the reading of " + reading_->subject());
  note(targets_.ended_by(deadline), "the sampling of targets");
  note(are_captures_written, "the writing of a capture");
  own_counters_.close();
  return late;
}

PlainAnswer Server::answer_reload_request() {
  if (reload_allowed_) return reload_();
  return {403,
          "reloading over HTTP is not enabled; set reload.http to true in the configuration\n"};
}

}  // namespace winperf
