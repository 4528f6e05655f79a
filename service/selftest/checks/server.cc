// A run of the server on a free port: everything that clients do with it, a reload, TLS and
// passwords, and its end.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <thread>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"
#include "exporter/tls/tls_client.h"
#include "service/selftest/check.h"
#include "service/selftest/metrics_page.h"
#include "service/selftest/page_client.h"
#include "service/selftest/running_server.h"
#include "service/selftest/steps.h"

namespace winperf::selftest {
namespace {

using Json = nlohmann::json;
using ServerPatience = std::chrono::milliseconds;

constexpr int kServed = 200;
constexpr int kNoPassword = 401;
constexpr int kNotThere = 404;
constexpr int kNotReloaded = 500;
// Generous: only a server that hangs takes so long.
constexpr ServerPatience kSoon{60'000};
constexpr ServerPatience kNextLook{200};
constexpr std::size_t kScrapers = 4;
constexpr std::size_t kScrapesOfEach = 5;
constexpr char kUser[] = "selftest";
constexpr char kRight[] = "a password of the selftest";
constexpr char kWrong[] = "another password";
// Of the API, what isn't a JSON document, needs a path, or is another check's.
constexpr std::array<std::string_view, 5> kNotAsked{
    "/api/v1/events", "/api/v1/recording", "/api/v1/names", "/api/v1/range", "/api/v1/doctor"};

std::string server_config(const std::string& interval) {
  return "interval: " + interval + "\nreload: {http: true}\n" + kCheckSettings;
}

bool write_file(Steps& steps, const std::filesystem::path& file, std::string_view text) {
  const auto written = write_whole_file(file, std::as_bytes(std::span(text)));
  if (!written) steps.fail("a file of the check could not be written", written.error().reason);
  return written.has_value();
}

std::string answer_text(const std::expected<PageAnswer, std::string>& answer) {
  return answer ? describe(*answer) : answer.error();
}

// What is wrong with an answer that should be a page of metrics; empty: nothing.
std::string why_no_page(const std::expected<PageAnswer, std::string>& answer,
                        std::string_view type) {
  if (!answer || answer->status != kServed) return answer_text(answer);
  if (!answer->type.starts_with(type)) return "Content-Type " + printable(answer->type);
  std::string text = answer->body;
  if (answer->encoding == "gzip") {
    auto plain = decompressed(answer->body);
    if (!plain) return "gzip that is damaged";
    text = *std::move(plain);
  } else if (!answer->encoding.empty()) {
    return "Content-Encoding " + printable(answer->encoding);
  }
  const MetricsPage page(text, type.starts_with("application/openmetrics-text"));
  if (!page.refusals().empty()) return page.refusals().front();
  if (!page.sum("winperf_exporter_build_info")) return "a page without winperf_exporter_build_info";
  return {};
}

// A refused line may have a name in it, of which only the number is shown then.
std::string shown_wrong(const Steps& steps, const std::string& wrong) {
  const bool is_line = wrong.starts_with("line ");
  return is_line && steps.run().settings.scrub ? wrong.substr(0, wrong.find(':')) : wrong;
}

constexpr char kTextFormat[] = "text/plain; version=0.0.4";
constexpr char kOpenMetrics[] = "application/openmetrics-text; version=1.0.0";

void scrape_at_once(Steps& steps, const RunningServer& server) {
  steps.begin("several scrapers at once");
  std::array<std::string, kScrapers> first_wrong;
  {
    std::vector<std::thread> scrapers;
    for (std::string& wrong : first_wrong)
      scrapers.emplace_back([&wrong, &server] {
        for (std::size_t i = 0; i < kScrapesOfEach && wrong.empty(); ++i)
          wrong = why_no_page(ask_page({.origin = server.origin()}), kTextFormat);
      });
    for (std::thread& scraper : scrapers) scraper.join();
  }
  for (const std::string& wrong : first_wrong)
    if (!steps.expect(wrong.empty(), "several scrapers at once do not all get the page",
                      "a page that Prometheus takes", shown_wrong(steps, wrong)))
      return;
}

void ask_for_formats(Steps& steps, const RunningServer& server) {
  const PageRequest plain{.origin = server.origin()};
  PageRequest openmetrics = plain;
  openmetrics.fields = {{"Accept", kOpenMetrics}};
  std::string wrong = why_no_page(ask_page(openmetrics), kOpenMetrics);
  steps.expect(wrong.empty(), "/metrics in OpenMetrics is wrong", "a page in OpenMetrics 1.0",
               shown_wrong(steps, wrong));
  PageRequest gzip = plain;
  gzip.fields = {{"Accept-Encoding", "gzip"}};
  const auto compressed = ask_page(gzip);
  wrong = why_no_page(compressed, kTextFormat);
  steps.expect(wrong.empty(), "/metrics with gzip is wrong", "the page, compressed",
               shown_wrong(steps, wrong));
  steps.expect(compressed && compressed->encoding == "gzip", "/metrics is not compressed",
               "Content-Encoding gzip",
               compressed ? "Content-Encoding " + printable(compressed->encoding) : wrong);
}

// The documents of the API that can be asked for without a parameter, as its description has them.
std::vector<std::string> documents_of(const Json& description) {
  std::vector<std::string> paths;
  const auto all = description.find("paths");
  if (all == description.end() || !all->is_object()) return paths;
  for (const auto& [path, methods] : all->items()) {
    if (!methods.contains("get") || path.contains('{')) continue;
    if (std::ranges::find(kNotAsked, path) == kNotAsked.end()) paths.push_back(path);
  }
  return paths;
}

std::optional<Json> json_of(const std::expected<PageAnswer, std::string>& answer) {
  if (!answer || answer->status != kServed) return std::nullopt;
  Json json = Json::parse(answer->body, nullptr, false);
  return json.is_discarded() ? std::nullopt : std::optional(std::move(json));
}

void ask_for_documents(Steps& steps, const RunningServer& server) {
  steps.begin("the API");
  const auto answer = ask_page({.origin = server.origin(), .path = "/api/v1/openapi.json"});
  const auto description = json_of(answer);
  const auto paths = description ? documents_of(*description) : std::vector<std::string>();
  if (!steps.expect(!paths.empty(), "the API's description is wrong", "a JSON document with paths",
                    answer_text(answer)))
    return;
  steps.data()["api_answers"] = paths.size();
  for (const std::string& path : paths) {
    if (steps.is_stopped()) return;
    const auto document = ask_page({.origin = server.origin(), .path = path});
    steps.expect(json_of(document).has_value(), path + " is wrong", "a JSON document",
                 answer_text(document));
  }
}

void ask_for_others(Steps& steps, const RunningServer& server) {
  struct Path {
    const char* path;
    int status;
    std::string_view type;
  };
  constexpr Path kPaths[] = {{"/", kServed, "text/html"},
                             {"/-/healthy", kServed, "text/plain"},
                             {"/-/ready", kServed, "text/plain"},
                             {"/version", kServed, "application/json"},
                             {"/no-such-path", kNotThere, ""}};
  for (const Path& wanted : kPaths) {
    const auto answer = ask_page({.origin = server.origin(), .path = wanted.path});
    const std::string expected =
        "HTTP status " + std::to_string(wanted.status) + ' ' + std::string(wanted.type);
    const bool is_right =
        answer && answer->status == wanted.status && answer->type.starts_with(wanted.type);
    steps.expect(is_right, std::string(wanted.path) + " is wrong", expected,
                 answer ? printable(answer->type) + ", " + describe(*answer) : answer.error());
  }
}

// Counts of reloads on the page, and the interval in use.
struct ReloadState {
  double good = 0;
  double failed = 0;
  std::string interval{};
  bool operator==(const ReloadState&) const = default;
};

std::string describe_state(const ReloadState& state) {
  return std::to_string(static_cast<std::uint64_t>(state.good)) + " reloads, " +
         std::to_string(static_cast<std::uint64_t>(state.failed)) + " failed, interval " +
         (state.interval.empty() ? "unknown" : printable(state.interval));
}

std::string configured_interval(const Json& config) {
  const auto keys = config.find("keys");
  if (keys == config.end() || !keys->is_array()) return {};
  for (const Json& entry : *keys)
    if (entry.is_object() && entry.value("key", Json()) == "interval" && entry.contains("value"))
      return entry["value"].dump();
  return {};
}

ReloadState reload_state(const RunningServer& server) {
  ReloadState state;
  if (const auto answer = ask_page({.origin = server.origin()}); answer) {
    const MetricsPage page(answer->body, false);
    state.failed = page.value("winperf_exporter_config_reload_failures_total").value_or(0);
    state.good = page.value("winperf_exporter_config_reloads_total").value_or(0) - state.failed;
  }
  const auto config = json_of(ask_page({.origin = server.origin(), .path = "/api/v1/config"}));
  if (config) state.interval = configured_interval(*config);
  return state;
}

// Waits until the state is as wanted; returns the last one.
template <class IsWanted>
ReloadState await_state(const RunningServer& server, const StopToken& stop,
                        const IsWanted& is_wanted) {
  const auto until = std::chrono::steady_clock::now() + kSoon;
  ReloadState state = reload_state(server);
  while (!is_wanted(state) && std::chrono::steady_clock::now() < until && !stop.stop_requested()) {
    pause_until(std::chrono::steady_clock::now() + kNextLook, stop);
    state = reload_state(server);
  }
  return state;
}

void reload_by_request(Steps& steps, const RunningServer& server, int status) {
  const auto answer = ask_page({.origin = server.origin(), .path = "/-/reload", .is_post = true});
  steps.expect(answer && answer->status == status, "POST /-/reload is wrong",
               "HTTP status " + std::to_string(status), answer_text(answer));
}

void change_configuration(Steps& steps, const RunningServer& server,
                          const std::filesystem::path& file) {
  steps.begin("a reload");
  const StopToken& stop = steps.run().stop;
  const ReloadState before = reload_state(server);
  steps.expect(!before.interval.empty(), "/api/v1/config has no interval", "a value",
               describe_state(before));
  if (!write_file(steps, file, server_config("7s"))) return;
  const ReloadState changed =
      await_state(server, stop, [&](const ReloadState& now) { return now.good > before.good; });
  if (!steps.expect(changed.good > before.good && changed.interval != before.interval,
                    "a changed configuration is not in use", "a reload with another interval",
                    describe_state(changed)))
    return;
  reload_by_request(steps, server, kServed);
  steps.begin("a configuration with a mistake");
  if (!write_file(steps, file, server_config("soon"))) return;
  const ReloadState wrong =
      await_state(server, stop, [&](const ReloadState& now) { return now.failed > before.failed; });
  steps.expect(wrong.failed > before.failed && wrong.interval == changed.interval,
               "a configuration with a mistake is not refused as it should be",
               "a failed reload, and the values of before", describe_state(wrong));
  reload_by_request(steps, server, kNotReloaded);
  const std::string words = server.last_words();
  steps.expect(words.contains("interval"), "the log does not name the mistake",
               "a message with \"interval\"", words);
  if (!write_file(steps, file, server_config("7s"))) return;
  const ReloadState right = await_state(
      server, stop, [&](const ReloadState& now) { return now.good > changed.good + 1; });
  steps.expect(right.good > changed.good, "a mended configuration is not in use", "another reload",
               describe_state(right));
}

void end_server(Steps& steps, const RunningServer& server, const std::string& which) {
  steps.begin("the end");
  const std::string wrong_end = server.end_wrongly(kSoon);
  // On a machine that is very slow, sampling may outlast the program's own patience at its end.
  const bool was_slow = wrong_end.contains("did not end within");
  if (was_slow) steps.data()["slow_end"] = wrong_end;
  steps.expect(wrong_end.empty() || was_slow, which + " does not end as it should after Ctrl-C",
               "exit code 0", wrong_end);
}

void try_plain(Steps& steps) {
  steps.begin("the start");
  CheckRun& run = steps.run();
  const std::filesystem::path file = run.folder / "server.yaml";
  if (!write_file(steps, file, server_config("2s"))) return;
  const auto server = RunningServer::start(
      {.program = run.program, .folder = run.folder, .config = file}, run.stop);
  if (!server) return steps.fail("the server does not start", server.error());
  const auto ready = server->await_ready(kSoon, run.stop);
  if (!ready) return steps.fail("the server does not become ready", ready.error());
  using Step = void (*)(Steps&, const RunningServer&);
  for (const Step step : {Step{scrape_at_once}, Step{ask_for_formats}, Step{ask_for_others},
                          Step{ask_for_documents}}) {
    if (steps.is_stopped()) return;
    step(steps, *server);
  }
  change_configuration(steps, *server, file);
  end_server(steps, *server, "the server");
}

// The output of one of the program's commands; nothing if it failed, which is a finding then.
std::optional<std::string> output_of(Steps& steps, std::vector<std::string> words,
                                     const std::filesystem::path& input = {}) {
  CheckRun& run = steps.run();
  const std::string command = words.at(0) + ' ' + words.at(1);
  const auto end = run_program({.program = run.program,
                                .words = std::move(words),
                                .folder = run.folder,
                                .deadline = kSoon,
                                .input = input},
                               run.stop);
  const bool is_done = end && end->exit_code == 0;
  steps.expect(is_done, command + " fails", "exit code 0", end ? describe(*end) : end.error());
  return is_done ? std::optional(end->output) : std::nullopt;
}

TlsRequest tls_request(const RunningServer& server, const std::string& certificate,
                       std::string_view password) {
  TlsRequest request{.host = "127.0.0.1", .port = server.port(), .trusted = certificate};
  request.head = "GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n";
  if (!password.empty())
    request.head +=
        "Authorization: " + authorization_of({std::string(kUser), std::string(password)}) + "\r\n";
  request.head += "\r\n";
  return request;
}

std::string first_line_of(const std::expected<TlsAnswer, std::string>& answer) {
  return answer ? printable(answer->text.substr(0, answer->text.find('\r'))) : answer.error();
}

bool has_status(const std::expected<TlsAnswer, std::string>& answer, int status) {
  return answer && answer->text.starts_with("HTTP/1.") &&
         answer->text.substr(0, answer->text.find('\r')).contains(' ' + std::to_string(status));
}

void ask_with_tls(Steps& steps, const RunningServer& server, const std::string& certificate,
                  const std::string& other) {
  const auto right = ask_over_tls(tls_request(server, certificate, kRight));
  const bool is_right = has_status(right, kServed);
  steps.expect(is_right, "the right password over TLS is not let in", "HTTP status 200",
               first_line_of(right));
  steps.expect(!is_right || right->text.contains("winperf_exporter_build_info"),
               "the answer over TLS is not the page", "metrics", first_line_of(right));
  if (right) steps.data()["tls"] = right->version;
  const auto wrong = ask_over_tls(tls_request(server, certificate, kWrong));
  steps.expect(has_status(wrong, kNoPassword), "a wrong password is not refused", "HTTP status 401",
               first_line_of(wrong));
  const auto none = ask_over_tls(tls_request(server, certificate, ""));
  steps.expect(has_status(none, kNoPassword), "a request without a password is not refused",
               "HTTP status 401", first_line_of(none));
  const auto stranger = ask_over_tls(tls_request(server, other, kRight));
  steps.expect(!stranger, "a client that trusts another certificate gets an answer",
               "no connection", first_line_of(stranger));
  const std::string plain_origin = "http://127.0.0.1:" + std::to_string(server.port());
  const auto plain = ask_page({.origin = plain_origin});
  steps.expect(!plain || plain->status != kServed, "plain HTTP is served on a TLS port", "no page",
               answer_text(plain));
}

// A certificate and its key in files with this name; empty if the command failed.
std::string make_certificate(Steps& steps, const std::string& name) {
  const std::filesystem::path folder = steps.run().folder;
  const std::filesystem::path file = folder / (name + ".crt");
  if (!output_of(steps, {"config", "self-signed", "--host", "127.0.0.1", "--host", "localhost",
                         "--cert-file", path_text(file), "--key-file",
                         path_text(folder / (name + ".key"))}))
    return {};
  constexpr std::uint64_t kMostOfCertificate = 1U << 20;
  const auto bytes = read_whole_file(file, kMostOfCertificate);
  if (!bytes) {
    steps.fail("the certificate cannot be read", bytes.error().reason);
    return {};
  }
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

void try_tls(Steps& steps) {
  steps.begin("TLS and passwords");
  CheckRun& run = steps.run();
  const std::string certificate = make_certificate(steps, "server");
  const std::string other = make_certificate(steps, "other");
  const std::filesystem::path typed = run.folder / "password.txt";
  const std::filesystem::path config = run.folder / "tls.yaml";
  const std::filesystem::path web = run.folder / "web.yml";
  if (certificate.empty() || other.empty() ||
      !write_file(steps, typed, std::string(kRight) + '\n') ||
      !write_file(steps, config, server_config("2s")))
    return;
  const auto users =
      output_of(steps, {"config", "hash-password", "--cost", "4", "--user", kUser}, typed);
  if (!users || !write_file(steps, web,
                            "tls_server_config:\n  cert_file: server.crt\n  key_file: "
                            "server.key\n" +
                                *users))
    return;
  const auto server = RunningServer::start({.program = run.program,
                                            .folder = run.folder,
                                            .config = config,
                                            .words = {"--web.config.file", path_text(web)}},
                                           run.stop);
  if (!server) return steps.fail("the server with TLS does not start", server.error());
  steps.expect(server->origin().starts_with("https://"), "the server with TLS does not say so",
               "https", server->origin());
  ask_with_tls(steps, *server, certificate, other);
  end_server(steps, *server, "the server with TLS");
}

CheckReport check_server(CheckRun& run) {
  Steps steps(run);
  try_plain(steps);
  if (!steps.is_stopped()) try_tls(steps);
  return steps.end("the server");
}

}  // namespace

SelfCheck server_check() {
  return {.id = "server",
          .title = "Server",
          .does =
              "runs the server on a free loopback port: scrapes, the API, a reload, a mistake "
              "in the configuration, TLS, passwords, and its end",
          .takes = std::chrono::seconds(30),
          .run = check_server};
}

}  // namespace winperf::selftest
