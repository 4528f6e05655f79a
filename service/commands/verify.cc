#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "collectors/sampler/path_verifier.h"
#include "config/patterns.h"
#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/commands/page_path.h"
#include "service/console/json_document.h"
#include "service/console/look.h"
#include "service/console/progress_line.h"
#include "service/console/stop_signal.h"
#include "service/console/text_columns.h"
#include "service/plan/plan.h"
#include "service/run/discovery.h"

namespace winperf {
namespace {

struct VerifyOptions {
  SetupOptions setup;
  std::vector<std::string> names;  // empty: all of the other path
  bool hosts = false;              // compare with them instead of PerfLib
  std::string page;                // compare with this page instead: its URL
  std::size_t rounds = 3;          // a difference counts if every round shows it
  OutputFormat format = OutputFormat::kTable;

  // The other path's name in columns and keys.
  const char* other() const { return hosts ? "hosts" : page.empty() ? "perflib" : "page"; }
};

struct Totals {
  std::size_t countersets = 0;
  std::size_t delivered = 0;
  std::size_t compared = 0;
  std::size_t moving = 0;
  std::size_t differences = 0;
};

Totals totals_of(std::span<const VerifiedCounterset> results) {
  Totals totals;
  for (const VerifiedCounterset& result : results) {
    ++totals.countersets;
    totals.delivered += result.delivered();
    totals.compared += result.comparison.compared;
    totals.moving += result.comparison.moving;
    totals.differences += result.comparison.differences.size();
    if (result.registry_error.has_value() != result.other_error.has_value()) ++totals.differences;
  }
  return totals;
}

std::string text_of(const std::optional<Error>& error) {
  return error ? describe(*error) : std::string("delivered");
}

nlohmann::ordered_json json_of(const std::optional<Error>& error) {
  return error ? nlohmann::ordered_json(describe(*error)) : nlohmann::ordered_json(nullptr);
}

// Whether at least one counterset was delivered and nothing differs.
bool verified(std::span<const VerifiedCounterset> results) {
  const Totals totals = totals_of(results);
  return totals.delivered != 0 && totals.differences == 0;
}

// A line per difference, then a summary.
std::string verification_table(std::span<const VerifiedCounterset> results, const char* other,
                               const Look& look) {
  TextColumns table({"counterset", "instance", "counter", "difference", "registry", other});
  for (const VerifiedCounterset& result : results) {
    if (result.registry_error.has_value() != result.other_error.has_value())
      table.add({result.name, "", "", "only through one path", text_of(result.registry_error),
                 text_of(result.other_error)});
    for (const PathDifference& difference : result.comparison.differences)
      table.add({result.name, difference.instance, difference.counter, difference.what,
                 difference.registry, difference.other});
  }
  const Totals totals = totals_of(results);
  std::string out = table.empty() ? std::string() : table.text() + '\n';
  for (const VerifiedCounterset& result : results) {
    if (!result.registry_error || !result.other_error) continue;
    out += printable(result.name) +
           ": not compared, because neither path has data: " + describe(*result.other_error) + '\n';
  }
  return out + std::to_string(totals.delivered) + " of " +
         counted(totals.countersets, "counterset") +
         " compared: " + counted(totals.compared, "value") + ", of which " +
         std::to_string(totals.moving) + " changed too fast to compare; " +
         coloured(counted(totals.differences, "difference"),
                  verified(results) ? Colour::kGreen : Colour::kRed, look.has_colours) +
         '\n';
}

std::string verification_json(std::span<const VerifiedCounterset> results,
                              const std::string& other) {
  nlohmann::ordered_json countersets = nlohmann::ordered_json::array();
  for (const VerifiedCounterset& result : results) {
    nlohmann::ordered_json differences = nlohmann::ordered_json::array();
    for (const PathDifference& difference : result.comparison.differences)
      differences.push_back({{"instance", difference.instance},
                             {"counter", difference.counter},
                             {"difference", difference.what},
                             {"registry", difference.registry},
                             {other, difference.other}});
    countersets.push_back({{"name", result.name},
                           {"agrees", result.agrees()},
                           {"registry_error", json_of(result.registry_error)},
                           {other + "_error", json_of(result.other_error)},
                           {"compared", result.comparison.compared},
                           {"moving", result.comparison.moving},
                           {"differences", std::move(differences)}});
  }
  return json_document({{"verified", verified(results)}, {"countersets", std::move(countersets)}});
}

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
  if (options.hosts && !setup.config->workers.leave_out.empty())
    return fail(
        "a registry query loads every provider, including those in workers.leave_out; use a "
        "configuration without that key");
  if (options.hosts && setup.is_replay)
    return fail("a recording has no providers; run this on the machine itself");
  if (!options.page.empty() && setup.is_replay)
    return fail("a recording is not a running exporter; run this on the machine itself");
  if (!options.hosts && options.page.empty() && setup.perflib == nullptr)
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

// Of the objects that have a registered provider.
std::expected<std::vector<std::string>, int> v1_names(Paths& paths) {
  SourceHealth* const hosts = paths.hosts->source->health();
  const auto listing =
      make_listing({.registry = *paths.registry.source, .catalog = paths.catalog->catalog()}, {});
  if (!listing) return std::unexpected(fail(listing.error()));
  std::vector<std::string> names;
  for (const ListedObject& object : listing->objects) {
    if (hosts == nullptr || hosts->supplier_of(object.schema.index) == nullptr) continue;
    const bool is_only_one = paths.catalog->objects_named(object.schema.name).size() == 1;
    names.push_back(is_only_one ? object.schema.name
                                : std::to_string(value_of(object.schema.index)));
  }
  if (names.empty())
    return std::unexpected(fail("no object on this machine has a registered V1 provider"));
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
  if (!options.hosts) return v2_names(paths.perflib->catalog());
  return v1_names(paths);
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

int verify_paths(const VerifyOptions& options) {
  if (options.hosts && !options.setup.target.empty())
    return fail("--hosts compares the providers of this machine; remove --target", kExitUsage);
  if (!options.page.empty() && !options.setup.target.empty())
    return fail("--page compares the counters of this machine; remove --target", kExitUsage);
  if (!options.page.empty() && !options.names.empty())
    return fail("--page compares the exporter's own counters; remove the names", kExitUsage);
  const ClockSource clocks = system_clocks();
  auto paths = open_paths(options, clocks);
  if (!paths) return paths.error();
  const auto names = names_of(options, *paths);
  if (!names) return names.error();
  const StopSignal stop;
  PathVerifier verifier(*paths->registry.source, *paths->catalog, paths->other, clocks,
                        options.rounds);
  std::vector<VerifiedCounterset> results;
  std::optional<ProgressLine> progress;
  for (const std::string& name : *names) {
    const std::string text = "comparing " + name;
    if (progress)
      progress->show(text);
    else
      progress.emplace(text);
    results.push_back(verifier.verify(name, stop.token()));
    if (stop.token().stop_requested()) return kExitFailure;
  }
  progress.reset();
  paths->registry.source->release();
  if (paths->hosts) paths->hosts->source->release();
  complain_about_unknown(results, *paths);
  std::cout << (options.format == OutputFormat::kJson
                    ? verification_json(results, options.other())
                    : verification_table(results, options.other(), output_look(true)));
  return verified(results) ? kExitOk : kExitFailure;
}

}  // namespace

void add_verify(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& command = *program.add_subcommand(
      "verify", "Read countersets through the registry and PerfLib, and show the differences");
  add_setup(command, options->setup, run);
  add_target(command, options->setup);
  add_names(command, options->names, "COUNTERSET",
            "countersets by their English names (default: all V2 countersets; with --hosts, all V1 "
            "objects)");
  command.add_flag("--hosts", options->hosts,
                   "compare the registry with provider hosts, each of which loads one V1 provider");
  add_text(command, "--page", options->page, "URL",
           "compare the exporter's own counters (winperf_exporter and winperf_exporter counterset) "
           "through the registry with its page, such as http://127.0.0.1:10182/metrics")
      ->excludes("--hosts");
  command
      .add_option("--rounds", options->rounds,
                  "number of consecutive rounds that must show a difference before it is reported, "
                  "1 to 100")
      ->check(CLI::Range(1, 100).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_format(command, options->format);
  command.callback([options, &run] {
    run.exit_code =
        on_named_machine(options->names, options->setup, [&] { return verify_paths(*options); });
  });
}

}  // namespace winperf
