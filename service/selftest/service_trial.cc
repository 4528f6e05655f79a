#include "service/selftest/service_trial.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"
#include "service/console/exit_code.h"
#include "service/scm/service_definition.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/journal.h"
#include "service/selftest/machine.h"
#include "service/selftest/page_client.h"

namespace winperf::selftest {
namespace {

constexpr std::uint64_t kLargestProgram = std::uint64_t{512} << 20;
constexpr std::uint64_t kLargestLog = std::uint64_t{16} << 20;
constexpr std::chrono::milliseconds kLongestCommand{120'000};
constexpr std::chrono::seconds kUntilListening{60};
constexpr std::chrono::milliseconds kBetweenLooks{200};
constexpr char kConfigName[] = "winperf_exporter.yaml";
constexpr std::string_view kListensOn = "listens on ";
constexpr std::string_view kFolderSaid = "data folder ";

std::string file_text(const std::filesystem::path& file, std::uint64_t most) {
  const auto bytes = read_whole_file(file, most);
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

// The rest of the line after these words.
std::string line_after(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + words.size());
  return std::string(text.substr(0, text.find_first_of("\r\n")));
}

}  // namespace

std::expected<std::filesystem::path, std::string> copy_program(
    const std::filesystem::path& program, const std::filesystem::path& folder) {
  const std::filesystem::path copy = folder / "winperf_exporter.exe";
  const auto copied = [](const std::filesystem::path& from,
                         const std::filesystem::path& to) -> std::expected<void, FileFailure> {
    // It is there from the check's trial before, and may be in use.
    std::error_code unknown;
    if (std::filesystem::exists(to, unknown)) return {};
    const auto bytes = read_whole_file(from, kLargestProgram);
    if (!bytes) return std::unexpected(bytes.error());
    return write_whole_file(to, *bytes);
  };
  if (const auto done = copied(program, copy); !done)
    return std::unexpected("cannot copy " + path_text(program) + ": " + done.error().reason);
  std::error_code ignored;  // where executables need no such permission
  std::filesystem::permissions(copy, std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add, ignored);
  // They are there in an installation, and aren't with the executable alone.
  for (const char* const name : kBesideProgram) {
    const auto done = copied(program.parent_path() / name, folder / name);
    if (!done && done.error().problem != FileProblem::kAbsent)
      return std::unexpected("cannot copy " + std::string(name) + ": " + done.error().reason);
  }
  return copy;
}

std::string name_in(const CheckRun& run) {
  return path_text(run.folder.parent_path().filename()) + '_' + path_text(run.folder.filename());
}

bool wait_until_it_holds(const StopToken& stop, std::chrono::seconds patience,
                         const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!stop.stop_requested()) {
    if (holds()) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now >= end) return false;
    pause_until(now + kBetweenLooks, stop);
  }
  return false;
}

std::vector<std::string> new_traces(const std::vector<std::string>& before,
                                    const std::vector<std::string>& after) {
  std::vector<std::string> fresh;
  std::ranges::set_difference(after, before, std::back_inserter(fresh));
  return fresh;
}

std::optional<std::string> why_not_alone(const std::vector<std::string>& traces,
                                         bool with_program_folder) {
  for (const std::string& trace : traces) {
    const bool is_of_selftests = trace.contains(kPrefix) || trace.contains("-selftest");
    const bool is_of_all_services = trace.starts_with("the member ");
    const bool is_program = trace.starts_with(kProgramFolderTrace) && !with_program_folder;
    if (!is_of_selftests && !is_of_all_services && !is_program)
      return "winperf_exporter is installed, or something of it: " + trace;
  }
  return std::nullopt;
}

std::vector<LoggedEvent> logged_events(std::string_view json_lines) {
  std::vector<LoggedEvent> events;
  while (!json_lines.empty()) {
    const std::size_t end = std::min(json_lines.find('\n'), json_lines.size() - 1);
    const auto line = nlohmann::json::parse(json_lines.substr(0, end + 1), nullptr, false);
    json_lines.remove_prefix(end + 1);
    if (const std::string name = selftest::text_of(line, "event"); !name.empty())
      events.push_back({.name = name, .message = selftest::text_of(line, "message")});
  }
  return events;
}

std::vector<std::string> skipped_settings(std::string_view messages) {
  constexpr std::string_view kSkipped = "skipped the setting \"";
  std::vector<std::string> skipped;
  for (std::size_t at = messages.find(kSkipped); at != std::string_view::npos;
       at = messages.find(kSkipped)) {
    messages.remove_prefix(at + kSkipped.size());
    skipped.emplace_back(messages.substr(0, messages.find('"')));
  }
  return skipped;
}

ServiceTrial::ServiceTrial(CheckRun& run, CheckReport& report, ChangeKind change)
    : run_(run),
      report_(report),
      change_(change),
      name_(change == ChangeKind::kOwnService ? kServiceName : name_in(run)),
      before_(machine_traces()),
      config_file_(run.folder / kConfigName) {}

void ServiceTrial::found(std::string sentence, std::string reason) {
  report_.findings.push_back(
      {.sentence = std::move(sentence), .details = {{"reason", std::move(reason)}}});
}

std::expected<ProgramEnd, std::string> ServiceTrial::run_service(
    const std::filesystem::path& program, const std::string& action,
    const std::vector<std::string>& words, const StopToken& stop) const {
  std::vector<std::string> all{"service", action, "--name", name_};
  all.insert(all.end(), words.begin(), words.end());
  return run_program({.program = program,
                      .words = std::move(all),
                      .folder = run_.folder,
                      .deadline = kLongestCommand},
                     stop);
}

std::optional<ProgramEnd> ServiceTrial::service(const std::string& action,
                                                const std::vector<std::string>& words,
                                                std::int64_t exit_code) {
  run_.tell("service " + action);
  auto end = run_service(executable_, action, words, run_.stop);
  if (run_.stop.stop_requested()) return std::nullopt;
  if (end && end->exit_code == exit_code) return *std::move(end);
  found("\"service " + action + "\" did not end with " + std::to_string(exit_code),
        end ? describe(*end) : end.error());
  return std::nullopt;
}

// The service's data folder, to which it may log.
bool ServiceTrial::make_folder() {
  const auto prepared = service("prepare");
  if (!prepared) return false;
  const std::string folder = line_after(prepared->output, kFolderSaid);
  if (folder.empty()) {
    found("\"service prepare\" does not say which folder it has made", prepared->output);
    return false;
  }
  log_file_ = path_of(folder) / "logs" / "selftest.jsonl";
  return true;
}

bool ServiceTrial::write_config() {
  nlohmann::ordered_json whole = config;
  whole["listen"] = {{"address", "127.0.0.1"}, {"port", 0}};
  whole["log"] = {{"file", path_text(log_file_)}, {"format", "json"}};
  const std::string text = whole.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto written = write_whole_file(config_file_, std::as_bytes(std::span(text)));
  if (!written) found("its configuration cannot be written", written.error().reason);
  return written.has_value();
}

bool ServiceTrial::install(const std::vector<std::string>& words) {
  run_.tell("copying the program");
  auto copy = copy_program(run_.program, run_.folder);
  if (!copy) {
    found("the program cannot be copied for a service", copy.error());
    return false;
  }
  executable_ = *std::move(copy);
  // Its name in the journal is one that a selftest gives.
  const std::string change =
      change_ == ChangeKind::kOwnService ? path_text(run_.folder.parent_path().filename()) : name_;
  const auto begun = run_.journal.begin({.kind = change_, .name = change});
  if (!begun) {
    found("nothing was changed", begun.error());
    return false;
  }
  number_ = *begun;
  if (!make_folder() || !write_config()) return false;
  std::vector<std::string> all{"--config", path_text(config_file_)};
  all.insert(all.end(), words.begin(), words.end());
  const auto installed = run_service(executable_, "install", all, run_.stop);
  if (run_.stop.stop_requested()) return false;
  if (installed) install_messages_ = installed->errors;
  if (installed && installed->exit_code == kExitOk) return true;
  found("\"service install\" failed", installed ? describe(*installed) : installed.error());
  return status().is_object();  // it may be there without a part of it
}

nlohmann::json ServiceTrial::status() const {
  const auto end = run_service(executable_, "status", {"--format", "json"}, run_.stop);
  auto status = end ? nlohmann::json::parse(end->output, nullptr, false) : nlohmann::json();
  const std::string state = selftest::text_of(status, "state");
  return state.empty() || state == "not_installed" ? nlohmann::json() : status;
}

std::vector<LoggedEvent> ServiceTrial::log() const {
  return logged_events(file_text(log_file_, kLargestLog));
}

std::size_t ServiceTrial::logged(std::string_view event) const {
  return static_cast<std::size_t>(std::ranges::count(log(), event, &LoggedEvent::name));
}

bool ServiceTrial::start() {
  const std::size_t before = logged("started");
  if (!service("start")) return false;
  const bool is_there =
      wait_until_it_holds(run_.stop, kUntilListening, [&] { return logged("started") > before; });
  for (const LoggedEvent& event : log())
    if (event.name == "started") origin_ = line_after(event.message, kListensOn);
  origin_ = origin_.substr(0, origin_.find_first_of(" ,"));
  if ((!is_there || origin_.empty()) && !run_.stop.stop_requested())
    found("its log does not say where it listens", file_text(log_file_, kLargestLog));
  return is_there && !origin_.empty();
}

bool ServiceTrial::shows(const std::string& counterset) const {
  const auto page = ask_page({.origin = origin_});
  return page && page->status == 200 &&
         page->body.contains("winperf_exporter_counterset_success{counterset=\"" + counterset +
                             "\"} 1");
}

bool ServiceTrial::stop() { return service("stop").has_value(); }

bool ServiceTrial::remove() {
  if (!number_) return true;
  run_.tell("taking the service back");
  const auto end = run_service(executable_, "uninstall", {"--with-logs"}, {});
  const bool is_removed = end && end->exit_code == kExitOk;
  if (!is_removed) {
    found("\"service uninstall\" failed", end ? describe(*end) : end.error());
  } else {
    run_.journal.undone(*number_);
  }
  const auto left = new_traces(before_, machine_traces());
  for (const std::string& trace : left)
    found("something is left on the machine after the service was removed", trace);
  return is_removed && left.empty();
}

}  // namespace winperf::selftest
