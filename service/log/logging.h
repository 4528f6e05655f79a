// The program's log: lines of text or JSON, on standard error or in files that are rotated, and for
// a service also the Windows event log.
//
// run_server() creates it and passes it down. Only service/run logs; the other rooms return values.
// A message has a kind and a subject; no more than kLinesPerMinute of each pair are written per
// minute (LogLimiter). Lines that can't be written, such as to a full disk or to a file that can't
// be opened, go to standard error or the event log. They are counted and reported as soon as
// writing succeeds, which is retried at least every kLongestPause. The last messages also stay in
// memory, whether or not they are written. Thread rule: any thread.
#pragma once

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/clock.h"
#include "config/config.h"
#include "service/log/event_log.h"
#include "service/log/log_event.h"
#include "service/log/message_memory.h"

namespace winperf {

// Writes lines to a file that is rotated: when "w.log" is full, it becomes "w.1.log", which becomes
// "w.2.log", and so on; the oldest file is deleted.
//
// Appends to an existing file, and creates missing folders. The file is opened by the first line,
// or by open(); if that fails, each line tries it again. If a full file can't be renamed because
// another program has it open, it is emptied, so that the limits on disk usage always hold. This is
// not spdlog's own sink, because that takes names in the system's code page on Windows.
//
// A line is written completely or not at all. If the disk is full, a partial line is removed, and
// no file is renamed, emptied or deleted: the first line of a new file is written under another
// name ("w.0.log") before full files are rotated. The next line tries again. Errors are spdlog's
// exceptions; their text names the file. Thread rule: any thread.
class LogFile final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  // `kept`: the number of full files kept in addition to the current one.
  LogFile(std::filesystem::path file, std::uintmax_t max_bytes, std::size_t kept);

  // Why the file can't be opened; nothing if it can.
  [[nodiscard]] std::optional<std::string> open();

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}  // each line is written when it is logged

 private:
  void open_as(std::ios::openmode mode);
  void open_to_append();
  void append(std::string_view line);
  void rotate(std::string_view line);
  // Writes the first line of the next file. False if the file cannot be created in the folder.
  bool begin(const std::filesystem::path& next, std::string_view line) const;
  // `cause`: errno.
  [[noreturn]] void fail(const char* what, int cause) const;

  const std::filesystem::path file_;
  const std::uintmax_t max_bytes_;
  const std::size_t kept_;
  std::ofstream out_;
  std::uintmax_t bytes_ = 0;
  bool was_open_ = false;
};

// Limits how many lines per minute are logged for each pair of message kind and subject, so that a
// constantly repeated failure neither floods the log nor fills the disk. One line then reports how
// many were suppressed.
//
// A pair's minute begins with its first line. When the minute is over, the next call of ended()
// reports what was suppressed; at the end, rest() does. Memory is bounded: beyond kMaxKeys pairs at
// a time, new subjects of a kind share one minute and have no name.
// Thread rule: one thread at a time. Time is an argument.
class LogLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kWindow{1};
  static constexpr std::size_t kMaxKeys = 1000;

  struct Suppressed {
    Event event;
    std::string subject;
    std::uint64_t lines;
    bool operator==(const Suppressed&) const = default;
  };

  explicit LogLimiter(std::size_t lines_per_minute) : limit_(lines_per_minute) {}

  // Suppressed lines of past minutes; each is returned once. Call it before admit().
  [[nodiscard]] std::vector<Suppressed> ended(Time now);
  // Whether a line may be written.
  [[nodiscard]] bool admit(Event event, std::string_view subject, Time now);
  // What was suppressed and not returned yet.
  [[nodiscard]] std::vector<Suppressed> rest();

 private:
  struct Window {
    Time since;
    std::size_t written = 0;
    std::uint64_t suppressed = 0;
  };
  using Key = std::pair<Event, std::string>;

  Window& window(Event event, std::string_view subject, Time now);

  const std::size_t limit_;
  std::map<Key, Window> windows_;
};

// Which lines are written, how, and where.
struct LogLines {
  LogLevel level = LogLevel::kInfo;  // also of the event log
  LogFormat format = LogFormat::kText;
  std::shared_ptr<spdlog::sinks::sink> sink{};  // null: no lines
};

struct LogHealth {
  bool is_written = true;
  std::uint64_t lost = 0;  // lines since the program was started
};

// Since lines can't be written.
struct LogFailure {
  std::string why{};  // of the last attempt
  LogLimiter::Time retry_at{};
  std::chrono::seconds pause{};
  std::uint64_t lost = 0;  // lines
};

class Log {
 public:
  static constexpr std::size_t kLinesPerMinute = 10;
  static constexpr std::chrono::seconds kLongestPause{10};  // between attempts to write
  static constexpr std::size_t kMostMessages = 1'000;       // in memory
  static constexpr std::size_t kMostMessageBytes = 512 * 1024;
  // One kind of message may use up all of that, so landmarks are kept separately.
  static constexpr std::size_t kMostLandmarks = 500;
  static constexpr std::size_t kMostLandmarkBytes = 128 * 1024;
  using Now = std::function<LogLimiter::Time()>;
  using WallNow = std::function<Ticks100ns()>;

  // `events` may be null.
  Log(LogLines lines, std::unique_ptr<EventLog> events, Now now = std::chrono::steady_clock::now,
      WallNow wall_now = system_clocks().wall_now);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();  // reports what was suppressed or lost

  // Holds for all messages from now on.
  void change(LogLines lines);

  void write(Event event, std::string_view text) { write(event, {}, text); }
  void write(Event event, std::string_view subject, std::string_view text);
  // Reports suppressed lines of past minutes, and lost lines. Call it regularly, because no other
  // line may be logged for a long time.
  void report_suppressed();
  // Records that lines can't be written, as after a failed write.
  void cannot_write(const std::string& why);
  LogHealth health() const;

  // The last ones, the oldest first, whatever the level of written lines.
  std::vector<LogMessage> messages() const;
  // Those of them that charts mark, which go back further (is_landmark()).
  std::vector<LogMessage> landmarks() const;

 private:
  void keep(Event event, std::string_view subject, std::string_view text);
  // `level`: whether it is written.
  void put(Event event, std::string_view subject, std::string_view text, LogLevel level);
  void put(const LogLimiter::Suppressed& suppressed);
  // Whether the line was written; if not, failure_ says why.
  bool put_line(Event event, std::string_view subject, std::string_view text);
  void note_failure();
  void count_lost(std::string_view subject, std::string_view text);
  // Reports lost lines, which must precede other lines; whether none is left.
  bool report_lost();

  mutable std::mutex mutex_;
  LogLevel level_ = LogLevel::kInfo;
  LogFormat format_ = LogFormat::kText;
  const Now now_;
  const WallNow wall_now_;
  MessageMemory messages_{kMostMessages, kMostMessageBytes};
  MessageMemory landmarks_{kMostLandmarks, kMostLandmarkBytes};
  LogLimiter limiter_{kLinesPerMinute};
  std::unique_ptr<spdlog::logger> lines_;
  std::string why_lost_;  // the last line; empty while one is being written
  std::optional<LogFailure> failure_;
  std::uint64_t lost_ = 0;  // lines, since the start
  const std::unique_ptr<EventLog> events_;
};

using Logger = std::shared_ptr<Log>;

// Context of the log in addition to its configuration.
struct LogPlace {
  std::string service_name{};  // empty: not a service
  std::string config_file{};  // may be empty. A log file's relative name is relative to its folder,
                              // because a service's own working folder belongs to Windows
};

// Opens the configured file. Without one, lines go to standard error; those of a service, which has
// none, go only to the event log. The error is a sentence that names the file and says why it can't
// be opened.
[[nodiscard]] std::expected<LogLines, std::string> open_log_lines(const LogConfig& config,
                                                                  const LogPlace& place);
// Why the configured file must not or can never be opened; nothing if it may. `config_file` as in
// LogPlace.
[[nodiscard]] std::optional<std::string> refuse_log_file(const LogConfig& config,
                                                         const std::string& config_file);
// Why this account can't write the configured file now, as far as can be determined without
// writing: a sentence for `check-config`.
[[nodiscard]] std::optional<std::string> log_file_notice(const LogConfig& config,
                                                         const std::string& config_file);
// The same, but a file that can't be opened is no error: an exporter without its log is better than
// none. The error is that of refuse_log_file(), which no later attempt can fix.
[[nodiscard]] std::expected<Logger, std::string> make_logger(const LogConfig& config,
                                                             const LogPlace& place);

}  // namespace winperf
