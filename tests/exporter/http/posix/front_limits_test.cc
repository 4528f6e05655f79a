// What the front does when the process may open no more sockets, and when many connect at once.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "exporter/http/front.h"
#include "tests/exporter/support/raw_connection.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::RawConnection;

constexpr char kShortRequest[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

// Lets the process open this many more files, and no others, as long as it lives. Nothing is
// asserted meanwhile: the sanitizers open files of their own to look at a matcher.
class FilesLeft {
 public:
  explicit FilesLeft(rlim_t count) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = dup(STDIN_FILENO);  // the lowest number that is free
    close(next);
    const rlimit now{.rlim_cur = static_cast<rlim_t>(next) + count, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &now);
  }
  FilesLeft(const FilesLeft&) = delete;
  FilesLeft& operator=(const FilesLeft&) = delete;
  ~FilesLeft() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

class Done final : public Answerer {
 public:
  Answer answer(const RequestHead&, bool) override {
    return {.head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone", .body = {}};
  }
  Effort effort_of(const RequestHead&) override { return Effort::kPlain; }
  Answer refuse(const Refusal&) override { return {.head = "refused", .body = {}}; }
};

class Reasons final : public FrontObserver {
 public:
  void shed(ShedReason reason) override {
    const std::lock_guard lock(mutex_);
    reasons_.emplace_back(name_of(reason));
  }
  void handshake_failed(TlsFailure) override {}
  void has_sent(const SentAnswers&) override {}
  void load_changed(const HttpLoad&) override {}
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    return reasons_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> reasons_;
};

class FrontLimitsTest : public ::testing::Test {
 protected:
  FrontLimitsTest() {
    auto listeners = listen_on("127.0.0.1", 0).value();
    port_ = local_port(listeners.front());
    front_.start(std::move(listeners));
  }
  std::unique_ptr<RawConnection> answered() {
    auto connection = std::make_unique<RawConnection>(port_);
    connection->send(kShortRequest);
    text_ = connection->receive_until("done");
    return connection;
  }

  Done done_;
  Reasons reasons_;
  std::string text_;  // what answered() received
  int port_ = 0;
  Front front_{{}, done_, reasons_};
};

TEST_F(FrontLimitsTest, WithoutAFileLeft_TheLongestIdleConnectionMakesRoom) {
  const auto first = answered();
  const auto second = answered();
  std::unique_ptr<RawConnection> third;
  std::string end_of_first;
  {
    const FilesLeft for_the_client(1);
    third = answered();
    end_of_first = first->receive_all();
  }
  EXPECT_THAT(text_, HasSubstr("done"));
  EXPECT_EQ(end_of_first, "");
  EXPECT_THAT(reasons_.all(), ElementsAre("connections"));
  third->send(kShortRequest);
  EXPECT_THAT(third->receive_until("done"), HasSubstr("done"));
}

// Holds the front's thread up at its first connection, and tells how many it accepts at once.
class CrowdObserver final : public FrontObserver {
 public:
  void shed(ShedReason) override {}
  void handshake_failed(TlsFailure) override {}
  void has_sent(const SentAnswers&) override {}
  void load_changed(const HttpLoad& difference) override {
    if (difference.connections <= 0) return;
    std::unique_lock lock(mutex_);
    accepted_.push_back(difference.connections);
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_whole_; });
  }
  void wait_for_first() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !accepted_.empty(); });
  }
  void is_whole() {
    const std::lock_guard lock(mutex_);
    is_whole_ = true;
    changed_.notify_all();
  }
  std::vector<std::ptrdiff_t> accepted(std::ptrdiff_t in_all) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return std::reduce(accepted_.begin(), accepted_.end()) == in_all; });
    return accepted_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::ptrdiff_t> accepted_;
  bool is_whole_ = false;
};

// The others have their turn after that. So many wait only where the system lets them.
TEST(FrontLimits, ACrowd_IsAcceptedSoManyAtOnceAndNoMore) {
  Done done;
  CrowdObserver crowd;
  auto listeners = listen_on("127.0.0.1", 0).value();
  const int port = local_port(listeners.front());
  Front front({}, done, crowd);
  front.start(std::move(listeners));
  std::vector<std::unique_ptr<RawConnection>> connections;
  connections.push_back(std::make_unique<RawConnection>(port));
  crowd.wait_for_first();
  while (connections.size() < 301) connections.push_back(std::make_unique<RawConnection>(port));
  crowd.is_whole();
  EXPECT_EQ(std::ranges::max(crowd.accepted(301)), 256);
}

}  // namespace
}  // namespace winperf
