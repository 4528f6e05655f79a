#include "service/run/reloader.h"

#include <chrono>
#include <utility>

#include "service/console/text_columns.h"

namespace winperf {
namespace {

// As long as Prometheus waits for a scrape.
constexpr std::chrono::seconds kReloadTimeout{10};

}  // namespace

Reloader::Reloader(std::string config_file, FileWatch watch, ReloadGate& gate, Server& server,
                   Logger logger)
    : config_file_(std::move(config_file)),
      watch_(std::move(watch)),
      gate_(gate),
      server_(server),
      logger_(std::move(logger)) {}

void Reloader::reload() {
  gate_.perform(
      [this] {
        watch_.seen();
        return load_and_apply();
      },
      [this](const ReloadOutcome& outcome) { report(outcome); });
  server_.maintain();
}

void Reloader::poll() {
  server_.maintain();
  if (watch_.settled_change() && server_.config().reload.on_change) reload();
}

ReloadOutcome Reloader::load_and_apply() {
  if (config_file_.empty())
    return std::unexpected(
        "there is no configuration file to reload: the program runs without --config");
  auto config = load_config(config_file_);
  if (!config) return std::unexpected(config.error().message);
  return server_.apply(*std::move(config));
}

void Reloader::report(const ReloadOutcome& outcome) {
  server_.registry().count_reload(outcome.has_value(), server_.clocks().wall_now());
  if (!outcome) {
    logger_->write(Event::kReloadFailed, outcome.error());
    return;
  }
  logger_->write(Event::kReloaded, config_file_ + ": " +
                                       counted(server_.config().countersets.size(), "counterset") +
                                       ", listening on " + server_.urls());
}

Response answer_reload(ReloadGate& gate, const std::function<void()>& request) {
  const auto outcome = gate.ask(request, kReloadTimeout);
  if (!outcome) return plain_response(503, "not reloaded yet; the log will have the outcome\n");
  if (!*outcome) return plain_response(500, "not reloaded: " + outcome->error() + '\n');
  return plain_response(200, "reloaded\n");
}

}  // namespace winperf
