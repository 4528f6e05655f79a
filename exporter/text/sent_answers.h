// What the HTTP server has sent, for the exporter's own metrics. Thread rule: values.
#pragma once

#include <chrono>
#include <cstdint>

namespace winperf {

struct SentAnswers {
  std::uint64_t bytes = 0;  // of answers, with their heads and before TLS
  // Answers with metrics that are out as a whole: their number, the bytes of their bodies as sent,
  // and the time that it took to make them.
  std::uint64_t scrapes = 0;
  std::uint64_t scrape_bytes = 0;
  std::chrono::steady_clock::duration scrape_time{};
};

}  // namespace winperf
