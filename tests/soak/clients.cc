#include "tests/soak/clients.h"

#include <array>
#include <exception>

namespace winperf::soak {

Clients::Clients(int port) : port_(port) {
  threads_.emplace_back([this] { scrape("/metrics", "Accept-Encoding: gzip\r\n", "\x1f\x8b"); });
  threads_.emplace_back([this] { scrape("/metrics", "", "# HELP"); });
  threads_.emplace_back([this] { scrape("/api/v1/sample", "", "{"); });
  threads_.emplace_back([this] { break_off(); });
}

Clients::~Clients() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
}

void Clients::go() {
  {
    const std::lock_guard lock(mutex_);
    ++round_;
  }
  changed_.notify_all();
}

std::optional<std::string> Clients::wrong() {
  const std::lock_guard lock(mutex_);
  return wrong_;
}

void Clients::repeat(const std::function<void()>& work) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_over_ || round_ != seen; });
    if (is_over_) return;
    seen = round_;
    lock.unlock();
    std::optional<std::string> wrong;
    try {
      work();
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    lock.lock();
    if (wrong && !wrong_) wrong_ = wrong;
  }
}

void Clients::expect(const Answer& answer, std::string_view beginning) {
  ++scrapes_;
  if (answer.status == 200 && answer.body.starts_with(beginning)) return;
  throw std::runtime_error("a scrape got " + std::to_string(answer.status) + ": " +
                           answer.body.substr(0, 200));
}

void Clients::scrape(std::string_view path, std::string_view headers, std::string_view beginning) {
  constexpr int kRequests = 100;  // on each connection
  std::optional<HttpConnection> connection;
  int requests = 0;
  repeat([&] {
    if (!connection || ++requests % kRequests == 0) connection.emplace(port_);
    expect(connection->ask("GET", path, headers), beginning);
  });
}

void Clients::break_off() {
  constexpr std::array<std::string_view, 4> kPieces{
      "", "GET /met", "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "\0\xff garbage\r\n\r\n"};
  std::size_t turn = 0;
  repeat([&] { HttpConnection(port_).send(kPieces[++turn % kPieces.size()]); });
}

}  // namespace winperf::soak
