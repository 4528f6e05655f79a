#include "service/selftest/running_server.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/base/decimal.h"
#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "service/selftest/page_client.h"

namespace winperf::selftest {
namespace {

using ServerTime = std::chrono::steady_clock::time_point;

constexpr std::chrono::milliseconds kServerPause{50};
constexpr std::size_t kShownOfServer = 500;
constexpr int kStatusOk = 200;

// Of a line such as "winperf_exporter listens on http://127.0.0.1:4711/"; empty if it names none.
std::string origin_in(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '/')) line.remove_suffix(1);
  const std::size_t at = line.rfind("http");
  if (at == std::string_view::npos) return {};
  const std::string_view origin = line.substr(at);
  return origin.find("://") == std::string_view::npos ? std::string() : std::string(origin);
}

std::optional<std::uint16_t> port_in(std::string_view origin) {
  return whole_decimal<std::uint16_t>(origin.substr(origin.rfind(':') + 1));
}

std::string words_of(const Program& program) {
  std::string text = program.errors();
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.size() > kShownOfServer) text.erase(0, text.size() - kShownOfServer);
  return printable(text);
}

std::unexpected<std::string> no_server(const Program& program, const std::string& what) {
  const std::string words = words_of(program);
  return std::unexpected(what + (words.empty() ? "" : ": " + words));
}

// Its first line; the error says why there is none.
std::expected<std::string, std::string> first_line(Program& program, ServerTime until,
                                                   const StopToken& stop) {
  while (true) {
    const auto end = program.wait_until(std::chrono::steady_clock::now() + kServerPause, stop);
    const std::string output = program.output();
    if (const std::size_t at = output.find('\n'); at != std::string::npos)
      return output.substr(0, at);
    if (end)
      return no_server(program, "the server ended with exit code " + std::to_string(*end) +
                                    " before it said where it listens");
    if (stop.stop_requested()) return std::unexpected("the selftest was stopped");
    if (std::chrono::steady_clock::now() >= until)
      return no_server(program, "the server did not say in time where it listens");
  }
}

}  // namespace

std::expected<RunningServer, std::string> RunningServer::start(const ServerStart& start,
                                                               const StopToken& stop) {
  ProgramCall call{.program = start.program, .words = {"run"}, .folder = start.folder};
  if (!start.config.empty())
    call.words.insert(call.words.end(), {"--config", path_text(start.config)});
  if (!start.listen.empty()) call.words.insert(call.words.end(), {"--listen", start.listen});
  call.words.insert(call.words.end(), start.words.begin(), start.words.end());
  const ServerTime until = std::chrono::steady_clock::now() + start.patience;
  auto program = start_program(call);
  if (!program) return std::unexpected(std::move(program.error()));
  const auto line = first_line(**program, until, stop);
  if (!line) return std::unexpected(line.error());
  const std::string origin = origin_in(*line);
  const auto port = port_in(origin);
  if (origin.empty() || !port)
    return no_server(**program, "the server's first line has no address: " + printable(*line));
  return of(*std::move(program), origin, *port);
}

RunningServer RunningServer::of(std::unique_ptr<Program> program, std::string origin,
                                std::uint16_t port) {
  RunningServer server;
  server.program_ = std::move(program);
  server.origin_ = std::move(origin);
  server.port_ = port;
  return server;
}

std::expected<void, std::string> RunningServer::await_ready(std::chrono::milliseconds patience,
                                                            const StopToken& stop) const {
  const ServerTime until = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto answer = ask_page({.origin = origin_, .path = "/-/ready"});
    if (answer && answer->status == kStatusOk) return {};
    if (stop.stop_requested()) return std::unexpected("the selftest was stopped");
    const std::string why = answer ? describe(*answer) : answer.error();
    if (const auto end =
            program_->wait_until(std::chrono::steady_clock::now() + kServerPause, stop))
      return no_server(*program_, "the server ended with exit code " + std::to_string(*end));
    if (std::chrono::steady_clock::now() >= until)
      return std::unexpected("the server is not ready: " + why);
  }
}

std::optional<std::int64_t> RunningServer::end(std::chrono::milliseconds patience) const {
  if (program_->interrupt())
    return program_->wait_until(std::chrono::steady_clock::now() + patience, {});
  const auto early = program_->wait_until(std::chrono::steady_clock::now(), {});
  if (!early) program_->kill();
  return early;
}

std::string RunningServer::end_wrongly(std::chrono::milliseconds patience) const {
  if (const auto early = program_->wait_until(std::chrono::steady_clock::now(), {}))
    return "it had ended with exit code " + std::to_string(*early) + ": " + last_words();
  if (!program_->interrupt()) return {};
  const auto code = program_->wait_until(std::chrono::steady_clock::now() + patience, {});
  if (!code) return "it still runs after " + std::to_string(patience.count()) + " ms";
  return *code == 0 ? "" : "exit code " + std::to_string(*code) + ": " + last_words();
}

std::string RunningServer::last_words() const { return words_of(*program_); }

}  // namespace winperf::selftest
