#include "service/selftest/selftest.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <system_error>
#include <utility>

#include "collectors/base/clock.h"
#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/system_text.h"
#include "collectors/wire/text.h"
#include "exporter/json/json_text.h"
#include "service/console/machine_description.h"
#include "service/console/version.h"
#include "service/selftest/journal.h"
#include "service/selftest/work_folder.h"

namespace winperf::selftest {
namespace {

std::string no_lasting_change() {
  const auto root = selftest_root();
  return "It makes no lasting change: only temporary files in " +
         (root ? printable(path_text(*root)) : std::string("its own folder")) +
         ", removed at its end.\n";
}

// "This takes about 15 minutes: load 5, pdh 5, the others 5."
std::string duration_text(const SelftestPlan& plan) {
  std::chrono::seconds all{0};
  std::chrono::minutes named{0};
  std::string parts;
  for (const SelfCheck& check : plan.checks) {
    if (!why_skipped(check, plan).empty()) continue;
    const std::chrono::seconds takes =
        check.takes + (check.takes_load_time ? plan.settings.load_time : std::chrono::seconds(0));
    all += takes;
    const auto minutes = std::chrono::round<std::chrono::minutes>(takes);
    if (minutes.count() < 2) continue;
    named += minutes;
    parts += std::string(check.id) + ' ' + std::to_string(minutes.count()) + ", ";
  }
  const auto minutes = std::chrono::ceil<std::chrono::minutes>(all);
  if (minutes.count() <= 1) return "This takes about a minute.\n";
  const std::string text = "This takes about " + std::to_string(minutes.count()) + " minutes";
  if (parts.empty() || minutes <= named) return text + ".\n";
  return text + ": " + parts + "the others " + std::to_string((minutes - named).count()) + ".\n";
}

bool names(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

// A name that no other run has.
std::string run_name() {
  std::random_device random;
  return std::string(kPrefix) + std::to_string(random());
}

std::string time_now() {
  std::string text;
  json::append_time(text, system_clocks().wall_now());
  return nlohmann::json::parse(text).get<std::string>();
}

std::expected<void, std::string> make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return std::unexpected("cannot make " + path_text(folder) + ": " + system_text(failed));
  return {};
}

// The folder of selftests, with the journal, and a folder for what programs that undo something
// write: all in it is of an undo that was killed.
struct Base {
  std::filesystem::path root;
  Journal journal;
  std::filesystem::path undo_folder() const { return root / (std::string(kPrefix) + "undo"); }
};
std::expected<Base, std::string> open_base() {
  auto root = selftest_root();
  if (!root) return std::unexpected(root.error());
  if (const auto made = make_root(*root); !made) return std::unexpected(made.error());
  auto journal = Journal::open(*root);
  if (!journal) return std::unexpected(journal.error());
  return Base{.root = *std::move(root), .journal = *std::move(journal)};
}

// Leaves nothing behind where nothing is left to undo.
void close_base(Base& base) {
  (void)remove_tree(base.undo_folder());  // no more than a folder that is in the way
  base.journal.close();
  remove_empty_root(base.root);
}

UndoTools tools_of(const Base& base, const std::filesystem::path& program, const StopToken& stop) {
  (void)make_folder(base.undo_folder());  // without it, the programs say so
  return {.program = program, .root = base.root, .scratch = base.undo_folder(), .stop = stop};
}

SelftestReport new_report(const SelftestPlan& plan) {
  SelftestReport report;
  report.version = std::string(kVersion) + " (" + kRevision + ", " + kOperatingSystem + ' ' +
                   kArchitecture + ')';
  report.system = describe_this_machine().system;
  report.started = time_now();
  report.is_administrator = plan.is_administrator;
  return report;
}

CheckReport run_check(const SelfCheck& check, CheckRun& run) {
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  if (const auto made = make_folder(run.folder); !made)
    return report_of(Verdict::kBroken, made.error());
  return check.run(run);
}

std::vector<std::string> names_to_hide(const SelftestReport& report) {
  std::vector<std::string> hidden;
  for (const std::u16string& name : describe_this_machine().names) hidden.push_back(to_utf8(name));
  for (const DoneCheck& done : report.checks)
    hidden.insert(hidden.end(), done.report.names.begin(), done.report.names.end());
  return hidden;
}

bool is_left_out(const SelfCheck& check, const SelftestPlan& plan) {
  return !plan.only.empty() && !names(plan.only, check.id) && !names(plan.with, check.id);
}

}  // namespace

std::string why_skipped(const SelfCheck& check, const SelftestPlan& plan) {
  const bool is_asked_for = names(plan.with, check.id);
  if (is_left_out(check, plan)) return "it is not among those of --only";
  if (!check.changes.empty() && !is_asked_for)
    return "it changes this machine, so it needs --with " + std::string(check.id);
  if (check.needs_administrator && !plan.is_administrator)
    return "it needs an administrator's rights: start it from an elevated prompt";
  return {};
}

std::string plan_text(const SelftestPlan& plan) {
  std::string out = duration_text(plan) + "This selftest will:\n";
  std::string changes;
  for (const SelfCheck& check : plan.checks) {
    if (!why_skipped(check, plan).empty()) continue;
    out += "  " + std::string(check.id) + ": " + std::string(check.does) + '\n';
    if (!check.changes.empty())
      changes += "  " + std::string(check.id) + ": " + std::string(check.changes) + '\n';
  }
  if (changes.empty()) return out + no_lasting_change();
  return out +
         "It makes these changes, and undoes them at its end, or when selftest --undo runs:\n" +
         changes;
}

std::expected<SelftestReport, std::string> run_selftest(const SelftestPlan& plan,
                                                        const SelftestView& view) {
  auto base = open_base();
  if (!base) return std::unexpected(base.error());
  const UndoTools tools = tools_of(*base, plan.program, {});
  view.tell("undoing what an earlier run left behind");
  SelftestReport report = new_report(plan);
  base->journal.undo_all(tools);  // what can't be undone is tried again at the end
  const std::string name = run_name();
  const std::filesystem::path folder = base->root / name;
  const auto begun = base->journal.begin({.kind = ChangeKind::kFolder, .name = name});
  if (!begun) {
    close_base(*base);
    return std::unexpected(begun.error());
  }
  for (const SelfCheck& check : plan.checks) {
    DoneCheck done{.check = check, .report = {}};
    const auto from = std::chrono::steady_clock::now();
    if (const std::string why = why_skipped(check, plan); !why.empty()) {
      done.report = report_of(Verdict::kSkipped, why);
      done.is_left_out = is_left_out(check, plan);
    } else {
      view.check_begins(check);
      view.tell(std::string(check.title));
      const std::filesystem::path own = folder / check.id;
      CheckRun run{.settings = plan.settings,
                   .program = plan.program,
                   .folder = own,
                   .is_administrator = plan.is_administrator,
                   .journal = base->journal,
                   .stop = view.stop,
                   .tell = [&](const std::string& text) {
                     view.tell(std::string(check.title) + ": " + text);
                   }};
      done.report = run_check(check, run);
    }
    done.took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - from);
    if (!done.is_left_out) view.check_ended(done);
    report.checks.push_back(std::move(done));
  }
  view.tell("undoing all changes");
  report.left = base->journal.undo_all(tools);
  close_base(*base);
  if (!plan.settings.scrub) return report;
  const NamesInText hidden(names_to_hide(report));
  return scrubbed(std::move(report), hidden);
}

std::expected<Undone, std::string> undo_selftest(const std::filesystem::path& program,
                                                 const StopToken& stop) {
  auto base = open_base();
  if (!base) return std::unexpected(base.error());
  const std::vector<Change> before = base->journal.left();
  Undone undone;
  undone.failed = base->journal.undo_all(tools_of(*base, program, stop));
  const std::vector<Change> after = base->journal.left();
  for (const Change& change : before)
    if (std::ranges::find(after, change) == after.end())
      undone.done.push_back(describe(change) + " is gone");
  if (has_administrators_root())
    undone.failed.push_back(
        "a selftest with an administrator's rights runs, or has left something: start this from an "
        "elevated prompt");
  close_base(*base);
  return undone;
}

}  // namespace winperf::selftest
