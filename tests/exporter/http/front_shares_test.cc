// What the clients of a front share is divided between their addresses: its threads, its queue, its
// connections and its memory. Everything is counted; nothing depends on how long it takes.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "exporter/http/front.h"
#include "tests/exporter/support/front_fixture.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::HeldAnswers;
using testing::kDone;
using testing::kHold;
using testing::kNever;
using testing::kOwn;
using testing::RawConnection;
using ::testing::StartsWith;

constexpr std::uint8_t kHostile = 2;
constexpr std::uint8_t kHonest = 10;
constexpr char kRefused[] = "HTTP/1.1 503\r\n\r\n";

std::string get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

using Connections = std::vector<std::unique_ptr<RawConnection>>;

class FrontSharesTest : public testing::FrontTest {
 protected:
  // All threads are busy: one until let_one_thread_go(), the others until the end.
  void hold_all_threads() {
    for (std::size_t i = 0; i < options_.threads; ++i) {
      const std::string target = i == 0 ? "/hold/first" : "/hold";
      held_.push_back(sending(get(target), kHostile));
      answers_.wait_for(static_cast<int>(i) + 1);
    }
  }
  void let_one_thread_go() { answers_.let_go("/hold/first"); }

  // So many requests of this address wait, of each effort.
  Connections crowd(std::size_t count, std::uint8_t from = kHostile) {
    Connections connections;
    for (std::size_t i = 0; i < count; ++i) {
      const char* const target = i % 3 == 0 ? "/dear/crowd" : "/crowd";
      connections.push_back(sending((i % 3 == 1 ? "POST " : "GET ") + std::string(target) +
                                        " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
                                    from));
    }
    return connections;
  }
  // How many answers of crowds were begun before that for this target.
  std::ptrdiff_t begun_before(const std::string& target) {
    const auto begun = answers_.begun();
    return std::count_if(begun.begin(), std::ranges::find(begun, target),
                         [](const auto& one) { return one.ends_with("/crowd"); });
  }

  Connections held_;
};

struct Crowd {
  std::size_t threads = 0;
  std::size_t size = 0;
};
void PrintTo(const Crowd& crowd, std::ostream* out) {
  *out << crowd.size << " with " << crowd.threads << " threads";
}

class FrontCrowdTest : public FrontSharesTest, public ::testing::WithParamInterface<Crowd> {
 protected:
  void SetUp() override { options_.threads = GetParam().threads; }
  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(GetParam().size); }
};

INSTANTIATE_TEST_SUITE_P(, FrontCrowdTest,
                         ::testing::Values(Crowd{1, 20}, Crowd{1, 200}, Crowd{2, 200},
                                           Crowd{4, 200}));

// Filtered pages, reloads and plain ones of one address, all of which were there first.
TEST_P(FrontCrowdTest, AnAnswerForAnotherAddress_WaitsForAtMostOneOfEachEffort) {
  start();
  hold_all_threads();
  const auto hostile = crowd(GetParam().size);
  observer_.wait_for_queue(size());
  const auto honest = sending(get("/honest"), kHonest);
  observer_.wait_for_queue(size() + 1);
  let_one_thread_go();
  EXPECT_THAT(honest->receive_until(kDone), HasSubstr(kDone));
  EXPECT_LE(begun_before("/honest"), 3);
}

TEST_P(FrontCrowdTest, ADearAnswerForAnotherAddress_WaitsForAtMostEight) {
  start();
  hold_all_threads();
  const auto hostile = crowd(GetParam().size);
  observer_.wait_for_queue(size());
  const auto honest = sending(get("/dear/honest"), kHonest);
  observer_.wait_for_queue(size() + 1);
  let_one_thread_go();
  EXPECT_THAT(honest->receive_until(kDone), HasSubstr(kDone));
  EXPECT_LE(begun_before("/dear/honest"), 8);
}

TEST_P(FrontCrowdTest, AConnectionThatWasAnsweredBefore_DoesNotWaitForABurstOfItsOwnAddress) {
  start();
  const auto honest = idle(kHostile);
  hold_all_threads();
  Connections burst;
  for (std::size_t i = 0; i < GetParam().size; ++i)
    burst.push_back(sending(get("/crowd"), kHostile));
  observer_.wait_for_queue(size());
  honest->send(get("/honest"));
  observer_.wait_for_queue(size() + 1);
  let_one_thread_go();
  EXPECT_THAT(honest->receive_until(kDone), HasSubstr(kDone));
  EXPECT_LE(begun_before("/honest"), 1);
}

TEST_F(FrontSharesTest, AnAnswerForOneOfNineAddresses_WaitsForAtMostOnePlainAnswerOfEachOther) {
  options_.threads = 4;
  start();
  hold_all_threads();
  std::vector<Connections> hostile;
  for (std::uint8_t from = kHostile; from < kHostile + 8; ++from)
    hostile.push_back(crowd(24, from));
  observer_.wait_for_queue(8 * 24);
  const auto honest = sending(get("/honest"), kHonest);
  observer_.wait_for_queue(8 * 24 + 1);
  let_one_thread_go();
  EXPECT_THAT(honest->receive_until(kDone), HasSubstr(kDone));
  EXPECT_LE(begun_before("/honest"), 2 * 8 + 1) << "every other one is plain";
}

TEST_F(FrontSharesTest, WhenTheQueueIsFull_TheNewestOfTheAddressWithMostIsRefused) {
  options_.threads = 1;
  options_.queue = 3;
  start();
  hold_all_threads();
  Connections hostile;
  for (int i = 1; i <= 3; ++i) {
    hostile.push_back(sending(get("/crowd"), kHostile));
    observer_.wait_for_queue(i);
  }
  const auto honest = sending(get("/honest"), kHonest);
  EXPECT_EQ(hostile.back()->receive_all(), kRefused);
  EXPECT_EQ(sending(get("/crowd"), kHostile)->receive_all(), kRefused);
  EXPECT_THAT(shed(), ElementsAre("queue", "queue"));
  let_one_thread_go();
  EXPECT_THAT(honest->receive_until(kDone), HasSubstr(kDone));
  EXPECT_THAT(hostile.front()->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontSharesTest, WhatWaits_IsForgottenByAStop) {
  options_.threads = 1;
  start();
  hold_all_threads();
  const auto hostile = crowd(5);
  observer_.wait_for_queue(5);
  answers_.let_go();
  front_->stop(std::chrono::milliseconds(0));
  for (const auto& connection : hostile)
    EXPECT_THAT(connection->receive_all(), ::testing::AnyOf("", EndsWith(kDone)));
}

// The honest one has waited longest of all, as scrapers do.
TEST_F(FrontSharesTest, WhenThereAreTooManyConnections_OneOfTheAddressWithMostMakesRoom) {
  options_.connections = 4;
  start();
  const auto honest = idle(kHonest);
  const Connections hostile = [&] {
    Connections three;
    for (int i = 0; i < 3; ++i) three.push_back(idle(kHostile));
    return three;
  }();
  const auto newcomer = idle(kHonest + 1);
  EXPECT_EQ(hostile.front()->receive_all(), "");
  EXPECT_THAT(shed(), ElementsAre("connections"));
  honest->send(get("/honest"));
  EXPECT_THAT(honest->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontSharesTest, WhenAllConnectionsAreBeingAnswered_OneOfTheAddressWithMostMakesRoom) {
  options_.connections = 3;
  start();
  Connections hostile;
  for (int i = 1; i <= 3; ++i) {
    hostile.push_back(sending(kHold, kHostile));
    answers_.wait_for(i);
  }
  const auto honest = idle(kHonest);
  EXPECT_EQ(hostile.front()->receive_all(), "");
  const auto other = idle(kHonest + 1);
  EXPECT_THAT(shed(), ElementsAre("address_share", "connections"));
  EXPECT_EQ(honest->receive_all(), "") << "one that waits goes first";
}

TEST_F(FrontSharesTest, WhenAnswersHoldTooMuch_OneOfTheAddressThatHoldsMostIsCutOff) {
  options_.held_bytes = 2 * HeldAnswers::kOwnBytes + 1;
  options_.stalled_time = kNever;
  start();
  const auto deaf = sending(kOwn, kHostile);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  const auto other_deaf = sending(kOwn, kHostile);
  EXPECT_THAT(other_deaf->receive_until("HTTP"), StartsWith("HTTP"));
  EXPECT_EQ(sending(kOwn, kHostile)->receive_all(), kRefused);
  EXPECT_THAT(sending(kOwn, kHonest)->receive_all(), EndsWith(kDone));
  EXPECT_THAT(deaf->receive_all(), ::testing::Not(HasSubstr(kDone)));
  EXPECT_THAT(shed(), ElementsAre("memory", "memory"));
  EXPECT_THAT(other_deaf->receive_all(), EndsWith(kDone));
}

// Neither has more, so that each of them would cut off the other one.
TEST_F(FrontSharesTest, WhenAnswersHoldTooMuch_AnAddressThatHoldsNoMoreIsNotCutOff) {
  options_.held_bytes = HeldAnswers::kOwnBytes + 1;
  options_.stalled_time = kNever;
  start();
  const auto deaf = sending(kOwn, kHostile);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  EXPECT_EQ(sending(kOwn, kHonest)->receive_all(), kRefused);
  EXPECT_THAT(deaf->receive_all(), EndsWith(kDone));
}

TEST_F(FrontSharesTest, WhenNewConnectionsHoldTooMuch_OneThatWasAnsweredBeforeHasItsPart) {
  options_.held_bytes = 2 * HeldAnswers::kOwnBytes + 1;
  options_.stalled_time = kNever;
  start();
  const auto honest = idle(kHostile);
  Connections deaf;
  for (int i = 0; i < 2; ++i) {
    deaf.push_back(sending(kOwn, kHostile));
    EXPECT_THAT(deaf.back()->receive_until("HTTP"), StartsWith("HTTP"));
  }
  honest->send(get("/own"));
  EXPECT_THAT(honest->receive_until(kDone), EndsWith(kDone));
  EXPECT_THAT(deaf.front()->receive_all(), ::testing::Not(HasSubstr(kDone)));
  EXPECT_THAT(shed(), ElementsAre("memory"));
}

}  // namespace
}  // namespace winperf
