// A front with answers that a test holds back, and what it tells whoever counts. Thread rule: one
// thread, besides those of the front.
#pragma once

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "exporter/http/front.h"
#include "tests/exporter/support/raw_connection.h"

namespace winperf::testing {

inline constexpr std::chrono::milliseconds kAtOnce{0};
inline constexpr std::chrono::hours kNever{1};
inline constexpr char kGet[] = "GET /now HTTP/1.1\r\nHost: x\r\n\r\n";
inline constexpr char kHold[] = "GET /hold HTTP/1.1\r\nHost: x\r\n\r\n";
inline constexpr char kPost[] = "POST /hold HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
inline constexpr char kLong[] = "GET /long HTTP/1.1\r\nHost: x\r\n\r\n";
inline constexpr char kOwn[] = "GET /own HTTP/1.0\r\n\r\n";
inline constexpr char kDone[] = "done\n";

// Answers "done", /hold... only when it may; /dear... is dear. /long and /own have a body that no
// socket takes at once, /own one that no other answer shares.
class HeldAnswers final : public Answerer {
 public:
  static constexpr std::size_t kOwnBytes = std::size_t{8} << 20;

  Answer answer(const RequestHead& request, bool is_last) override {
    tell(request.target);
    if (request.target.starts_with("/hold")) wait(request.target);
    Answer answer;
    answer.head = "HTTP/1.1 200 OK\r\n\r\n";
    answer.body = kDone;
    if (request.target == "/long") answer.body = long_body();
    if (request.target == "/own") answer.body = own_body(kOwnBytes);
    if (request.target == "/64k") answer.body = own_body(64 << 10);
    if (request.target == "/64k-1") answer.body = own_body((64 << 10) - 1);
    if (request.target == "/throw") throw std::bad_alloc();
    answer.closes = is_last;
    return answer;
  }
  // Of a POST it is slow.
  Effort effort_of(const RequestHead& request) override {
    if (request.method == "POST") return Effort::kSlow;
    return request.target.starts_with("/dear") ? Effort::kCostly : Effort::kPlain;
  }
  Answer refuse(const Refusal& refusal) override {
    Answer answer;
    answer.head = "HTTP/1.1 " + std::to_string(refusal.status) + "\r\n\r\n";
    answer.closes = true;
    return answer;
  }

  // Those whose answers were made or are being made, in their order.
  std::vector<std::string> begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }
  void wait_for(int held) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ == held; });
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  // Only this one.
  void let_go(const std::string& target) {
    const std::lock_guard lock(mutex_);
    let_go_.insert(target);
    changed_.notify_all();
  }

 private:
  void tell(const std::string& target) {
    const std::lock_guard lock(mutex_);
    begun_.push_back(target);
  }
  void wait(const std::string& target) {
    std::unique_lock lock(mutex_);
    ++held_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_ || let_go_.contains(target); });
  }

  static std::string own_body(std::size_t bytes) {
    return std::string(bytes - sizeof(kDone) + 1, 'x') + kDone;
  }
  static SharedText long_body() {
    static const SharedText body(std::string(std::size_t{16} << 20, 'x') + kDone);
    return body;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int held_ = 0;
  bool open_ = false;
  std::set<std::string> let_go_;
  std::vector<std::string> begun_;
};

class Counts final : public FrontObserver {
 public:
  void shed(ShedReason reason) override {
    const std::lock_guard lock(mutex_);
    reasons_.emplace_back(name_of(reason));
  }
  void handshake_failed(TlsFailure failure) override {
    const std::lock_guard lock(mutex_);
    failures_.emplace_back(name_of(failure));
    changed_.notify_all();
  }
  void load_changed(const HttpLoad& difference) override {
    while (difference.connections < 0 && std::chrono::steady_clock::now() < busy_until_.load())
      std::this_thread::yield();
    const std::lock_guard lock(mutex_);
    load_.connections += difference.connections;
    load_.queue += difference.queue;
    load_.threads += difference.threads;
    changed_.notify_all();
  }

  void has_sent(const SentAnswers&) override {}

  std::vector<std::string> reasons() {
    const std::lock_guard lock(mutex_);
    return reasons_;
  }
  // Of handshakes, once there are so many.
  std::vector<std::string> failures(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failures_.size() >= count; });
    return failures_;
  }
  // A connection that ends keeps the front's thread until then.
  void be_busy_until(std::chrono::steady_clock::time_point time) { busy_until_ = time; }
  HttpLoad load() {
    const std::lock_guard lock(mutex_);
    return load_;
  }
  // Returns when so many requests wait for a thread.
  void wait_for_queue(std::ptrdiff_t queue) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return load_.queue == queue; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> reasons_;
  std::vector<std::string> failures_;
  HttpLoad load_;
  std::atomic<std::chrono::steady_clock::time_point> busy_until_{};
};

class FrontTest : public ::testing::Test {
 protected:
  void TearDown() override { answers_.let_go(); }

  void start() {
    auto listeners = listen_on("127.0.0.1", 0);
    ASSERT_TRUE(listeners) << listeners.error();
    port_ = local_port(listeners->front());
    front_ = std::make_unique<Front>(options_, answers_, observer_);
    if (tls_ != nullptr) front_->change_tls(tls_);
    front_->start(*std::move(listeners));
  }
  std::vector<std::string> shed() { return observer_.reasons(); }
  std::unique_ptr<RawConnection> sending(const std::string& bytes, std::uint8_t from = 1) {
    auto connection = std::make_unique<RawConnection>(port_, from);
    connection->send(bytes);
    return connection;
  }
  // A connection that has had an answer, and is idle.
  std::unique_ptr<RawConnection> idle(std::uint8_t from = 1) {
    auto connection = sending(kGet, from);
    EXPECT_THAT(connection->receive_until(kDone), ::testing::HasSubstr(kDone));
    return connection;
  }

  FrontOptions options_;
  std::shared_ptr<TlsContext> tls_;  // null: plain HTTP
  HeldAnswers answers_;
  int port_ = 0;
  Counts observer_;
  std::unique_ptr<Front> front_;  // stops first
};

}  // namespace winperf::testing
