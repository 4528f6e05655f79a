// The commands of winperf_exporter. Each returns the process' exit code, writes its result to
// standard output and its complaints to standard error.
#pragma once

#include "service/commands/command_line.h"

namespace winperf {

// Samples and serves until it is told to stop.
int run_exporter(const RunOptions& options);
// What counters this machine, or a capture, has.
int list_counters(const ListOptions& options);
// One sample of the countersets asked for, cooked against the one before it; of a replay, all
// samples.
int query_counters(const QueryOptions& options);
// Of each counterset whether it can be read and, where not, why and what to do.
int examine_counters(const DoctorOptions& options);
// Reads countersets by both paths, back to back, and tells where they differ.
int verify_paths(const VerifyOptions& options);
// Records this machine's counters, raw, for `--source replay:...`.
int capture_counters(const CaptureOptions& options);
// Whether a configuration file is valid, and what it amounts to.
int check_config(const CheckConfigOptions& options);
// Writes a new configuration file, unless there is one.
int init_config(const ConfigInitOptions& options);
// Changes values in a configuration file, and nothing else in it.
int set_config(const ConfigSetOptions& options);
// Turns windows_exporter's configuration into one of this program.
int migrate_config(const ConfigMigrateOptions& options);
// Installs, removes, starts, stops, reloads or shows the Windows service that `run` is then.
int control_service(const ServiceOptions& options);

}  // namespace winperf
