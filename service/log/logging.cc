#include "service/log/logging.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "collectors/base/file_failure.h"
#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "config/log_files.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

// Writes the line as far as there is room. What went wrong is errno.
std::optional<int> write(std::ofstream& out, std::string_view line) {
  errno = 0;
  if (out.write(line.data(), static_cast<std::streamsize>(line.size())).flush())
    return std::nullopt;
  return errno;
}

// Whether a file can't be created for a reason other than a full disk.
bool is_refused(int cause) {
  return cause == EACCES || cause == EPERM || cause == EROFS || cause == EISDIR;
}

}  // namespace

LogFile::LogFile(fs::path file, std::uintmax_t max_bytes, std::size_t kept)
    : file_(std::move(file)), max_bytes_(max_bytes), kept_(kept) {}

std::optional<std::string> LogFile::open() try {
  const std::lock_guard lock(mutex_);
  open_to_append();
  return std::nullopt;
} catch (const spdlog::spdlog_ex& error) {
  return exception_text(error);
}

void LogFile::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t formatted;
  formatter_->format(message, formatted);
  const std::string_view line(formatted.data(), formatted.size());
  // An earlier failure, such as a full disk, may have been resolved.
  out_.clear();
  open_to_append();
  if (bytes_ > 0 && bytes_ + line.size() > max_bytes_) {
    rotate(line);
  } else {
    append(line);
  }
}

void LogFile::open_as(std::ios::openmode mode) {
  // An account that may write in the folder must not redirect this account's output with a link.
  if (const auto why = leads_elsewhere(file_))
    throw spdlog::spdlog_ex(path_text(file_) + " cannot be opened: " + *why);
  std::error_code error;
  // Without them, opening the file fails below.
  if (file_.has_parent_path()) fs::create_directories(file_.parent_path(), error);
  errno = 0;
  out_.open(file_, std::ios::out | std::ios::binary | mode);
  if (!out_) fail("cannot be opened", errno);
}

// Later additions by other programs don't count towards the size.
void LogFile::open_to_append() {
  if (out_.is_open()) return;
  open_as(std::ios::app);
  if (was_open_) return;
  was_open_ = true;
  std::error_code error;
  bytes_ = fs::file_size(file_, error);
  if (error) bytes_ = 0;
}

void LogFile::append(std::string_view line) {
  std::error_code ignored;  // of a device, which has no size
  // Windows may report a smaller size for an open file; another program may have added to it.
  const std::uintmax_t before = std::max(bytes_, fs::file_size(file_, ignored));
  if (const auto cause = write(out_, line)) {
    out_.close();
    // Removes the beginning of the line, but nothing that another program has written.
    const std::uintmax_t after = fs::file_size(file_, ignored);
    if (!ignored && after > before && after - before <= line.size())
      fs::resize_file(file_, before, ignored);
    fail("cannot be written to", *cause);
  }
  bytes_ += line.size();
}

void LogFile::rotate(std::string_view line) {
  const fs::path next = full_log_file(file_, 0);
  const bool begun = begin(next, line);
  out_.close();
  std::error_code error;
  for (std::size_t number = kept_; number > 0; --number)
    fs::rename(number == 1 ? file_ : full_log_file(file_, number - 1), full_log_file(file_, number),
               error);
  if (begun) {
    fs::rename(next, file_, error);
    bytes_ = line.size();
    if (!error) return open_as(std::ios::app);
    fs::remove(next, error);
  }
  open_as(std::ios::trunc);
  bytes_ = 0;
  append(line);
}

bool LogFile::begin(const fs::path& next, std::string_view line) const {
  errno = 0;
  std::ofstream out(next, std::ios::out | std::ios::binary | std::ios::trunc);
  int cause = errno;
  if (!out && is_refused(cause)) return false;
  if (out) {
    const auto failure = write(out, line);
    if (!failure) return true;
    cause = *failure;
    out.close();
    std::error_code ignored;
    fs::remove(next, ignored);
  }
  fail("cannot be written to", cause);
}

void LogFile::fail(const char* what, int cause) const {
  const std::error_code error(cause, std::generic_category());
  throw spdlog::spdlog_ex(path_text(file_) + ' ' + what + ": " + system_text(error));
}

std::vector<LogLimiter::Suppressed> LogLimiter::ended(Time now) {
  std::vector<Suppressed> over;
  for (auto it = windows_.begin(); it != windows_.end();) {
    const auto& [key, window] = *it;
    if (now - window.since < kWindow) {
      ++it;
      continue;
    }
    if (window.suppressed > 0) over.push_back({key.first, key.second, window.suppressed});
    it = windows_.erase(it);
  }
  return over;
}

bool LogLimiter::admit(Event event, std::string_view subject, Time now) {
  Window& current = window(event, subject, now);
  if (current.written >= limit_) {
    ++current.suppressed;
    return false;
  }
  ++current.written;
  return true;
}

std::vector<LogLimiter::Suppressed> LogLimiter::rest() { return ended(Time::max()); }

LogLimiter::Window& LogLimiter::window(Event event, std::string_view subject, Time now) {
  Key key{event, subject};
  if (windows_.size() >= kMaxKeys && !windows_.contains(key)) key.second.clear();
  return windows_.try_emplace(std::move(key), Window{.since = now}).first->second;
}

namespace {

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

// Always one line, without terminal escapes.
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

// The system's error for a name that can never be resolved, such as a loop of links. Other errors
// may be temporary: missing folders are created, another account may have more rights, and a
// missing disk may appear later.
std::optional<std::string> cannot_be_followed(const fs::path& file) {
  std::error_code error;
  static_cast<void>(fs::status(file, error));
  const bool is_mistake =
      error == std::errc::not_a_directory || error == std::errc::too_many_symbolic_link_levels ||
      error == std::errc::filename_too_long || error == std::errc::invalid_argument;
  return is_mistake ? std::optional(system_text(error)) : std::nullopt;
}

// Windows reports such a path only as missing.
std::optional<std::string> lies_below_a_file(const fs::path& file) {
  std::error_code ignored;  // opening the file reports the reason
  const fs::path there = nearest_existing(file);
  if (!fs::is_regular_file(there, ignored) || fs::equivalent(there, file, ignored))
    return std::nullopt;
  return path_text(there) + " is a file, not a folder";
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;  // one of the two doesn't exist
  return fs::equivalent(a, b, ignored);
}

// Where lines go without a file.
std::shared_ptr<spdlog::sinks::sink> make_console(const LogPlace& place) {
  if (!place.service_name.empty()) return nullptr;
  // spdlog's own sink for standard error would bypass service/console/console.h.
  return std::make_shared<spdlog::sinks::ostream_sink_mt>(std::cerr);
}

// As configured, with the reason if their file can't be opened now.
std::pair<LogLines, std::optional<std::string>> lines_of(const LogConfig& config,
                                                         const LogPlace& place) {
  LogLines lines{.level = config.level, .format = config.format};
  if (config.file.empty()) {
    lines.sink = make_console(place);
    return {std::move(lines), std::nullopt};
  }
  const auto file = std::make_shared<LogFile>(log_file_of(config, path_of(place.config_file)),
                                              config.max_bytes, config.max_files);
  lines.sink = file;
  return {std::move(lines), file->open()};
}

}  // namespace

Log::Log(LogLines lines, std::unique_ptr<EventLog> events, Now now, WallNow wall_now)
    : now_(std::move(now)), wall_now_(std::move(wall_now)), events_(std::move(events)) {
  change(std::move(lines));
}

void Log::change(LogLines lines) {
  const std::lock_guard lock(mutex_);
  level_ = lines.level;
  format_ = lines.format;
  lines_.reset();
  if (failure_) failure_->retry_at = {};
  if (lines.sink == nullptr) return;
  lines_ = std::make_unique<spdlog::logger>("winperf_exporter", std::move(lines.sink));
  lines_->set_pattern(format_ == LogFormat::kJson ? kJsonPattern : kTextPattern,
                      spdlog::pattern_time_type::utc);
  lines_->set_level(spdlog::level::trace);
  lines_->flush_on(spdlog::level::trace);
  lines_->set_error_handler([this](const std::string& why) { why_lost_ = why; });
}

Log::~Log() {
  if (failure_) failure_->retry_at = {};
  for (const LogLimiter::Suppressed& suppressed : limiter_.rest()) put(suppressed);
  report_lost();
}

void Log::write(Event event, std::string_view subject, std::string_view text) {
  const std::lock_guard lock(mutex_);
  const LogLimiter::Time now = now_();
  for (const LogLimiter::Suppressed& suppressed : limiter_.ended(now)) put(suppressed);
  if (limiter_.admit(event, subject, now)) put(event, subject, text, kind_of(event).level);
}

void Log::report_suppressed() {
  const std::lock_guard lock(mutex_);
  for (const LogLimiter::Suppressed& suppressed : limiter_.ended(now_())) put(suppressed);
  report_lost();
}

void Log::keep(Event event, std::string_view subject, std::string_view text) {
  const LogMessage message{.time = wall_now_(),
                           .event = event,
                           .subject = std::string(subject),
                           .text = std::string(text)};
  if (is_landmark(event)) landmarks_.add(message);
  messages_.add(message);
}

std::vector<LogMessage> Log::messages() const {
  const std::lock_guard lock(mutex_);
  return {messages_.messages().begin(), messages_.messages().end()};
}

std::vector<LogMessage> Log::landmarks() const {
  const std::lock_guard lock(mutex_);
  return {landmarks_.messages().begin(), landmarks_.messages().end()};
}

void Log::put(Event event, std::string_view subject, std::string_view text, LogLevel level) {
  keep(event, subject, text);
  if (level < level_) return;
  if (!report_lost() || !put_line(event, subject, text)) count_lost(subject, text);
  if (events_ != nullptr) events_->write(event, subject, text);
}

bool Log::put_line(Event event, std::string_view subject, std::string_view text) {
  if (lines_ == nullptr) return true;
  why_lost_.clear();
  lines_->log(to_spdlog(kind_of(event).level), format_ == LogFormat::kJson
                                                   ? as_json_members(event, subject, text)
                                                   : as_text(subject, text));
  if (why_lost_.empty()) return true;
  note_failure();
  return false;
}

// An attempt to write has failed.
void Log::note_failure() {
  const bool is_first = !failure_;
  if (is_first) failure_.emplace();
  failure_->why = why_lost_;
  failure_->pause = std::clamp(2 * failure_->pause, std::chrono::seconds(1), kLongestPause);
  failure_->retry_at = now_() + failure_->pause;
  if (!is_first) return;
  std::cerr << "winperf_exporter: the log " << printable(why_lost_) << std::endl;
  keep(Event::kLogFails, {}, why_lost_);
  if (events_ != nullptr) events_->write(Event::kLogFails, {}, why_lost_);
}

void Log::cannot_write(const std::string& why) {
  const std::lock_guard lock(mutex_);
  why_lost_ = why;
  note_failure();
}

// A service has the event log instead.
void Log::count_lost(std::string_view subject, std::string_view text) {
  ++lost_;
  ++failure_->lost;
  if (events_ == nullptr) std::cerr << as_text(subject, text) << std::endl;
}

bool Log::report_lost() {
  if (!failure_) return true;
  if (now_() < failure_->retry_at) return false;
  const std::uint64_t lost = failure_->lost;
  if (lost == 0) {  // it could not be opened, and no line was logged
    failure_.reset();
    return true;
  }
  const std::string text = std::to_string(lost) + (lost == 1 ? " line was" : " lines were") +
                           " lost because the log could not be written: " + failure_->why;
  if (!put_line(Event::kLinesLost, {}, text)) return false;
  failure_.reset();
  keep(Event::kLinesLost, {}, text);
  if (events_ != nullptr) events_->write(Event::kLinesLost, {}, text);
  return true;
}

LogHealth Log::health() const {
  const std::lock_guard lock(mutex_);
  return {.is_written = !failure_, .lost = lost_};
}

void Log::put(const LogLimiter::Suppressed& suppressed) {
  put(Event::kSuppressed, suppressed.subject,
      std::to_string(suppressed.lines) + " more messages of kind " +
          std::string(kind_of(suppressed.event).name) + " within a minute",
      kind_of(suppressed.event).level);
}

std::expected<LogLines, std::string> open_log_lines(const LogConfig& config,
                                                    const LogPlace& place) {
  if (auto refused = refuse_log_file(config, place.config_file))
    return std::unexpected(*std::move(refused));
  auto [lines, failure] = lines_of(config, place);
  if (failure) return std::unexpected("the log file " + *failure);
  return std::move(lines);
}

std::optional<std::string> refuse_log_file(const LogConfig& config,
                                           const std::string& config_file) {
  if (config.file.empty()) return std::nullopt;
  const fs::path file = log_file_of(config, path_of(config_file));
  auto reason = never_a_file(file);
  if (!reason) reason = cannot_be_followed(file);
  if (!reason) reason = lies_below_a_file(file);
  if (!reason) reason = why_it_overwrites_config(config, path_of(config_file), is_same_file);
  if (!reason) return std::nullopt;
  const std::string place = config_file.empty() ? "" : config_file + ": log.file: ";
  return place + "the log file " + path_text(file) + " cannot be opened: " + *reason;
}

std::optional<std::string> log_file_notice(const LogConfig& config,
                                           const std::string& config_file) {
  if (config.file.empty()) return std::nullopt;
  const fs::path file = log_file_of(config, path_of(config_file));
  const auto reason = why_not_writable(file);
  if (!reason) return std::nullopt;
  return "the log file " + path_text(file) + " cannot be written by this account: " + *reason +
         "; the program runs without its log and retries";
}

std::expected<Logger, std::string> make_logger(const LogConfig& config, const LogPlace& place) {
  if (auto refused = refuse_log_file(config, place.config_file))
    return std::unexpected(*std::move(refused));
  auto events = place.service_name.empty() ? nullptr : open_event_log(place.service_name);
  auto [lines, failure] = lines_of(config, place);
  auto logger = std::make_shared<Log>(std::move(lines), std::move(events));
  if (failure) logger->cannot_write(*failure);
  return logger;
}

}  // namespace winperf
