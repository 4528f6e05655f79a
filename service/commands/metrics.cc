#include <memory>

#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/commands/metric_listing.h"

namespace winperf {

void add_metrics(CLI::App& program, int& exit_code) {
  struct Options : ListOptions {
    SetupOptions setup;
    OutputFormat format = OutputFormat::kTable;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command = *program.add_subcommand(
      "metrics", "list the metrics that this machine gives, and which of them are sampled");
  add_setup(command, options->setup);
  add_names(command, options->names, "OBJECT",
            "objects by name or index, or perfmon's paths, instead of all");
  command.add_flag("--costly", options->costly,
                   "list those of objects that are expensive to collect, too; may take minutes");
  add_format(command, options->format);
  command.callback([options, &exit_code] {
    const auto text_of = [&](const Setup& setup, const Listing& listing) {
      const auto metrics = list_metrics(listing, setup.config, setup.source->is_live());
      return options->format == OutputFormat::kJson ? metrics_to_json(metrics)
                                                    : metrics_to_table(metrics);
    };
    exit_code = show_listing(options->setup, *options, text_of);
  });
}

}  // namespace winperf
