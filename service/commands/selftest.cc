#include "service/selftest/selftest.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <span>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"
#include "service/commands/command.h"
#include "service/console/look.h"
#include "service/console/progress_line.h"
#include "service/console/stop_signal.h"
#include "service/console/terminal.h"
#include "service/selftest/load.h"

namespace winperf {
namespace {

constexpr char kAllChecks[] = "all";
constexpr char kInstallerCheck[] = "msi";
// On Windows, "a:b.zip" is a stream of the file "a", which no program shows.
constexpr bool kHasStreams = std::filesystem::path::preferred_separator == '\\';

struct SelftestOptions {
  std::string out;
  std::vector<std::string> with;  // ids, or "all"
  std::vector<std::string> only;
  std::string installer;
  unsigned minutes = 5;
  bool scrub = false;
  bool list = false;
  bool undo = false;
};

std::vector<std::string> changing_ids() {
  std::vector<std::string> ids;
  for (const selftest::SelfCheck& check : selftest::all_checks())
    if (!check.changes.empty()) ids.emplace_back(check.id);
  return ids;
}

std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const selftest::SelfCheck& check : selftest::all_checks()) ids.emplace_back(check.id);
  return ids;
}

int list_checks() {
  for (const selftest::SelfCheck& check : selftest::all_checks()) {
    std::cout << check.id << ": " << check.does << '\n';
    if (!check.changes.empty())
      std::cout << "  only with --with " << check.id << "; creates for a while: " << check.changes
                << '\n';
    if (check.needs_administrator) std::cout << "  needs an administrator's rights\n";
  }
  return kExitOk;
}

int undo_changes(const std::filesystem::path& program) {
  const StopSignal stop;
  const auto undone = selftest::undo_selftest(program, stop.token());
  if (!undone) return fail(undone.error());
  for (const std::string& sentence : undone->done) std::cout << printable(sentence) << '\n';
  for (const std::string& sentence : undone->failed) complain(printable(sentence));
  if (!undone->failed.empty()) return kExitFailure;
  if (undone->done.empty()) std::cout << "nothing is left of a selftest of this account\n";
  return kExitOk;
}

selftest::SelftestPlan plan_of(const SelftestOptions& options, const CommandRun& run) {
  selftest::SelftestPlan plan;
  plan.checks = selftest::all_checks();
  plan.only = options.only;
  plan.with = options.with;
  for (const std::string& id : options.with)
    if (id == kAllChecks) plan.with = changing_ids();
  plan.settings.load_time = std::chrono::minutes(options.minutes);
  plan.settings.installer = path_of(options.installer);
  plan.settings.scrub = options.scrub;
  plan.program = run.origin.executable;
  plan.is_administrator = selftest::is_elevated();
  return plan;
}

bool is_there(const std::filesystem::path& file) {
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::symlink_status(file, unknown));
}

// Nothing is left of a file that can't be written whole. The error is the system's text.
std::optional<std::string> why_not_written(const std::filesystem::path& file,
                                           std::span<const std::byte> bytes) {
  const auto written = write_whole_file(file, bytes);
  if (written) return std::nullopt;
  std::error_code ignored;
  if (is_there(file)) std::filesystem::remove(file, ignored);
  return written.error().reason;
}

// Why no report can be written there. Found out before minutes of work, by writing an empty one.
std::optional<std::string> wrong_report(const std::filesystem::path& out) {
  std::error_code unknown;
  if (kHasStreams && path_text(out.filename()).contains(':'))
    return "a colon in the name makes it a hidden part of another file; choose another name";
  if (is_there(out)) return "it exists already; choose another name, or delete it";
  const std::filesystem::path folder = out.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, unknown))
    return "its folder does not exist";
  if (auto why = never_a_file(out)) return why;
  if (auto why = why_not_written(out, {})) return why;
  std::filesystem::remove(out, unknown);
  return std::nullopt;
}

// The report, where it should be; if it can't be written there any more, among the temporary files,
// so that minutes of work aren't lost. Returns its name; empty: it could be written nowhere.
std::string write_report(const std::string& out, std::span<const std::byte> bytes) {
  const auto why = why_not_written(path_of(out), bytes);
  if (!why) return out;
  complain(out + ": " + *why);
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  const std::filesystem::path other =
      folder / ("winperf_exporter_selftest_" + std::to_string(std::random_device{}()) + ".zip");
  if (failed || is_there(other) || why_not_written(other, bytes)) return {};
  return path_text(other);
}

// What can't be meant, said before minutes of work; empty: nothing.
std::string wrong_choice(const SelftestOptions& options, const selftest::SelftestPlan& plan) {
  const auto is_asked_for = [&](const std::string& id) {
    return std::ranges::find(plan.with, id) != plan.with.end();
  };
  for (const selftest::SelfCheck& check : plan.checks) {
    const std::string id(check.id);
    if (!check.changes.empty() && !is_asked_for(id) &&
        std::ranges::find(options.only, id) != options.only.end())
      return "--only " + id + ": it changes this machine, so it also needs --with " + id;
  }
  if (options.installer.empty()) {
    const bool is_wanted = std::ranges::find(options.with, kInstallerCheck) != options.with.end();
    return is_wanted ? "--with msi needs the installer: --msi FILE" : std::string();
  }
  if (!is_asked_for(kInstallerCheck)) return {};
  const auto state = state_of_file(plan.settings.installer);
  return state ? std::string() : "--msi: " + options.installer + ": " + state.error().reason;
}

// Shows what is being done on one line, and each result on a line of its own.
class Progress {
 public:
  // Where nothing can be shown on one line, such as in a file, each check has a line as it begins.
  void begin(const selftest::SelfCheck& check) {
    if (!is_error_terminal()) std::cerr << "running " << check.id << '\n' << std::flush;
  }
  void tell(const std::string& text) {
    if (line_)
      line_->show(text);
    else
      line_.emplace(text);
  }
  void show(const selftest::DoneCheck& done) {
    line_.reset();
    std::cout << selftest::check_text(done, output_look(true).has_colours) << std::flush;
  }
  void end() { line_.reset(); }

 private:
  std::optional<ProgressLine> line_;
};

int run_checks(const SelftestOptions& options, const CommandRun& run) {
  if (options.out.empty()) return fail("--out is required: the report's file", kExitUsage);
  const std::filesystem::path out = path_of(options.out);
  const selftest::SelftestPlan plan = plan_of(options, run);
  if (const std::string wrong = wrong_choice(options, plan); !wrong.empty())
    return fail(wrong, kExitUsage);
  if (const auto why = wrong_report(out)) return fail(options.out + ": " + *why);
  std::cout << selftest::plan_text(plan) << '\n' << std::flush;
  const StopSignal stop;
  Progress progress;
  const auto report = selftest::run_selftest(
      plan, {.tell = [&](const std::string& text) { progress.tell(text); },
             .check_begins = [&](const selftest::SelfCheck& check) { progress.begin(check); },
             .check_ended = [&](const selftest::DoneCheck& done) { progress.show(done); },
             .stop = stop.token()});
  progress.end();
  if (!report) return fail(printable(report.error()));
  std::cout << '\n' << selftest::report_text(*report, output_look(true).has_colours) << std::flush;
  const std::string written = write_report(options.out, selftest::report_archive(*report));
  if (written.empty()) return fail("the report could be written nowhere");
  std::cout << "The report is " << printable(written)
            << ": report.html in it is for you, and the whole file belongs to a bug report.\n";
  if (!options.scrub)
    std::cout << "It has names of this machine, its users and its processes; --scrub replaces "
                 "them.\n";
  return is_good(*report) && written == options.out ? kExitOk : kExitFailure;
}

int selftest_or_other(const SelftestOptions& options, const CommandRun& run) {
  if (options.list) return list_checks();
  if (options.undo) return undo_changes(run.origin.executable);
  return run_checks(options, run);
}

CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](const std::string& given) {
        return std::ranges::find(words, given) == words.end() ? not_a_choice(given, words)
                                                              : std::string();
      },
      "");
}

}  // namespace

void add_selftest(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<SelftestOptions>();
  CLI::App& command = *program.add_subcommand(
      "selftest",
      "Test the program on this machine, and write a report to read or to attach to a bug report");
  auto* const out = add_text(command, "--out", options->out, "FILE",
                             "the report, a ZIP archive; required, except with --list and --undo");
  std::vector<std::string> changing = changing_ids();
  changing.emplace_back(kAllChecks);
  add_text(command, "--with", options->with, "CHECK",
           "also run this check, which changes the machine for a while; several after commas, or "
           "all")
      ->delimiter(',')
      ->check(one_of(std::move(changing)));
  add_text(command, "--only", options->only, "CHECK", "run only this check; several after commas")
      ->delimiter(',')
      ->check(one_of(all_ids()));
  command
      .add_option("--minutes", options->minutes,
                  "how long the program's own load is measured, 1 to 60; from " +
                      std::to_string(selftest::kMinutesOfGrowth) + " on, growth is judged too")
      ->check(in_range(1, 60))
      ->type_name("N")
      ->capture_default_str();
  add_text(command, "--msi", options->installer, "FILE", "the installer for the check msi");
  command.add_flag("--scrub", options->scrub,
                   "replace the names of this machine, its users and its processes");
  auto* const list =
      command.add_flag("--list", options->list, "show the checks and what they change")
          ->excludes(out);
  command
      .add_flag("--undo", options->undo,
                "undo what an interrupted selftest left behind, and do nothing else")
      ->excludes(out)
      ->excludes(list);
  command.callback([options, &run] { run.exit_code = selftest_or_other(*options, run); });
}

}  // namespace winperf
