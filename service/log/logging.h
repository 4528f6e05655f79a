// The program's log: text or JSON lines to standard error or to files that are rotated, and the
// Windows event log of a service.
//
// Made once in main and passed down. Only the service room logs; the other rooms return values.
// A message has a kind and a subject, and of each pair no more than kLinesPerMinute are written
// within a minute: see service/log/log_limiter.h.
// Thread rule: any thread.
#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"
#include "service/log/event_log.h"
#include "service/log/log_event.h"
#include "service/log/log_limiter.h"

namespace winperf {

// What is written as lines, and how.
struct LogLines {
  LogLevel level = LogLevel::kInfo;  // also of the event log
  LogFormat format = LogFormat::kText;
  std::shared_ptr<spdlog::sinks::sink> sink{};  // null: nothing
};

class Log {
 public:
  static constexpr std::size_t kLinesPerMinute = 10;
  using Now = std::function<LogLimiter::Time()>;

  // `events` may be null.
  Log(LogLines lines, std::unique_ptr<EventLog> events, Now now = std::chrono::steady_clock::now);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();  // says what it has left out

  // From now on.
  void change(LogLines lines);

  void write(Event event, std::string_view text) { write(event, {}, text); }
  void write(Event event, std::string_view subject, std::string_view text);
  // To be called now and then: what was left out in minutes that are over is said even if nothing
  // else happens.
  void tell_suppressed();

 private:
  void put(Event event, std::string_view subject, std::string_view text);
  void put(const LogLimiter::Suppressed& suppressed);

  std::mutex mutex_;
  LogLevel level_ = LogLevel::kInfo;
  LogFormat format_ = LogFormat::kText;
  const Now now_;
  LogLimiter limiter_{kLinesPerMinute};
  std::unique_ptr<spdlog::logger> lines_;
  const std::unique_ptr<EventLog> events_;
};

using Logger = std::shared_ptr<Log>;

// What a running program's log depends on besides its configuration.
struct LogPlace {
  std::string service_name{};  // empty: not a service
  std::string config_file{};  // may be empty. A log file's relative name is relative to its folder,
                              // because a service's own working folder belongs to Windows
};

// Opens the configured file. Without one, lines go to standard error, which a service doesn't have:
// its messages go to the event log alone. The error is a sentence that names the file and says why
// it can't be opened.
[[nodiscard]] std::expected<LogLines, std::string> open_log_lines(const LogConfig& config,
                                                                  const LogPlace& place);
// Why open_log_lines() would not open the configured file, as far as that can be found out without
// writing; nothing if no reason is found. `config_file` as in LogPlace.
[[nodiscard]] std::optional<std::string> refuse_log_file(const LogConfig& config,
                                                         const std::string& config_file);
[[nodiscard]] std::expected<Logger, std::string> make_logger(const LogConfig& config,
                                                             const LogPlace& place);

}  // namespace winperf
