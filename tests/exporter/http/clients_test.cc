#include "exporter/http/clients.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using std::chrono::seconds;
using ::testing::Eq;
using ::testing::Optional;

constexpr char kGet[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::uint8_t kOne = 1;
constexpr std::uint8_t kTwo = 2;

NetAddress address_of(std::uint8_t last) {
  return to_net_address(std::vector<std::uint8_t>{10, 0, 0, last});
}

class ClientsTest : public ::testing::Test {
 protected:
  static Connection::Time at(int second) { return Connection::Time(seconds(second)); }

  Client& waiting(std::uint8_t address, int since) {
    return clients_.add(Client({.socket = {}, .address = address_of(address)}, limits_, at(since)));
  }
  Client& answering(std::uint8_t address, int since) {
    Client& client = waiting(address, since);
    client.connection.receive(kGet, at(since));
    EXPECT_TRUE(client.connection.take_request(at(since)));
    return client;
  }
  Client& sending(std::uint8_t address, int since, SharedText body = {}) {
    Client& client = answering(address, since);
    Answer answer;
    answer.head = "head";
    answer.body = std::move(body);
    client.answer(std::move(answer), at(since));
    return client;
  }

  ConnectionLimits limits_;
  Clients clients_;
};

TEST_F(ClientsTest, OfNoConnection_NoneWaitsOrIsStalled) {
  EXPECT_EQ(clients_.longest_waiting(nullptr), std::nullopt);
  EXPECT_EQ(clients_.longest_stalled(nullptr, at(1000), 0), std::nullopt);
  EXPECT_EQ(clients_.count_of(address_of(kOne)), 0U);
  EXPECT_EQ(clients_.held().bytes(), 0U);
}

TEST_F(ClientsTest, TheLongestWaiting_IsTheOneThatBeganFirst) {
  waiting(kOne, 30);
  waiting(kTwo, 10);
  const auto longest = clients_.last_id();
  waiting(kTwo, 10);  // at the same time, but after it
  waiting(kOne, 20);
  const auto longest_of_one = clients_.last_id();
  answering(kOne, 1);
  sending(kOne, 1);
  EXPECT_THAT(clients_.longest_waiting(nullptr), Optional(Eq(longest)));
  const NetAddress one = address_of(kOne);
  EXPECT_THAT(clients_.longest_waiting(&one), Optional(Eq(longest_of_one)));
}

TEST_F(ClientsTest, TheLongestStalled_HasTakenNothingForAtLeastSoLong) {
  waiting(kOne, 1);
  answering(kOne, 2);
  sending(kOne, 20);
  sending(kTwo, 10);
  const auto longest = clients_.last_id();
  EXPECT_EQ(clients_.longest_stalled(nullptr, at(9), 0), std::nullopt);
  EXPECT_THAT(clients_.longest_stalled(nullptr, at(10), 0), Optional(Eq(longest)));
  EXPECT_THAT(clients_.longest_stalled(nullptr, at(1000), 0), Optional(Eq(longest)));
  const NetAddress one = address_of(kOne);
  EXPECT_THAT(clients_.longest_stalled(&one, at(1000), 0), Optional(Eq(longest - 1)));
}

TEST_F(ClientsTest, TheLongestStalled_HasABodyOfSoManyBytes) {
  sending(kOne, 1, std::string(60'000, 'x'));
  sending(kOne, 2, std::string(70'000, 'x'));
  const auto longer = clients_.last_id();
  EXPECT_THAT(clients_.longest_stalled(nullptr, at(9), 60'000), Optional(Eq(longer - 1)));
  EXPECT_THAT(clients_.longest_stalled(nullptr, at(9), 60'001), Optional(Eq(longer)));
  EXPECT_THAT(clients_.longest_stalled(nullptr, at(9), 70'000), Optional(Eq(longer)));
  EXPECT_EQ(clients_.longest_stalled(nullptr, at(9), 70'001), std::nullopt);
}

// Also of pages that nobody but their readers has any more.
TEST_F(ClientsTest, WhatAnswersHold_CountsOnceWhateverIsShared) {
  auto page = std::make_shared<const std::string>(100'000, 'x');
  SharedText both(page);
  both.add(std::string(10'000, 'y'));
  sending(kOne, 1, SharedText(page));
  sending(kTwo, 2, both);
  EXPECT_EQ(clients_.held().bytes(), 110'000U);
  page.reset();
  both = {};
  EXPECT_EQ(clients_.held().bytes(), 110'000U);
  EXPECT_EQ(clients_.held().missing(std::string(9'000, 'z')), 9'000U);
  clients_.erase(clients_.last_id());
  EXPECT_EQ(clients_.held().bytes(), 100'000U);
}

TEST_F(ClientsTest, WhatIsHeldAlready_IsNotMissing) {
  const auto page = std::make_shared<const std::string>(100'000, 'x');
  sending(kOne, 1, SharedText(page));
  EXPECT_EQ(clients_.held().missing(SharedText(page)), 0U);
}

TEST_F(ClientsTest, Connections_AreCountedByTheirAddress) {
  waiting(kOne, 1);
  answering(kOne, 1);
  waiting(kTwo, 1);
  EXPECT_EQ(clients_.count_of(address_of(kOne)), 2U);
  EXPECT_EQ(clients_.count_of(address_of(kTwo)), 1U);
}

TEST_F(ClientsTest, Posts_AreThoseThatAreBeingAnswered) {
  answering(kOne, 1).is_post = true;
  sending(kOne, 1).is_post = true;
  waiting(kOne, 1).is_post = true;  // it was one
  answering(kOne, 1);
  EXPECT_EQ(clients_.answered_posts(), 2U);
}

TEST_F(ClientsTest, OneThatIsErased_IsNotFound) {
  waiting(kOne, 1);
  waiting(kOne, 1);
  const auto last = clients_.last_id();
  clients_.erase(last);
  EXPECT_EQ(clients_.find(last), nullptr);
  EXPECT_NE(clients_.find(last - 1), nullptr);
  EXPECT_EQ(clients_.size(), 1U);
}

}  // namespace
}  // namespace winperf
