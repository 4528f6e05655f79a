// Has this machine diagnosed by a worker process of the same program, for the API: the diagnosis of
// `doctor`, with the service's configuration file as it is then. Thread rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/base/stop.h"
#include "collectors/worker/worker.h"
#include "exporter/api/problem.h"
#include "service/run/overrides.h"

namespace winperf {

// What the worker is asked: which configuration it diagnoses.
struct DiagnosisQuestion {
  std::string config_file{};  // an absolute path; empty: the built-in defaults
  Overrides overrides{};      // of the command line, with absolute paths
};

// As text, because that has neither the limits of a command line nor its readers.
std::string question_text(const DiagnosisQuestion& question);
// Nothing if it isn't such a text.
[[nodiscard]] std::optional<DiagnosisQuestion> parse_question(std::string_view text);

// With absolute paths: the working folder of a worker is another one.
[[nodiscard]] DiagnosisQuestion absolute_question(std::string config_file, Overrides overrides);

// Waits for the worker, and ends it. What it returns is the worker's text, which may be anything of
// up to 4 MiB. Errors: 503 with a sentence, which is that of the worker, or says how it was lost.
[[nodiscard]] std::expected<std::string, api::Problem> diagnose_by_worker(
    const worker::WorkerOptions& origin, const DiagnosisQuestion& question, const StopToken& stop);

}  // namespace winperf
