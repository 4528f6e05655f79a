// The command line: what was asked for, as a value.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "service/run/server.h"
#include "service/run/setup.h"
#include "service/scm/service_definition.h"

namespace winperf {

enum class OutputFormat { kTable, kJson, kPrometheus };

struct ListOptions {
  CommonOptions common;
  std::vector<std::string> names;  // empty: all objects
  bool counters = false;
  bool instances = false;
  bool v1_only = false;
  bool costly = false;
  bool machine_language = false;
  OutputFormat format = OutputFormat::kTable;
};

struct QueryOptions {
  CommonOptions common;
  std::vector<std::string> names;   // empty: the configured countersets; of a replay, everything
  std::optional<CounterPath> path;  // nothing: as configured
  std::chrono::milliseconds interval{1000};
  OutputFormat format = OutputFormat::kTable;
};

struct DoctorOptions {
  CommonOptions common;
  std::vector<std::string> names;  // empty: the configured countersets
  OutputFormat format = OutputFormat::kTable;
};

struct VerifyOptions {
  CommonOptions common;
  std::vector<std::string> names;  // empty: every V2 counterset
  std::size_t rounds = 3;          // a difference counts that is there in each of them
  OutputFormat format = OutputFormat::kTable;
};

struct CaptureOptions {
  CommonOptions common;
  std::string out;
  std::uint32_t samples = 3;
  std::chrono::milliseconds interval{5000};
  bool costly = false;  // also what takes long to collect
  bool scrub = false;   // without names
  std::uint64_t max_bytes = std::uint64_t{512} << 20;
};

struct CheckConfigOptions {
  CommonOptions common;     // with a file
  bool file_alone = false;  // without asking the machine
  OutputFormat format = OutputFormat::kTable;
};

struct ConfigInitOptions {
  std::string out;      // empty: standard output
  std::string address;  // empty: as in the example
  std::string port;
  bool force = false;
  bool undo = false;
};

struct ConfigSetOptions {
  std::string file;
  std::vector<std::string> changes;  // "listen.port=10182"
  bool skip_empty = false;
  bool backup = false;
  bool undo = false;
};

struct ConfigMigrateOptions {
  std::string file;                // windows_exporter's configuration; may be empty
  std::vector<std::string> flags;  // its command line
  std::string out;                 // empty: standard output
  bool force = false;
};

enum class ServiceAction { kInstall, kUninstall, kStart, kStop, kReload, kStatus };

struct ServiceOptions {
  ServiceAction action = ServiceAction::kStatus;
  ServiceRequest wish{.name = "winperf_exporter"};
  bool with_logs = false;  // kUninstall
  OutputFormat format = OutputFormat::kTable;
};

// Parses and runs; returns the process' exit code.
int run_command_line(int argc, char** argv);

}  // namespace winperf
