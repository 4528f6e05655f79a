// Before windows.h.
#include <winsock2.h>
#include <ws2tcpip.h>

#include <windows.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "collectors/facts/win/topics.h"
#include "tests/collectors/facts/win/fact_values.h"

namespace winperf {
namespace {

double count_of(std::string_view family, std::string_view state) {
  const auto answer = read_connections();
  if (!answer) return -1;
  for (const FactRow& row : answer->rows)
    if (row.text_of("af") == family && row.text_of("state") == state)
      return number_of(row, "count");
  return -1;
}

class ConnectionFacts : public ::testing::Test {
 public:
  ConnectionFacts() {
    WSADATA data{};
    WSAStartup(MAKEWORD(2, 2), &data);
  }
  ~ConnectionFacts() override {
    for (const SOCKET opened : sockets_) closesocket(opened);
    WSACleanup();
  }

 protected:
  // Each listens on a port that the system chooses.
  static constexpr std::size_t kMany = 20;
  static constexpr double kMost = 10;

  void listen_on(const sockaddr* address, int length) {
    for (std::size_t i = 0; i < kMany; ++i) {
      const SOCKET opened = socket(address->sa_family, SOCK_STREAM, IPPROTO_TCP);
      ASSERT_NE(opened, INVALID_SOCKET) << WSAGetLastError();
      sockets_.push_back(opened);
      ASSERT_EQ(bind(opened, address, length), 0) << WSAGetLastError();
      ASSERT_EQ(listen(opened, 1), 0) << WSAGetLastError();
    }
  }

  std::vector<SOCKET> sockets_;
};

TEST_F(ConnectionFacts, EachPairIsThereOnce) {
  const auto answer = read_connections();
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_TRUE(answer->problems.empty());
  EXPECT_TRUE(answer->rows.size() == 12 || answer->rows.size() == 24) << answer->rows.size();
  for (const FactRow& row : answer->rows)
    EXPECT_GE(number_of(row, "count"), 0) << row.text_of("state");
  EXPECT_NE(row_with(*answer, "state", "DELETE_TCB"), nullptr);
}

// Others listen, too, and may stop meanwhile; but not twenty of them.
TEST_F(ConnectionFacts, WhoListensIsCounted) {
  const double before = count_of("ipv4", "LISTENING");
  ASSERT_GE(before, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listen_on(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  EXPECT_GE(count_of("ipv4", "LISTENING"), before + kMost);
}

TEST_F(ConnectionFacts, WhoListensWithIpv6IsCounted) {
  const double before = count_of("ipv6", "LISTENING");
  if (before < 0) GTEST_SKIP() << "NO IPV6: this machine has none";
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  listen_on(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  EXPECT_GE(count_of("ipv6", "LISTENING"), before + kMost);
}

}  // namespace
}  // namespace winperf
