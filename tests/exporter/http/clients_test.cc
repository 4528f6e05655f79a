#include "exporter/http/clients.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using std::chrono::seconds;
using ::testing::Eq;
using ::testing::Optional;

constexpr std::uint8_t kOne = 1;
constexpr std::uint8_t kTwo = 2;
constexpr std::uint8_t kThree = 3;

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
    client.connection.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n", at(since));
    EXPECT_TRUE(client.connection.take_request(at(since)));
    return client;
  }
  // It waits for another request.
  Client& answered(std::uint8_t address, int since) {
    Client& client = answering(address, since);
    client.connection.answer({.head = "head", .body = {}}, at(since));
    client.connection.sent(client.connection.to_send().size(), at(since));
    return client;
  }
  Client& sending(std::uint8_t address, int since, SharedText body = {}) {
    Client& client = answering(address, since);
    Answer answer;
    answer.head = "head";
    answer.body = std::move(body);
    clients_.answer(client, std::move(answer), at(since));
    return client;
  }

  ConnectionLimits limits_;
  Clients clients_;
};

TEST_F(ClientsTest, OfNoConnection_NoneHasToGo) {
  EXPECT_EQ(clients_.one_that_waits(nullptr), std::nullopt);
  EXPECT_EQ(clients_.one_that_stalls(nullptr, at(1000)), std::nullopt);
  EXPECT_EQ(clients_.one_over_its_share(address_of(kOne)), std::nullopt);
  EXPECT_EQ(clients_.one_that_stalls_memory(at(1000)), std::nullopt);
  EXPECT_EQ(clients_.one_over_its_share_of_memory({}, 0), std::nullopt);
  EXPECT_EQ(clients_.connections_of(address_of(kOne)), 0U);
  EXPECT_EQ(clients_.held().bytes(), 0U);
}

TEST_F(ClientsTest, OfThoseThatWait_TheOneGoesThatHasWaitedLongest) {
  waiting(kOne, 30);
  waiting(kTwo, 10);
  const auto longest = clients_.last_id();
  waiting(kOne, 20);
  const auto longest_of_one = clients_.last_id();
  waiting(kTwo, 10);  // at the same time, but after it
  EXPECT_THAT(clients_.one_that_waits(nullptr), Optional(Eq(longest)));
  const NetAddress one = address_of(kOne);
  EXPECT_THAT(clients_.one_that_waits(&one), Optional(Eq(longest_of_one)));
}

TEST_F(ClientsTest, OfThoseThatWait_OneOfTheNetworkWithMostConnectionsGoes) {
  waiting(kOne, 1);
  waiting(kOne, 1);
  waiting(kTwo, 30);
  waiting(kTwo, 20);
  const auto of_most = clients_.last_id();
  answering(kTwo, 2);
  EXPECT_THAT(clients_.one_that_waits(nullptr), Optional(Eq(of_most)));
}

// The scraper's own address opens many connections that come to nothing.
TEST_F(ClientsTest, OfANetwork_ConnectionsThatWereNotAnsweredGoFirstIfTheyAreMore) {
  answered(kOne, 1);
  const auto scraper = clients_.last_id();
  waiting(kOne, 10);
  const auto other = clients_.last_id();
  EXPECT_THAT(clients_.one_that_waits(nullptr), Optional(Eq(other)));
  answered(kOne, 5);
  EXPECT_THAT(clients_.one_that_waits(nullptr), Optional(Eq(scraper)));
}

TEST_F(ClientsTest, OfThoseThatStall_TheOneGoesThatHasTakenNothingForLongest) {
  waiting(kOne, 1);
  answering(kTwo, 2);
  sending(kOne, 20);
  const auto of_one = clients_.last_id();
  sending(kTwo, 10);
  const auto longest = clients_.last_id();
  EXPECT_EQ(clients_.one_that_stalls(nullptr, at(9)), std::nullopt);
  EXPECT_THAT(clients_.one_that_stalls(nullptr, at(10)), Optional(Eq(longest)));
  EXPECT_THAT(clients_.one_that_stalls(nullptr, at(1000)), Optional(Eq(longest)));
  const NetAddress one = address_of(kOne);
  EXPECT_THAT(clients_.one_that_stalls(&one, at(1000)), Optional(Eq(of_one)));
}

TEST_F(ClientsTest, OfThoseThatAreAnswered_OnlyANetworkWithMoreThanTheNewcomersGivesOneUp) {
  answering(kOne, 10);
  sending(kOne, 5);
  const auto longest = clients_.last_id();
  answering(kTwo, 1);
  EXPECT_THAT(clients_.one_over_its_share(address_of(kThree)), Optional(Eq(longest)));
  EXPECT_EQ(clients_.one_over_its_share(address_of(kTwo)), std::nullopt);
  EXPECT_EQ(clients_.one_over_its_share(address_of(kOne)), std::nullopt);
}

TEST_F(ClientsTest, OfThoseThatHoldMemory_OnlyLargeAnswersAreGivenUp) {
  sending(kOne, 1, std::string(Clients::kSmallBytes - 1, 'x'));
  EXPECT_EQ(clients_.one_that_stalls_memory(at(9)), std::nullopt);
  sending(kOne, 2, std::string(Clients::kSmallBytes, 'x'));
  EXPECT_THAT(clients_.one_that_stalls_memory(at(9)), Optional(Eq(clients_.last_id())));
  EXPECT_EQ(clients_.one_that_stalls_memory(at(1)), std::nullopt);
}

TEST_F(ClientsTest, OfThoseThatHoldMemory_OneOfTheNetworkThatHoldsMostIsGivenUp) {
  sending(kOne, 1, std::string(200'000, 'x'));
  sending(kTwo, 2, std::string(150'000, 'x'));
  const auto of_two = clients_.last_id();
  sending(kTwo, 3, std::string(150'000, 'x'));
  EXPECT_THAT(clients_.one_that_stalls_memory(at(9)), Optional(Eq(of_two)));
  const auto over = [&](std::uint8_t address, std::size_t bytes) {
    return clients_.one_over_its_share_of_memory({.network = address_of(address)}, bytes);
  };
  EXPECT_THAT(over(kThree, 299'999), Optional(Eq(of_two)));
  EXPECT_EQ(over(kThree, 300'000), std::nullopt);
  EXPECT_THAT(over(kOne, 99'999), Optional(Eq(of_two)));
  EXPECT_EQ(over(kOne, 100'000), std::nullopt);
  EXPECT_EQ(over(kTwo, 1), std::nullopt);
}

// Ten scrapers of one page hold as much as one.
TEST_F(ClientsTest, OfThoseThatHoldMemory_WhoSharesAPageHoldsItsPart) {
  const auto page = std::make_shared<const std::string>(300'000, 'x');
  for (int i = 0; i < 10; ++i) sending(kOne, 1, SharedText(page));
  sending(kTwo, 2, std::string(400'000, 'x'));
  EXPECT_THAT(clients_.one_over_its_share_of_memory({.network = address_of(kThree)}, 350'000),
              Optional(Eq(clients_.last_id())));
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

TEST_F(ClientsTest, WhatHasBeenSent_IsHeldNoMore) {
  Client& client = sending(kOne, 1, std::string(100'000, 'x'));
  clients_.forget_sent();
  EXPECT_EQ(clients_.held().bytes(), 100'000U);
  while (client.connection.stage() == Connection::Stage::kSending)
    client.connection.sent(client.connection.to_send().size(), at(2));
  clients_.forget_sent();
  EXPECT_EQ(clients_.held().bytes(), 0U);
  EXPECT_EQ(client.held.size(), 0U);
}

TEST_F(ClientsTest, WhatIsHeldAlready_IsNotMissing) {
  const auto page = std::make_shared<const std::string>(100'000, 'x');
  sending(kOne, 1, SharedText(page));
  EXPECT_EQ(clients_.held().missing(SharedText(page)), 0U);
}

TEST_F(ClientsTest, Connections_AreCountedByTheirNetwork) {
  waiting(kOne, 1);
  answering(kOne, 1);
  waiting(kTwo, 1);
  EXPECT_EQ(clients_.connections_of(address_of(kOne)), 2U);
  EXPECT_EQ(clients_.connections_of(address_of(kTwo)), 1U);
  clients_.erase(0);
  EXPECT_EQ(clients_.connections_of(address_of(kOne)), 1U);
  clients_.erase_if([](const Client&) { return true; });
  EXPECT_EQ(clients_.connections_of(address_of(kOne)), 0U);
  EXPECT_EQ(clients_.size(), 0U);
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
