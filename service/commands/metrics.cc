#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/commands/metric_listing.h"
#include "service/commands/named_metrics.h"
#include "service/console/look.h"

namespace winperf {
namespace {

// Where this machine has no counters, nothing is served; the list is the same.
int show_profile(const SetupOptions& setup_options, const ListOptions& options,
                 MetricProfile profile, OutputFormat format, bool is_wide) {
  if (!options.names.empty())
    return fail("--profile lists the metrics of all objects; remove the object names", kExitUsage);
  const auto config = load_or_complain(setup_options.config_file);
  if (!config) return config.error();
  std::set<std::string, std::less<>> served;
  const auto setup = open_sources(setup_options, *config);
  const auto listing = setup ? make_listing(*setup, options)
                             : std::expected<Listing, std::string>(std::unexpected(setup.error()));
  if (listing)
    served = served_names(*listing, *config, profile);
  else
    complain("this machine serves none of these metrics: " + listing.error());
  const auto metrics = list_profile(profile, served);
  std::cout << (format == OutputFormat::kJson
                    ? profile_to_json(metrics)
                    : profile_to_table(metrics, output_look(is_wide).columns));
  return kExitOk;
}

}  // namespace

void add_metrics(CLI::App& program, CommandRun& run) {
  struct Options : ListOptions {
    SetupOptions setup;
    OutputFormat format = OutputFormat::kTable;
    std::optional<MetricProfile> profile;
    bool wide = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command = *program.add_subcommand(
      "metrics", "List the metrics of this machine and their series on the page");
  add_setup(command, options->setup, run);
  add_names(command, options->names, "OBJECT",
            "objects by name or index, or counter paths (default: all objects)");
  command.add_flag("--costly", options->costly,
                   "include objects that are expensive to collect; may take minutes");
  add_format(command, options->format);
  add_wide(command, options->wide);
  add_choice(command, "--profile", options->profile,
             {{"windows_exporter", std::optional(MetricProfile::kWindowsExporter)},
              {"windows_exporter_legacy", std::optional(MetricProfile::kWindowsExporterLegacy)}},
             "list all metrics of this profile, including those that this machine cannot serve");
  command.callback([options, &run] {
    if (options->profile) {
      run.exit_code =
          show_profile(options->setup, *options, *options->profile, options->format, options->wide);
      return;
    }
    options->instances = true;  // each is a series
    options->whole_objects = true;
    const auto text_of = [&](const Setup& setup, const Listing& listing) {
      const auto metrics = named_metrics(
          list_metrics(listing, setup.config, setup.source->is_live()), listing, options->names);
      for (const std::string& reason :
           reasons_without_metric(metrics, listing, setup.config, options->names))
        complain(reason);
      return options->format == OutputFormat::kJson
                 ? metrics_to_json(metrics)
                 : metrics_to_table(metrics, output_look(options->wide).columns);
    };
    run.exit_code = show_listing(options->setup, *options, text_of);
  });
}

}  // namespace winperf
