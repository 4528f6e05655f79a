// Clients that scrape while the samples are taken, each once for a round if it can keep up: pages,
// compressed and not, JSON, and some that break off or send garbage. Thread rule: one thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/soak/http.h"

namespace winperf::soak {

class Clients {
 public:
  explicit Clients(int port);
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;
  ~Clients();

  // Another round has begun.
  void go();
  std::uint64_t scrapes() const { return scrapes_; }
  // What was wrong with the first answer that wasn't right.
  std::optional<std::string> wrong();

 private:
  void repeat(const std::function<void()>& work);
  void expect(const Answer& answer, std::string_view beginning);
  void scrape(std::string_view path, std::string_view headers, std::string_view beginning);
  void break_off();

  const int port_;
  std::atomic<std::uint64_t> scrapes_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t round_ = 0;
  bool is_over_ = false;
  std::optional<std::string> wrong_;
  std::vector<std::jthread> threads_;
};

}  // namespace winperf::soak
