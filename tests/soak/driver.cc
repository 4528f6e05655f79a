#include "tests/soak/driver.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <future>
#include <iomanip>
#include <iostream>
#include <stdexcept>

#include "collectors/worker/worker_process.h"
#include "tests/soak/timed_process.h"

namespace winperf::soak {
namespace {

constexpr std::chrono::hours kSleep{8};
constexpr int kAnnouncedFor = 2;  // samples: what was announced shows with one of them
constexpr int kRest = 3;          // rounds before a measurement
constexpr int kFlood = 50;
constexpr std::uint64_t kRequestsPerConnection = 1000;
// What the allocator may keep. A leak of 60 bytes a sample is more than that in a month.
constexpr double kMemoryBoundMib = 2;
constexpr std::uint64_t kSamplesOfStart = 150;  // lists that are bounded have filled by then
constexpr std::uintmax_t kLogBytes = 64 * 1024;
constexpr std::uintmax_t kLogFiles = 3;  // full ones

// The parts of the time at which the server is measured.
constexpr double kMarks[] = {0.1, 0.5, 1};

[[noreturn]] void complain(const std::string& what) { throw std::runtime_error(what); }

// What differs from one configuration to the next; the honest countersets are always there, and may
// be read through the registry.
constexpr const char* kVariants[] = {
    "countersets: [Clockwork, Waves, Visitors, Callers, Restarter, Faulty Device, Guest]\n",
    "countersets: [Clockwork, {name: Waves, interval: 90s}, Visitors, Callers, Restarter, "
    "Faulty Device]\n",
    "countersets: [Guest, Faulty Device, Restarter, Callers, "
    "{name: Visitors, instances: {exclude: ['.*7']}}, Waves, Clockwork]\n",
    "metrics: {total_instances: true}\n"
    "countersets: [Clockwork, Waves, Visitors, {name: Callers, path: registry}, Restarter, "
    "{name: Faulty Device, interval: 2m}, {name: Guest, path: perflib}]\n",
};

}  // namespace

Driver::Driver(const SoakOptions& options, Board& board, const testing::TempFolder& folder)
    : options_(options),
      board_(board),
      folder_(folder),
      timeline_(board),
      weather_(board, timeline_, options.seed) {
  start();
}

Driver::~Driver() {
  clients_.reset();
  gate_.close();
  // The sources go with the server, and with them their workers.
  static_cast<void>(server_->stop(std::chrono::steady_clock::now() + std::chrono::minutes(1)));
}

void Driver::start() {
  write_config();
  const std::string file = config_file().string();
  worker::WorkerOptions origin{.executable = worker::own_executable()};
  origin.start = [this](const worker::WorkerCommand& command) {
    return start_timed(command, timeline_, board_);
  };
  origin.now = [this] { return timeline_.now(); };
  RunOptions options{.setup = {.config_file = file,
                               .source = {},
                               .is_patient = false,
                               .origin = std::move(origin)},
                     .overrides = {},
                     .clocks = timeline_.clocks()};
  WatchedFiles files(file);
  auto setup = open_setup(options.setup);
  if (!setup) complain(setup.error().message);
  const LogPlace place{.config_file = file};
  auto lines = open_log_lines(setup->config->log, place);
  if (!lines) complain(lines.error());
  logger_ =
      std::make_shared<Log>(*std::move(lines), std::make_unique<CountedEvents>(timeline_, events_),
                            [this] { return timeline_.now(); });
  server_.emplace(*std::move(setup), options, place, logger_,
                  [this] { return answer_reload(gate_, [this] { reload_requests_.release(); }); });
  if (const auto started = server_->start(); !started) complain(started.error());
  reloader_.emplace(std::move(files), gate_, *server_, logger_);
  clients_.emplace(port());
  timeline_.wait_until_idle();
}

int Driver::port() const {
  const std::string url = server_->urls();
  return std::stoi(url.substr(url.rfind(':') + 1));
}

void Driver::run() {
  const double seconds = options_.days * 86'400;
  int tenth = 0;
  while (timeline_.elapsed().count() < seconds) {
    round();
    const double part = timeline_.elapsed().count() / seconds;
    if (marks_.size() < std::size(kMarks) && part >= kMarks[marks_.size()]) measure_at(part);
    if (part * 10 < tenth + 1) continue;
    tenth = static_cast<int>(part * 10);
    std::cerr << std::fixed << std::setprecision(1) << timeline_.elapsed().count() / 86'400
              << " days, " << pages_.samples() << " samples, " << measure().resident_mib
              << " MiB\n";
  }
  compare();
}

void Driver::round() {
  ++rounds_;
  check_page();
  check_log();
  const Errands errands = weather_.pass();
  if (board_.provider != Trouble::kNone) provider_troubled_ = pages_.samples() + 1;
  if (board_.perflib != Trouble::kNone) perflib_troubled_ = pages_.samples() + 1;
  perform(errands);
  // As the main thread does between two events.
  reloader_->poll();
  logger_->report_suppressed();
  if (!server_->is_sampling()) complain("the sampling thread has ended");
  const auto due = timeline_.wait_until_idle();
  clients_->go();
  timeline_.advance_to(errands.sleep ? due + kSleep : due);
  timeline_.wait_until_idle();
}

Answer Driver::scrape() {
  if (!connection_ || scrapes_ % kRequestsPerConnection == 0) connection_.emplace(port());
  ++scrapes_;
  Answer answer = connection_->ask("GET", "/metrics");
  if (answer.status != 200) complain("a scrape got " + std::to_string(answer.status));
  return answer;
}

void Driver::check_page() {
  if (const auto wrong = clients_ ? clients_->wrong() : std::nullopt) complain(*wrong);
  const std::string page = scrape().body;
  try {
    pages_.see(page, announced_,
               {.provider = pages_.samples() - std::min(pages_.samples(), provider_troubled_),
                .perflib = pages_.samples() - std::min(pages_.samples(), perflib_troubled_)});
  } catch (const std::exception&) {
    std::cerr << page;
    throw;
  }
  if (pages_.samples() >= announced_until_) announced_ = {};
}

void Driver::check_log() {
  if (events_.too_many) complain("a kind of message was logged too often in a minute");
  if (rounds_ % 60 != 0) return;
  const FolderSize size = size_of(log_folder());
  most_log_bytes_ = std::max(most_log_bytes_, size.bytes);
  if (size.files > kLogFiles + 1 || size.bytes > kLogBytes * (kLogFiles + 1))
    complain("the log has " + std::to_string(size.files) + " files of " +
             std::to_string(size.bytes) + " bytes");
}

void Driver::perform(const Errands& errands) {
  const bool reloads = errands.reload || errands.reload_sources;
  if (errands.reload_invalid || errands.reload_flood) {
    write_config("intervall: 1s\n");
    for (int i = 0; i < (errands.reload_flood ? kFlood : 1); ++i) reload(500);
  }
  if (errands.reload) ++variant_;
  if (errands.reload_sources) ++sources_;
  if (reloads) {
    write_config();
    reload(200);
  }
  if (!errands.restart && !errands.sleep && !reloads) return;
  announced_.restart |= errands.restart;
  announced_.gap |= errands.sleep;
  announced_.selection |= errands.reload;
  announced_.all |= errands.reload_sources;
  announced_until_ = pages_.samples() + kAnnouncedFor;
}

void Driver::write_config(const std::string& extra) const {
  std::ofstream(config_file()) << "listen: {address: 127.0.0.1, port: 0}\n"
                               << "log: {file: log/soak.log, max_bytes: 64KiB, max_files: "
                               << kLogFiles << ", format: " << (variant_ % 2 == 0 ? "text" : "json")
                               << "}\n"
                               << "limits: {max_reply_bytes: " << (sources_ % 2 == 0 ? 16 : 24)
                               << "MiB}\nworkers: {max_handles: 1000, max_threads: 300}\n"
                               << "reload: {http: true}\ninterval: 60s\n"
                               << kVariants[variant_ % std::size(kVariants)] << extra;
}

void Driver::reload(int expected_status) {
  auto answer = std::async(std::launch::async, [port = port()] {
    return HttpConnection(port).ask("POST", "/-/reload");
  });
  reload_requests_.acquire();
  reloader_->reload();
  const Answer answered = answer.get();
  ++reloads_;
  if (answered.status != expected_status)
    complain("a reload got " + std::to_string(answered.status) + ": " + answered.body);
  timeline_.wait_until_idle();
}

std::optional<double> Driver::own_metric(const std::string& name) {
  const std::string line = '\n' + name + ' ';
  const std::string body = scrape().body;
  const std::size_t place = body.find(line);
  if (place == std::string::npos) return std::nullopt;
  return std::stod(body.substr(place + line.size()));
}

void Driver::wait_for_connections(double count) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (own_metric("winperf_exporter_http_connections") != count)
    if (std::chrono::steady_clock::now() > deadline) complain("connections stay open");
}

void Driver::measure_at(double part) {
  const double busy_mib = measure().resident_mib;
  scrapes_ += clients_->scrapes();
  if (const auto wrong = clients_->wrong()) complain(*wrong);
  clients_.reset();
  weather_.clear();
  // New sources have no workers but the two that they need.
  variant_ = 0;
  perform({.reload = false, .reload_sources = true});
  for (int i = 0; i < kRest; ++i) {
    timeline_.advance_to(timeline_.wait_until_idle());
    timeline_.wait_until_idle();
    check_page();
  }
  connection_.reset();
  wait_for_connections(1);
  Measures measures = measure();
  measures.threads -= timeline_.others();
  const auto recorder = own_metric("winperf_exporter_recorder_bytes");
  if (!recorder) complain("the recorder doesn't say what it takes");
  marks_.push_back({.part = part,
                    .measures = measures,
                    .busy_mib = busy_mib,
                    .recorder_mib = *recorder / (1024 * 1024),
                    .samples = pages_.samples()});
  clients_.emplace(port());
}

void Driver::compare() const {
  const Measures& first = marks_.front().measures;
  for (const Mark& mark : marks_) {
    if (mark.measures.descriptors != first.descriptors) complain("descriptors are not flat");
    if (mark.measures.threads != first.threads) complain("threads are not flat");
    if (mark.measures.children != first.children) complain("processes are not flat");
  }
  if (!options_.compare_memory) return;
  const Mark& start = *std::ranges::find_if(marks_, [&](const Mark& mark) {
    return mark.samples >= kSamplesOfStart || &mark == &marks_.back();
  });
  const Mark& end = marks_.back();
  if (&start == &end) std::cout << "MEMORY WAS NOT COMPARED: there were too few samples\n";
  // Which grows up to its budget.
  const double remembered = end.recorder_mib - start.recorder_mib;
  const double grown = end.measures.resident_mib - start.measures.resident_mib - remembered;
  const double grown_busy = end.busy_mib - start.busy_mib - remembered;
  if (std::max(grown, grown_busy) > kMemoryBoundMib) complain("memory is not flat");
}

void Driver::report() const {
  const auto row = [](const std::string& name, const auto& value) {
    std::cout << "| " << name << " | " << value << " |\n";
  };
  std::cout << std::fixed << std::setprecision(1) << "| what | how much |\n|---|---|\n";
  row("simulated days", timeline_.elapsed().count() / 86'400);
  row("samples", pages_.samples());
  row("queries of countersets", pages_.attempts());
  row("scrapes", scrapes_ + (clients_ ? clients_->scrapes() : 0));
  row("reloads", reloads_);
  for (const auto& [kind, count] : weather_.counts()) row(kind, count);
  for (const auto& [reason, count] : pages_.restarts()) row("workers replaced: " + reason, count);
  row("pages with Waves from the registry", pages_.fallbacks());
  row("largest worker, MiB", pages_.most_worker_memory() / (1024 * 1024));
  row("largest log, bytes", most_log_bytes_);
  row("messages, and reports of suppressed ones",
      std::to_string(events_.all) + ", " + std::to_string(events_.suppressed));
  std::cout << "\n| after | memory, busy, MiB | at rest, MiB | of it the recorder | descriptors | "
               "threads "
               "| processes |\n|---|---|---|---|---|---|---|\n";
  for (const Mark& mark : marks_)
    std::cout << "| " << std::lround(mark.part * 100) << " % | " << mark.busy_mib << " | "
              << mark.measures.resident_mib << " | " << mark.recorder_mib << " | "
              << mark.measures.descriptors << " | " << mark.measures.threads << " | "
              << mark.measures.children << " |\n";
}

}  // namespace winperf::soak
