#include "service/commands/recorder_capture.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

ListenConfig listening_at(const std::string& address, std::uint16_t port) {
  ListenConfig listen;
  listen.address = address;
  listen.port = port;
  return listen;
}

TEST(LocalUrl, IsTheAddressThatThisMachineReaches) {
  EXPECT_EQ(local_url({ListenConfig()}), "http://127.0.0.1:10182");
  EXPECT_EQ(local_url({listening_at("0.0.0.0", 9182)}), "http://127.0.0.1:9182");
  EXPECT_EQ(local_url({listening_at("::1", 9182)}), "http://[::1]:9182");
  EXPECT_EQ(local_url({listening_at("srv-1", 80)}), "http://srv-1:80");
}

TEST(LocalUrl, IsOneWithTheApiAndWithoutPasswordIfThereIsOne) {
  ListenConfig metrics = listening_at("10.0.0.1", 1);
  metrics.serve = {Served::kMetrics};
  ListenConfig secret = listening_at("10.0.0.2", 2);
  secret.web.users.emplace_back();
  const ListenConfig open = listening_at("10.0.0.3", 3);
  EXPECT_EQ(local_url({metrics, secret, open}), "http://10.0.0.3:3");
  EXPECT_EQ(local_url({secret, metrics}), "http://10.0.0.2:2");
}

TEST(SentenceIn, IsTheDetailOfAProblemOrTheFirstLine) {
  EXPECT_EQ(sentence_in(R"({"status":403,"detail":"not served"})"), "not served");
  EXPECT_EQ(sentence_in("unauthorized\nmore"), "unauthorized");
  EXPECT_EQ(sentence_in(R"({"detail":7})"), R"({"detail":7})");
}

}  // namespace
}  // namespace winperf
