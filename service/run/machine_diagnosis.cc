#include "service/run/machine_diagnosis.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/worker/worker_diagnosis.h"
#include "service/plan/setup.h"

namespace winperf {
namespace {

using QuestionJson = nlohmann::json;

std::unexpected<api::Problem> no_diagnosis(const std::string& why) {
  constexpr int kUnavailable = 503;
  return std::unexpected(
      api::Problem{.status = kUnavailable, .detail = "no diagnosis was made: " + why});
}

std::string absolute_text(const std::string& file) {
  if (file.empty()) return file;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path_of(file), error);
  return error ? file : path_text(whole);
}

// A worker may name the problems of a file line by line.
std::string in_one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::string line;
  for (const char c : text) line += c == '\n' ? "; " : std::string(1, c);
  return printable(line);
}

}  // namespace

std::string question_text(const DiagnosisQuestion& question) {
  const Overrides& overrides = question.overrides;
  const QuestionJson text{
      {"config_file", question.config_file},
      {"listen", overrides.listen},
      {"web_config_file", overrides.web_config_file},
      {"telemetry_path", overrides.telemetry_path},
      {"no_exporter_metrics", overrides.no_exporter_metrics},
      {"max_requests", overrides.max_requests ? QuestionJson(*overrides.max_requests) : nullptr}};
  return text.dump(-1, ' ', false, QuestionJson::error_handler_t::replace);
}

std::optional<DiagnosisQuestion> parse_question(std::string_view text) try {
  const auto document = QuestionJson::parse(text);
  DiagnosisQuestion question{.config_file = document.at("config_file").get<std::string>()};
  Overrides& overrides = question.overrides;
  overrides.listen = document.at("listen").get<std::vector<std::string>>();
  overrides.web_config_file = document.at("web_config_file").get<std::string>();
  overrides.telemetry_path = document.at("telemetry_path").get<std::string>();
  overrides.no_exporter_metrics = document.at("no_exporter_metrics").get<bool>();
  if (const QuestionJson& most = document.at("max_requests"); !most.is_null())
    overrides.max_requests = most.get<std::uint32_t>();
  return question;
} catch (const QuestionJson::exception&) {
  return std::nullopt;
}

DiagnosisQuestion absolute_question(std::string config_file, Overrides overrides) {
  overrides.web_config_file = absolute_text(overrides.web_config_file);
  return {.config_file = absolute_text(config_file), .overrides = std::move(overrides)};
}

std::expected<std::string, api::Problem> diagnose_by_worker(const worker::WorkerOptions& origin,
                                                            const DiagnosisQuestion& question,
                                                            const StopToken& stop) {
  if (origin.executable.empty()) return no_diagnosis("this program has no worker processes");
  const std::unique_ptr<worker::Worker> doctor = make_doctor_worker(origin);
  const auto reply = doctor->call(
      {.operation = worker::Operation::kDiagnose, .text = question_text(question)}, {}, stop);
  if (!reply) return no_diagnosis(describe(reply.error()));
  auto answer = worker::read_diagnosis(*reply);
  if (!answer) return no_diagnosis(describe(answer.error()));
  if (answer->outcome == worker::DiagnosisOutcome::kRefused)
    return no_diagnosis(in_one_line(std::move(answer->text)));
  return std::move(answer->text);
}

}  // namespace winperf
