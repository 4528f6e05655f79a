#include "exporter/http/front.h"

#include <gmock/gmock.h>

#include <string>

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

TEST(Turns, AreHadUntilTheirTimeIsOver) {
  Turns turns;
  turns.begin(milliseconds(20));
  EXPECT_TRUE(turns.has_turn());
  turns.took(milliseconds(19));
  EXPECT_TRUE(turns.has_turn());
  turns.took(milliseconds(1));
  EXPECT_FALSE(turns.has_turn());
  EXPECT_FALSE(turns.has_turn());
  turns.begin(milliseconds(20));
  EXPECT_TRUE(turns.has_turn()) << "in the next round";
}

TEST(Turns, SayWhetherSomebodyHadNone) {
  Turns turns;
  EXPECT_FALSE(turns.has_left_some_out());
  turns.begin(milliseconds(4));
  EXPECT_TRUE(turns.has_turn());
  turns.took(milliseconds(5));
  EXPECT_FALSE(turns.has_left_some_out()) << "there was no other";
  EXPECT_FALSE(turns.has_turn());
  EXPECT_TRUE(turns.has_left_some_out());
  turns.begin(milliseconds(4));
  EXPECT_FALSE(turns.has_left_some_out());
}

class TurnOrderTest : public ::testing::Test {
 protected:
  void add(std::uint8_t network, int count) {
    const NetAddress address = to_net_address(std::vector<std::uint8_t>{10, 0, 0, network});
    for (int i = 0; i < count; ++i)
      clients_.add(Client({.socket = {}, .address = address}, limits_, {}));
  }
  // All want a turn, and so many have one: by network and number, "2.1".
  std::vector<std::string> round(std::size_t turns) {
    std::vector<Wanting> wanting;
    for (auto& [id, client] : clients_) wanting.push_back({.client = &client, .seen = {}});
    Turns::put_in_order(wanting);
    std::vector<std::string> names;
    for (const Wanting& one : std::span(wanting).first(turns)) {
      clients_.begin_turn(*one.client);
      names.push_back(name_of(*one.client));
    }
    return names;
  }

 private:
  std::string name_of(const Client& client) const {
    int number = 1;
    for (const auto& [id, other] : clients_) {
      if (&other == &client) break;
      if (other.peer == client.peer) ++number;
    }
    return std::to_string(client.address().back()) + '.' + std::to_string(number);
  }

  ConnectionLimits limits_;
  Clients clients_;
};

TEST_F(TurnOrderTest, OfOneNetwork_ClientsHaveOneAfterTheOther) {
  add(1, 3);
  EXPECT_THAT(round(2), ElementsAre("1.1", "1.2"));
  EXPECT_THAT(round(2), ElementsAre("1.3", "1.1"));
  EXPECT_THAT(round(2), ElementsAre("1.2", "1.3"));
}

TEST_F(TurnOrderTest, OneOfAnotherNetwork_HasOneAfterOneOfACrowd) {
  add(1, 200);
  add(2, 1);
  EXPECT_THAT(round(3), ElementsAre("1.1", "2.1", "1.2"));
  EXPECT_THAT(round(3), ElementsAre("2.1", "1.3", "1.4"));
  EXPECT_THAT(round(1), ElementsAre("2.1"));
  EXPECT_THAT(round(1), ElementsAre("1.5"));
}

TEST_F(TurnOrderTest, Networks_HaveOneAfterTheOtherIfThereIsTimeForOneAlone) {
  for (std::uint8_t network = 1; network <= 3; ++network) add(network, 2);
  EXPECT_THAT(round(1), ElementsAre("1.1"));
  EXPECT_THAT(round(1), ElementsAre("2.1"));
  EXPECT_THAT(round(1), ElementsAre("3.1"));
  EXPECT_THAT(round(1), ElementsAre("1.2"));
}

}  // namespace
}  // namespace winperf
