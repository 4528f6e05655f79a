#include "exporter/http/front.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

using std::chrono::seconds;

class LeftoverMemoryTest : public ::testing::Test {
 protected:
  static Connection::Time at(int second) { return Connection::Time(seconds(second)); }

  void add(std::size_t count, std::size_t bytes = 0) {
    for (std::size_t i = 0; i < count; ++i) {
      Client& client = clients_.add(Client({.socket = {}, .address = {}}, limits_, at(0)));
      if (bytes == 0) continue;
      client.connection.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n", at(0));
      EXPECT_TRUE(client.connection.take_request(at(0)));
      clients_.answer(client, {.head = "head", .body = std::string(bytes, 'x')}, at(0));
    }
  }

  ConnectionLimits limits_;
  Clients clients_;
  LeftoverMemory leftover_;
};

TEST_F(LeftoverMemoryTest, IsDueOnceAfterACrowd_NotAfterLess) {
  EXPECT_FALSE(leftover_.is_due(clients_, at(100)));
  leftover_.saw_clients(63);
  leftover_.saw_held((8 << 20) - 1);
  EXPECT_FALSE(leftover_.is_due(clients_, at(100)));
  leftover_.saw_clients(64);
  leftover_.saw_clients(1);
  EXPECT_TRUE(leftover_.is_due(clients_, at(100)));
  EXPECT_FALSE(leftover_.is_due(clients_, at(1000)));
}

TEST_F(LeftoverMemoryTest, IsDueOnceAfterLongAnswers) {
  leftover_.saw_held(8 << 20);
  leftover_.saw_held(1);
  EXPECT_TRUE(leftover_.is_due(clients_, at(100)));
  EXPECT_FALSE(leftover_.is_due(clients_, at(1000)));
}

TEST_F(LeftoverMemoryTest, WaitsUntilFewAreLeft) {
  leftover_.saw_clients(64);
  add(9);
  EXPECT_FALSE(leftover_.is_due(clients_, at(100)));
  clients_.erase(clients_.last_id());
  EXPECT_TRUE(leftover_.is_due(clients_, at(100)));
}

TEST_F(LeftoverMemoryTest, WaitsUntilLittleIsHeld) {
  leftover_.saw_clients(64);
  add(1, 1 << 20);
  add(1, 8193);  // a shorter one would be a part of the head
  EXPECT_FALSE(leftover_.is_due(clients_, at(100)));
  clients_.erase(clients_.last_id());
  EXPECT_TRUE(leftover_.is_due(clients_, at(100)));
}

TEST_F(LeftoverMemoryTest, IsNotDueOften) {
  leftover_.saw_clients(64);
  EXPECT_TRUE(leftover_.is_due(clients_, at(100)));
  leftover_.saw_clients(64);
  EXPECT_FALSE(leftover_.is_due(clients_, at(109)));
  EXPECT_TRUE(leftover_.is_due(clients_, at(110)));
}

}  // namespace
}  // namespace winperf
