#include "service/log/logging.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "config/log_files.h"
#include "service/log/log_file.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v";
// The message, from as_json_members(), is the rest of the JSON object.
constexpr const char* kJsonPattern = "{\"time\":\"%Y-%m-%dT%H:%M:%S.%eZ\",\"level\":\"%l\",%v";

// Written by a JSON library, because texts may contain anything, such as names of providers or
// files. It leaves characters such as U+009B as they are, which a terminal may obey.
std::string as_json_members(Event event, std::string_view subject, std::string_view text) {
  nlohmann::ordered_json members{{"event", kind_of(event).name}};
  if (!subject.empty()) members["subject"] = subject;
  members["message"] = text;
  return printable(
      members.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).substr(1));
}

// Always one line, and nothing that a terminal obeys, whatever is in the text.
std::string as_text(std::string_view subject, std::string_view text) {
  std::string line(subject);
  if (!subject.empty()) line += ": ";
  line += text;
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  return printable(line);
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  static constexpr std::array kLevels{spdlog::level::trace, spdlog::level::debug,
                                      spdlog::level::info, spdlog::level::warn, spdlog::level::err};
  static_assert(kLevels.size() == static_cast<std::size_t>(LogLevel::kError) + 1);
  return kLevels.at(static_cast<std::size_t>(level));
}

// What the system says about a name that can't be followed, such as a loop of links. Missing
// folders are created, and another account may have more rights than this one.
std::optional<std::string> cannot_be_followed(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  const bool may_be_created =
      status.type() == fs::file_type::not_found && error != std::errc::not_a_directory;
  if (!error || may_be_created || error == std::errc::permission_denied) return std::nullopt;
  return system_text(error);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;  // one of the two doesn't exist
  return fs::equivalent(a, b, ignored);
}

std::shared_ptr<spdlog::sinks::sink> make_sink(const LogConfig& config, const LogPlace& place) {
  if (!config.file.empty())
    return std::make_shared<LogFile>(log_file_of(config, path_of(place.config_file)),
                                     config.max_bytes, config.max_files);
  if (!place.service_name.empty()) return nullptr;
  // spdlog's own sink for standard error would bypass service/console/console.h.
  return std::make_shared<spdlog::sinks::ostream_sink_mt>(std::cerr);
}

}  // namespace

Log::Log(LogLines lines, std::unique_ptr<EventLog> events, Now now)
    : now_(std::move(now)), events_(std::move(events)) {
  change(std::move(lines));
}

void Log::change(LogLines lines) {
  const std::lock_guard lock(mutex_);
  level_ = lines.level;
  format_ = lines.format;
  lines_.reset();
  if (lines.sink == nullptr) return;
  lines_ = std::make_unique<spdlog::logger>("winperf_exporter", std::move(lines.sink));
  lines_->set_pattern(format_ == LogFormat::kJson ? kJsonPattern : kTextPattern,
                      spdlog::pattern_time_type::utc);
  lines_->set_level(spdlog::level::trace);
  lines_->flush_on(spdlog::level::trace);
  lines_->set_error_handler([this](const std::string& why) { why_lost_ = why; });
}

Log::~Log() {
  for (const LogLimiter::Suppressed& suppressed : limiter_.rest()) put(suppressed);
  report_lost();
}

void Log::write(Event event, std::string_view subject, std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (kind_of(event).level < level_) return;
  const LogLimiter::Time now = now_();
  for (const LogLimiter::Suppressed& suppressed : limiter_.ended(now)) put(suppressed);
  if (limiter_.admit(event, subject, now)) put(event, subject, text);
}

void Log::report_suppressed() {
  const std::lock_guard lock(mutex_);
  for (const LogLimiter::Suppressed& suppressed : limiter_.ended(now_())) put(suppressed);
  report_lost();
}

void Log::put(Event event, std::string_view subject, std::string_view text) {
  if (!report_lost() || !put_line(event, subject, text)) count_lost();
  if (events_ != nullptr) events_->write(event, subject, text);
}

bool Log::put_line(Event event, std::string_view subject, std::string_view text) {
  if (lines_ == nullptr) return true;
  why_lost_.clear();
  lines_->log(to_spdlog(kind_of(event).level), format_ == LogFormat::kJson
                                                   ? as_json_members(event, subject, text)
                                                   : as_text(subject, text));
  return why_lost_.empty();
}

void Log::count_lost() {
  if (lost_++ == 0) std::cerr << "winperf_exporter: the log " << printable(why_lost_) << std::endl;
}

bool Log::report_lost() {
  if (lost_ == 0) return true;
  const std::string text = std::to_string(lost_) + (lost_ == 1 ? " line was" : " lines were") +
                           " lost, because the log could not be written: " + why_lost_;
  if (!put_line(Event::kLinesLost, {}, text)) return false;
  lost_ = 0;
  if (events_ != nullptr) events_->write(Event::kLinesLost, {}, text);
  return true;
}

void Log::put(const LogLimiter::Suppressed& suppressed) {
  put(Event::kSuppressed, suppressed.subject,
      std::to_string(suppressed.lines) + " more of the kind " +
          std::string(kind_of(suppressed.event).name) + " within a minute");
}

std::expected<LogLines, std::string> open_log_lines(const LogConfig& config,
                                                    const LogPlace& place) try {
  if (auto refused = refuse_log_file(config, place.config_file))
    return std::unexpected(*std::move(refused));
  return LogLines{.level = config.level, .format = config.format, .sink = make_sink(config, place)};
} catch (const spdlog::spdlog_ex& error) {
  return std::unexpected("the log file " + exception_text(error));
}

std::optional<std::string> refuse_log_file(const LogConfig& config,
                                           const std::string& config_file) {
  if (config.file.empty()) return std::nullopt;
  const fs::path file = log_file_of(config, path_of(config_file));
  auto reason = never_a_file(file);
  if (!reason) reason = cannot_be_followed(file);
  if (!reason) reason = why_it_overwrites_config(config, path_of(config_file), is_same_file);
  if (!reason) return std::nullopt;
  const std::string place = config_file.empty() ? "" : config_file + ": log.file: ";
  return place + "the log file " + path_text(file) + " cannot be opened: " + *reason;
}

std::expected<Logger, std::string> make_logger(const LogConfig& config, const LogPlace& place) {
  auto lines = open_log_lines(config, place);
  if (!lines) return std::unexpected(lines.error());
  auto events = place.service_name.empty() ? nullptr : open_event_log(place.service_name);
  return std::make_shared<Log>(*std::move(lines), std::move(events));
}

}  // namespace winperf
