#include "service/run/service_reports.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace winperf {
namespace {

// As `log.level` has it.
std::string_view level_name(LogLevel level) {
  constexpr std::string_view kNames[] = {"trace", "debug", "info", "warn", "error"};
  return kNames[static_cast<std::size_t>(level)];
}

std::vector<api::Message> messages_of(std::vector<LogMessage> messages) {
  std::vector<api::Message> all;
  for (LogMessage& message : messages)
    all.push_back({.time = message.time,
                   .level = level_name(kind_of(message.event).level),
                   .event = kind_of(message.event).name,
                   .subject = std::move(message.subject),
                   .text = std::move(message.text)});
  return all;
}

}  // namespace

api::ServiceReports service_reports(const Logger& logger, api::ConfigReport config) {
  return {.messages = [logger] { return messages_of(logger->messages()); },
          .landmarks = [logger] { return messages_of(logger->landmarks()); },
          .config = std::move(config)};
}

}  // namespace winperf
