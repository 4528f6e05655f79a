#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "config/patterns.h"
#include "service/commands/command.h"
#include "service/commands/query.h"
#include "service/console/terminal.h"

namespace winperf {
namespace {

// What Task Manager shows of a process.
constexpr std::string_view kCounters[] = {"% Processor Time",      "ID Process",
                                          "Working Set - Private", "IO Data Bytes/sec",
                                          "Thread Count",          "Handle Count"};
constexpr std::size_t kDefaultLines = 20;

void include(Filter& filter, std::string_view counter) {
  auto one = filter_of(std::string(counter));
  if (one) std::ranges::move(one->include, std::back_inserter(filter.include));
}

struct TopOptions {
  QueryOptions query{};
  std::string counter{};  // empty: % Processor Time
};

int show_top(TopOptions options) {
  QueryOptions& query = options.query;
  if (const auto path = parse_perfmon_path(options.counter)) {
    query.names = {options.counter};
    if (!is_pattern(path->counter)) query.sort = path->counter;
  } else {
    query.names = {"Process"};
    query.sort = options.counter.empty() ? std::string(kCounters[0]) : options.counter;
    Filter shown;
    for (const std::string_view counter : kCounters) include(shown, counter);
    include(shown, query.sort);
    query.counters = std::move(shown);
  }
  query.watches = !query.setup.source.is_recorded() && terminal_size().has_value();
  return on_named_machine(query.names, query.setup, [&] { return query_counters(query); });
}

}  // namespace

void add_top(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<TopOptions>();
  options->query.ranks = true;
  options->query.most = kDefaultLines;
  CLI::App& command = *program.add_subcommand(
      "top", "Show the processes, or other instances, with the largest values of a counter");
  add_setup(command, options->query.setup, run);
  add_target(command, options->query.setup);
  command
      .add_option("counter", options->counter,
                  "a counter of Process, or a perfmon path such as \\LogicalDisk(*)\\% Free Space")
      ->type_name("COUNTER")
      ->default_str("% Processor Time");
  command
      .add_option("-n,--lines", options->query.most,
                  "number of instances to show; 0 means all, or as many as fit")
      ->type_name("N")
      ->default_str(std::to_string(kDefaultLines));
  add_interval(command, options->query.interval, "1s");
  command.callback([options, &run] { run.exit_code = show_top(*options); });
}

}  // namespace winperf
