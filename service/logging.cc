#include "service/logging.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <nlohmann/json.hpp>

namespace winperf {
namespace {

constexpr std::size_t kLogFileBytes = 10 * 1024 * 1024;
constexpr std::size_t kLogFiles = 5;

// One JSON object a line. The message may hold anything a provider or a file name holds, so it goes
// through a JSON writer, not through a pattern.
class JsonFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    spdlog::memory_buf_t time;
    time_.format(message, time);
    const auto level = spdlog::level::to_string_view(message.level);
    const nlohmann::ordered_json line{
        {"time", std::string(time.data(), time.size())},
        {"level", std::string(level.data(), level.size())},
        {"message", std::string(message.payload.data(), message.payload.size())}};
    const std::string text =
        line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
    out.append(text.data(), text.data() + text.size());
  }

  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonFormatter>();
  }

 private:
  spdlog::pattern_formatter time_{"%Y-%m-%dT%H:%M:%S.%eZ", spdlog::pattern_time_type::utc, ""};
};

spdlog::level::level_enum to_spdlog(LogLevel level) {
  static constexpr std::array kLevels{spdlog::level::trace, spdlog::level::debug,
                                      spdlog::level::info, spdlog::level::warn, spdlog::level::err};
  static_assert(kLevels.size() == static_cast<std::size_t>(LogLevel::kError) + 1);
  return kLevels.at(static_cast<std::size_t>(level));
}

std::unique_ptr<spdlog::formatter> make_formatter(LogFormat format) {
  if (format == LogFormat::kJson) return std::make_unique<JsonFormatter>();
  return std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v",
                                                     spdlog::pattern_time_type::utc);
}

}  // namespace

std::expected<Logger, std::string> make_logger(const LogConfig& config) try {
  std::shared_ptr<spdlog::sinks::sink> sink;
  if (config.file.empty()) {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  } else {
    sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(config.file, kLogFileBytes,
                                                                  kLogFiles);
  }
  auto logger = std::make_shared<spdlog::logger>("winperf_exporter", std::move(sink));
  logger->set_formatter(make_formatter(config.format));
  logger->set_level(to_spdlog(config.level));
  logger->flush_on(spdlog::level::info);
  return logger;
} catch (const spdlog::spdlog_ex& error) {
  return std::unexpected("the log file cannot be opened: " + std::string(error.what()));
}

}  // namespace winperf
