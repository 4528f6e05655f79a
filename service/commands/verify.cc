#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/pdh/pdh_status.h"
#include "collectors/pdh/pdh_verifier.h"
#include "collectors/pdh/worker_pdh.h"
#include "collectors/sampler/path_verifier.h"
#include "collectors/worker/own_process.h"
#include "config/patterns.h"
#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/commands/page_path.h"
#include "service/commands/verify_report.h"
#include "service/console/look.h"
#include "service/console/progress_line.h"
#include "service/console/stop_signal.h"
#include "service/plan/plan.h"
#include "service/run/discovery.h"

namespace winperf {
namespace {

struct VerifyOptions {
  SetupOptions setup;
  std::vector<std::string> names;      // empty: all of the other path
  bool hosts = false;                  // compare with them instead of PerfLib
  std::string page;                    // compare with this page instead: its URL
  bool pdh = false;                    // compare with Windows' own reader instead
  std::string raw_file;                // where to write all that PDH says
  std::chrono::milliseconds within{};  // PDH isn't asked for more countersets after it; 0: no limit
  std::size_t rounds = 3;              // a difference counts if every round shows it
  OutputFormat format = OutputFormat::kTable;

  // The other path's name in columns and keys.
  const char* other() const {
    if (pdh) return "pdh";
    return hosts ? "hosts" : page.empty() ? "perflib" : "page";
  }
};

// Where the two readings come from.
struct Paths {
  Setup registry;
  std::optional<Setup> hosts;
  std::unique_ptr<CatalogKeeper> catalog;
  std::unique_ptr<PerflibConnection> perflib;
  OtherPath other;
};

// One that can be compared.
std::expected<PageAddress, int> page_of(const VerifyOptions& options) {
  auto page = parse_page_address(options.page);
  if (!page) return std::unexpected(fail(printable(page.error()), kExitUsage));
  if (const auto checked = check_page(*page); !checked)
    return std::unexpected(fail(printable(checked.error())));
  return *std::move(page);
}

// What speaks against it; otherwise nothing, and 0.
int check_source(const VerifyOptions& options, const Setup& setup) {
  if ((options.hosts || options.pdh) && !setup.config->workers.leave_out.empty())
    return fail(std::string(options.pdh ? "PDH" : "a registry query") +
                " loads every provider, including those in workers.leave_out; use a configuration "
                "without that key");
  if (options.pdh && setup.is_replay)
    return fail("a recording has no PDH; run this on the machine itself");
  if (options.hosts && setup.is_replay)
    return fail("a recording has no providers; run this on the machine itself");
  if (!options.page.empty() && setup.is_replay)
    return fail("a recording is not a running exporter; run this on the machine itself");
  if (!options.hosts && !options.pdh && options.page.empty() && setup.perflib == nullptr)
    return fail(setup.is_replay
                    ? "a recording cannot be verified, because it was made through one path"
                    : "there is only one path: " + setup.perflib_missing);
  return kExitOk;
}

std::expected<Paths, int> open_paths(const VerifyOptions& options, const ClockSource& clocks) {
  SetupOptions registry = options.setup;
  if (options.hosts) registry.isolation = Isolation::kRegistry;
  registry.always_isolated = options.hosts;
  registry.target_by_perflib = true;
  auto setup = open_or_complain(registry);
  if (!setup) return std::unexpected(setup.error());
  if (const int wrong = check_source(options, *setup); wrong != kExitOk)
    return std::unexpected(wrong);
  Paths paths{
      .registry = *std::move(setup), .hosts = {}, .catalog = {}, .perflib = {}, .other = {}};
  const Config& config = paths.registry.config;
  paths.catalog = std::make_unique<CatalogKeeper>(*paths.registry.source, name_language(config),
                                                  clocks.steady_now());
  if (options.hosts) {
    SetupOptions hosts = registry;
    hosts.isolation = Isolation::kHosts;
    auto hosts_setup = open_or_complain(hosts);
    if (!hosts_setup) return std::unexpected(hosts_setup.error());
    paths.hosts = *std::move(hosts_setup);
    paths.other = via_hosts(*paths.hosts->source, *paths.catalog);
    return paths;
  }
  if (!options.page.empty()) {
    auto page = page_of(options);
    if (!page) return std::unexpected(page.error());
    paths.other = via_page(*paths.registry.source, *paths.catalog, *std::move(page), clocks);
    return paths;
  }
  if (options.pdh) return paths;
  paths.perflib = std::make_unique<PerflibConnection>(*paths.registry.perflib,
                                                      name_language(config), clocks.steady_now());
  if (paths.perflib->catalog_error())
    return std::unexpected(fail(describe(*paths.perflib->catalog_error())));
  paths.other = via_perflib(*paths.perflib, clocks);
  return paths;
}

std::vector<std::string> v2_names(const V2Catalog& catalog) {
  std::vector<std::string> names;
  for (const V2Catalog::Entry& entry : catalog.entries())
    names.push_back(entry.name.empty() ? to_string(entry.guid) : entry.name);
  return names;
}

// Of the objects that the registry has; if hosts are compared, of those with a registered provider,
// except costly ones.
std::expected<std::vector<std::string>, int> object_names(Paths& paths) {
  SourceHealth* const hosts = paths.hosts ? paths.hosts->source->health() : nullptr;
  std::vector<std::string> names;
  for (const bool costly : {false, true}) {
    if (costly && paths.hosts) break;
    const auto listing =
        make_listing({.registry = *paths.registry.source, .catalog = paths.catalog->catalog()},
                     {.costly = costly});
    if (!listing && costly) break;  // there are none
    if (!listing) return std::unexpected(fail(listing.error()));
    for (const ListedObject& object : listing->objects) {
      if (paths.hosts && (hosts == nullptr || hosts->supplier_of(object.schema.index) == nullptr))
        continue;
      const bool is_only_one = paths.catalog->objects_named(object.schema.name).size() == 1;
      std::string name =
          is_only_one ? object.schema.name : std::to_string(value_of(object.schema.index));
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  if (names.empty())
    return std::unexpected(fail(paths.hosts
                                    ? "no object on this machine has a registered V1 provider"
                                    : "no object on this machine can be read"));
  return names;
}

std::expected<std::vector<std::string>, int> names_of(const VerifyOptions& options, Paths& paths) {
  if (!options.page.empty()) return names_on_page();
  if (!options.names.empty()) {
    Config named = paths.registry.config;
    named.countersets.clear();
    for (const std::string& name : options.names)
      named.countersets.push_back(counterset_named(name, named));
    const auto concrete = discover_and_expand(options.setup, named, {});
    if (!concrete) return std::unexpected(fail(concrete.error()));
    if (!concrete->gap.empty()) complain(printable(concrete->gap));
    std::vector<std::string> names;  // whole objects; a path's selection is ignored
    for (const CountersetConfig& entry : concrete->config.countersets)
      names.push_back(entry.names.front());
    if (!concrete->unmatched.empty())
      return std::unexpected(fail(unmatched_message(concrete->unmatched.front())));
    return names;
  }
  if (!options.hosts && !options.pdh) return v2_names(paths.perflib->catalog());
  return object_names(paths);
}

// Names unknown to both paths.
void complain_about_unknown(std::span<const VerifiedCounterset> results, const Paths& paths) {
  for (const VerifiedCounterset& result : results) {
    const bool is_absent =
        result.registry_error && result.other_error &&
        (paths.perflib == nullptr || paths.perflib->catalog().named(result.name).empty()) &&
        paths.catalog->objects_named(result.name).empty();
    if (is_absent) complain(unknown_name_message(result.name, paths.catalog->catalog()));
  }
}

// Calls `verify` for each name. False if it was stopped.
bool verify_each(std::span<const std::string> names, const StopToken& stop,
                 const std::function<void(const std::string&)>& verify) {
  std::optional<ProgressLine> progress;
  for (const std::string& name : names) {
    const std::string text = "comparing " + name;
    if (progress)
      progress->show(text);
    else
      progress.emplace(text);
    verify(name);
    if (stop.stop_requested()) return false;
  }
  return true;
}

int print_report(const VerifyOptions& options, const VerifyReport& report) {
  std::cout << (options.format == OutputFormat::kJson
                    ? verification_json(report)
                    : verification_table(report, output_look(true)));
  return report.verified() ? kExitOk : kExitFailure;
}

// The file of --raw, if it was requested.
class RawFile {
 public:
  explicit RawFile(const std::string& name) : name_(name) {
    if (name.empty()) return;
    file_.open(path_of(name), std::ios::binary | std::ios::trunc);
    file_ << records_head();
  }
  void add(const VerifiedByPdh& result) {
    // A reader has every whole line, however this process ends.
    if (!name_.empty() && result.record) file_ << record_line(*result.record) << std::flush;
  }
  // Everything is written.
  bool finish() {
    if (name_.empty()) return true;
    file_.close();
    if (!file_.fail()) return true;
    complain(printable(name_) + " cannot be written");
    return false;
  }

 private:
  std::string name_;
  std::ofstream file_;
};

// This process, and the workers of both sides.
ReadingProcesses readers_of(const VerifyOptions& options, Paths& paths, const WorkerPdh& pdh) {
  ReadingProcesses readers{.ids = {worker::own_process_id(), pdh.state().process_id},
                           .name = path_text(options.setup.origin.executable.stem())};
  if (SourceHealth* const health = paths.registry.source->health())
    for (const WorkerView* const worker : health->workers())
      readers.ids.insert(worker->state().process_id);
  readers.ids.erase(0);  // none is running
  return readers;
}

// A call that fails says the first part itself; a worker that is lost doesn't.
std::string without_objects(const Error& error) {
  constexpr std::string_view kFailed = "PDH could not list its objects";
  std::string why = describe_pdh(error);
  return why.starts_with(kFailed) ? why : std::string(kFailed) + ": " + why;
}

int verify_with_pdh(const VerifyOptions& options, Paths& paths, std::span<const std::string> names,
                    const ClockSource& clocks) {
  const StopSignal stop;
  WorkerPdh pdh(make_pdh_worker(options.setup.origin, paths.registry.config), stop.token());
  const auto objects = pdh.objects();
  if (!objects && objects.error().code == ErrorCode::kUnsupported)
    return fail("there is no PDH here: " + describe_pdh(objects.error()));
  if (!objects) complain(without_objects(objects.error()));
  RawFile raw(options.raw_file);
  PdhVerifier verifier(*paths.registry.source, *paths.catalog, pdh, clocks, options.rounds,
                       [&] { return readers_of(options, paths, pdh); });
  VerifyReport report{.other = options.other()};
  const auto has_time = [&, end = clocks.steady_now() + options.within] {
    return options.within.count() == 0 || clocks.steady_now() < end;
  };
  const bool is_whole = verify_each(names, stop.token(), [&](const std::string& name) {
    if (!has_time()) {
      verifier.leave_out(name);
      return report.add_without_time(name);
    }
    VerifiedByPdh result = verifier.verify(name, stop.token());
    raw.add(result);
    result.record.reset();
    report.add(std::move(result));
  });
  if (!is_whole) return kExitFailure;
  if (objects) report.unlisted = verifier.unlisted_among(*objects);
  if (options.names.empty() && objects)
    if (auto others = verifier.other_objects()) report.only_pdh = *std::move(others);
  for (const std::string& object : report.only_pdh) {
    if (!has_time())
      report.only_pdh_not_asked.push_back(object);
    else if (!verifier.ask_without_ours(object))
      report.only_pdh_with_values.push_back(object);
    if (stop.token().stop_requested()) return kExitFailure;
  }
  paths.registry.source->release();
  complain_about_unknown(report.countersets, paths);
  const bool is_written = raw.finish();
  const int code = print_report(options, report);
  return is_written ? code : kExitFailure;
}

int check_options(const VerifyOptions& options) {
  if (options.hosts && !options.setup.target.empty())
    return fail("--hosts compares the providers of this machine; remove --target", kExitUsage);
  if (options.pdh && !options.setup.target.empty())
    return fail("--with pdh compares the counters of this machine; remove --target", kExitUsage);
  if (!options.raw_file.empty() && !options.pdh)
    return fail("--raw writes what PDH says; add --with pdh", kExitUsage);
  if (options.within.count() != 0 && !options.pdh)
    return fail("--within limits what PDH is asked for; add --with pdh", kExitUsage);
  if (!options.page.empty() && !options.setup.target.empty())
    return fail("--page compares the counters of this machine; remove --target", kExitUsage);
  if (!options.page.empty() && !options.names.empty())
    return fail("--page compares the exporter's own counters; remove the names", kExitUsage);
  return kExitOk;
}

int verify_paths(const VerifyOptions& options) {
  if (const int wrong = check_options(options); wrong != kExitOk) return wrong;
  const ClockSource clocks = system_clocks();
  auto paths = open_paths(options, clocks);
  if (!paths) return paths.error();
  const auto names = names_of(options, *paths);
  if (!names) return names.error();
  if (options.pdh) return verify_with_pdh(options, *paths, *names, clocks);
  const StopSignal stop;
  PathVerifier verifier(*paths->registry.source, *paths->catalog, paths->other, clocks,
                        options.rounds);
  VerifyReport report{.other = options.other()};
  const bool is_whole = verify_each(*names, stop.token(), [&](const std::string& name) {
    report.countersets.push_back(verifier.verify(name, stop.token()));
  });
  if (!is_whole) return kExitFailure;
  paths->registry.source->release();
  if (paths->hosts) paths->hosts->source->release();
  complain_about_unknown(report.countersets, *paths);
  return print_report(options, report);
}

}  // namespace

void add_verify(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& command = *program.add_subcommand(
      "verify",
      "Read countersets through the registry and PerfLib or PDH, and show the differences");
  add_setup(command, options->setup, run);
  add_target(command, options->setup);
  add_names(command, options->names, "COUNTERSET",
            "countersets by their English names (default: all V2 countersets; with --hosts, all V1 "
            "objects; with --with pdh, all objects)");
  command.add_flag("--hosts", options->hosts,
                   "compare the registry with provider hosts, each of which loads one V1 provider");
  add_text(command, "--page", options->page, "URL",
           "compare the exporter's own counters (winperf_exporter and winperf_exporter counterset) "
           "through the registry with its page, such as http://127.0.0.1:10182/metrics")
      ->excludes("--hosts");
  add_choice(command, "--with", options->pdh, {{"perflib", false}, {"pdh", true}},
             "compare the registry with PerfLib, or with Windows' own reader of counters (PDH), "
             "which loads every provider")
      .excludes("--hosts")
      ->excludes("--page");
  add_text(command, "--raw", options->raw_file, "FILE",
           "with --with pdh: write all raw values and numbers of PDH as JSON Lines");
  add_time(command, "--within", options->within,
           "with --with pdh: begin with no further counterset after so long, such as 20m");
  command
      .add_option("--rounds", options->rounds,
                  "number of consecutive rounds that must show a difference before it is reported, "
                  "1 to 100")
      ->check(in_range(1, 100))
      ->type_name("N")
      ->capture_default_str();
  add_format(command, options->format);
  command.callback([options, &run] {
    run.exit_code =
        on_named_machine(options->names, options->setup, [&] { return verify_paths(*options); });
  });
}

}  // namespace winperf
