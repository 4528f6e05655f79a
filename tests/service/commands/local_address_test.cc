#include "service/commands/local_address.h"

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

TEST(LocalPage, IsWhatABrowserOfThisMachineOpens) {
  EXPECT_EQ(local_page({ListenConfig()}), "http://localhost:10182/");
  ListenConfig secure = listening_at("srv-1.example.com", 443);
  secure.web.users.emplace_back();
  EXPECT_EQ(local_page({secure}), "http://srv-1.example.com:443/");
}

TEST(LocalPage, NeedsAnAddressThatServesPageAndApi) {
  ListenConfig page = listening_at("10.0.0.1", 1);
  page.serve = {Served::kMetrics, Served::kPage};
  EXPECT_EQ(local_page({page}), std::nullopt);
  ListenConfig both = listening_at("10.0.0.2", 2);
  both.serve = {Served::kPage, Served::kApi};
  EXPECT_EQ(local_page({page, both}), "http://10.0.0.2:2/");
  EXPECT_EQ(local_page({listening_at("127.0.0.1", 0)}), std::nullopt);
}

}  // namespace
}  // namespace winperf
