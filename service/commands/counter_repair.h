// `doctor --repair counters`: registers the exporter's own counters again, as the configuration of
// the installed service says. Thread rule: one thread.
#pragma once

namespace winperf {

// Shows on standard output what is registered and what will be done, and asks on standard input
// unless `is_confirmed`. Returns the exit code.
[[nodiscard]] int repair_counters(bool is_confirmed);

}  // namespace winperf
