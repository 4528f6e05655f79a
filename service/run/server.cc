#include "service/run/server.h"

#include <utility>

#include "collectors/sources/clock_source.h"
#include "service/console/version.h"
#include "service/run/plan.h"
#include "service/run/start_diagnosis.h"

namespace winperf {
namespace {

HttpServerOptions server_options(const ListenConfig& where) { return {where.address, where.port}; }

// How long a retired server may take to finish its answers: as long as Prometheus waits for them,
// but less if the new one needs the same port.
constexpr std::chrono::seconds kRetireTimeout{10};
constexpr std::chrono::milliseconds kCloseTimeout{1000};

// Whether the sources can stay open: these are the settings that they were opened with.
bool same_sources(const Config& a, const Config& b) {
  return a.limits == b.limits && a.language == b.language;
}

}  // namespace

BuildInfo build_info() {
  return {.version = kVersion,
          .revision = kRevision,
          .compiler = kCompiler,
          .os = kOperatingSystem,
          .arch = kArchitecture};
}

Server::Server(Setup setup, const RunOptions& options, LogPlace log_place, Logger logger,
               std::function<Response()> reload)
    : options_(options),
      log_place_(std::move(log_place)),
      logger_(std::move(logger)),
      reload_(std::move(reload)),
      reload_allowed_(setup.config.reload.http),
      config_(setup.config),
      setup_(std::move(setup)),
      registry_(build_info(), system_clocks().wall_now()),
      router_(slot_, registry_,
              {.build = build_info(),
               .mapping = mapping_options(config_.metrics),
               .now = system_clocks().wall_now,
               .reload = [this] { return answer_reload_request(); }}) {}

std::expected<void, std::string> Server::start() {
  const auto where = listen_of(config_);
  if (!where) return std::unexpected(where.error());
  auto server = listen(*where);
  if (!server) return std::unexpected(server.error());
  server_ = *std::move(server);
  sampling_ = std::make_unique<SamplingThread>(
      std::move(setup_), slot_, logger_,
      [this](const std::string& counterset) { registry_.count_abandoned_match(counterset); });
  return {};
}

std::expected<void, std::string> Server::apply(Config next) {
  const auto where = listen_of(next);
  if (!where) return std::unexpected(where.error());
  // Everything that can fail comes first.
  std::optional<LogLines> lines;
  if (next.log != config_.log) {
    auto opened = open_log_lines(next.log, log_place_);
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
  if (lost_ || *where != *listen_of(config_)) {
    auto server = listen_instead(*where);
    if (!server) return std::unexpected(server.error());
    replace_server(*std::move(server));
  }

  if (lines) logger_->change(*std::move(lines));
  if (setup) {
    sampling_->change(*std::move(setup));
  } else {
    sampling_->change(next);
  }
  router_.change_mapping(mapping_options(next.metrics));
  reload_allowed_ = next.reload.http;
  config_ = std::move(next);
  return {};
}

void Server::maintain() {
  if (lost_ && listen_again()) logger_->write(Event::kListensAgain, "listening on " + url());
  if (retired_ == nullptr) return;
  if (retired_->is_idle() || std::chrono::steady_clock::now() >= retired_by_) retired_.reset();
}

bool Server::is_sampling() const { return !sampling_->ended_by(std::chrono::steady_clock::now()); }

bool Server::stop(std::chrono::steady_clock::time_point deadline) {
  sampling_->request_stop();
  server_->stop();
  retired_.reset();
  return sampling_->ended_by(deadline);
}

std::expected<std::unique_ptr<HttpServer>, std::string> Server::listen(const ListenConfig& where) {
  auto server = std::make_unique<HttpServer>(router_, server_options(where));
  if (const auto started = server->start(); !started) return std::unexpected(started.error());
  return server;
}

std::expected<std::unique_ptr<HttpServer>, std::string> Server::listen_instead(
    const ListenConfig& where) {
  auto server = listen(where);
  if (server || where.port != server_->port()) return server;
  // If the address is unavailable whatever the port, the old listener stays.
  if (!listen({.address = where.address, .port = 0})) return server;
  lost_ = *listen_of(config_);
  lost_->port = where.port;
  server_->close(kCloseTimeout);
  server = listen(where);
  if (server) return server;
  if (const auto again = listen_again(); !again)
    return std::unexpected(server.error() + "; the previous address is lost, too, and is retried " +
                           "every second: " + again.error());
  return server;
}

std::expected<void, std::string> Server::listen_again() {
  auto server = listen(*lost_);
  if (!server) return std::unexpected(server.error());
  replace_server(*std::move(server));
  return {};
}

void Server::replace_server(std::unique_ptr<HttpServer> server) {
  retired_ = std::exchange(server_, std::move(server));
  retired_->retire(kCloseTimeout);  // it still finishes its answers
  retired_by_ = std::chrono::steady_clock::now() + kRetireTimeout;
  lost_.reset();
}

std::expected<ListenConfig, std::string> Server::listen_of(const Config& config) const {
  if (options_.listen.empty()) return config.listen.front();
  return parse_listen(options_.listen, config.listen.front());
}

Response Server::answer_reload_request() {
  if (reload_allowed_) return reload_();
  return plain_response(403,
                        "reloading over HTTP is not enabled; set reload.http in the "
                        "configuration\n");
}

}  // namespace winperf
