#include "service/selftest/selftest.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"
#include "service/commands/command.h"
#include "service/console/look.h"
#include "service/console/progress_line.h"
#include "service/console/stop_signal.h"

namespace winperf {
namespace {

constexpr char kAllChecks[] = "all";

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
      std::cout << "  with --with " << check.id << " only: " << check.changes << '\n';
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

// Why no report can be written there; asked before minutes of work.
std::optional<std::string> wrong_report(const std::filesystem::path& out) {
  std::error_code unknown;
  if (std::filesystem::exists(std::filesystem::symlink_status(out, unknown)))
    return "it exists already; choose another name, or delete it";
  const std::filesystem::path folder = out.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, unknown))
    return "its folder does not exist";
  return why_not_writable(out);
}

// Shows what is being done on one line, and each result on a line of its own.
class Progress {
 public:
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
  if (const auto why = wrong_report(out)) return fail(options.out + ": " + *why);
  const selftest::SelftestPlan plan = plan_of(options, run);
  std::cout << selftest::plan_text(plan) << '\n' << std::flush;
  const StopSignal stop;
  Progress progress;
  const auto report = selftest::run_selftest(
      plan, {.tell = [&](const std::string& text) { progress.tell(text); },
             .check_ended = [&](const selftest::DoneCheck& done) { progress.show(done); },
             .stop = stop.token()});
  progress.end();
  if (!report) return fail(printable(report.error()));
  if (const auto written = write_whole_file(out, selftest::report_archive(*report)); !written)
    return fail(options.out + ": " + written.error().reason);
  std::cout << '\n'
            << selftest::report_text(*report, output_look(true).has_colours) << "The report is "
            << printable(options.out)
            << ": report.html in it is for you, and the whole file belongs to a bug report.\n";
  if (!options.scrub)
    std::cout << "It has names of this machine, its users and its processes; --scrub replaces "
                 "them.\n";
  return is_good(*report) ? kExitOk : kExitFailure;
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
      "selftest", "Check this program on this machine, and write a report for a person or a bug");
  auto* const out = add_text(command, "--out", options->out, "FILE", "the report, a ZIP archive");
  std::vector<std::string> changing = changing_ids();
  changing.emplace_back(kAllChecks);
  add_text(command, "--with", options->with, "CHECK",
           "also make this check, which changes the machine for a while; several after commas, or "
           "all")
      ->delimiter(',')
      ->check(one_of(std::move(changing)));
  add_text(command, "--only", options->only, "CHECK", "only make this check; several after commas")
      ->delimiter(',')
      ->check(one_of(all_ids()));
  command
      .add_option("--minutes", options->minutes,
                  "how long the program's own load is measured, 1 to 60")
      ->check(CLI::Range(1U, 60U).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_text(command, "--msi", options->installer, "FILE", "the installer for the check msi");
  command.add_flag("--scrub", options->scrub,
                   "replace the names of this machine, its users and its processes");
  command.add_flag("--list", options->list, "show the checks and what they change")->excludes(out);
  command
      .add_flag("--undo", options->undo,
                "take back what a selftest that was killed has left, and do nothing else")
      ->excludes(out);
  command.callback([options, &run] { run.exit_code = selftest_or_other(*options, run); });
}

}  // namespace winperf
