// Which requests are let in at an address.
#include "exporter/http/door.h"

#include <gtest/gtest.h>

#include <future>

#include "exporter/auth/password_hash.h"

namespace winperf {
namespace {

// A user whose password is "secret". Who asks without one needs no bcrypt.
User alice() {
  return {.name = "alice", .hash = hash_password("secret", 4).value_or(fake_hash(4))};
}

Refusal refusal_of(Door& door, RequestHead request, const NetAddress& address = {}) {
  request.visitor.address = address;
  std::promise<Refusal> told;
  door.ask(request, [&](const std::optional<Refusal>& refusal) {
    told.set_value(refusal.value_or(Refusal{.status = 200, .reason = ""}));
  });
  return told.get_future().get();
}

int status_of(Door& door, const std::string& authorization, const NetAddress& address = {}) {
  RequestHead request;
  request.authorization = authorization;
  return refusal_of(door, request, address).status;
}

TEST(Door, IsOpenWithoutRules) {
  Door door;
  EXPECT_EQ(status_of(door, ""), 200);
  door.change({});
  EXPECT_EQ(status_of(door, "Basic x"), 200);
}

TEST(Door, WantsThePasswordOfAUser) {
  if (!can_check_passwords()) GTEST_SKIP() << "NO BCRYPT: this build can't check passwords";
  Door door;
  door.change({.users = {alice()}});
  EXPECT_EQ(status_of(door, ""), 401);
  EXPECT_EQ(status_of(door, "Basic YWxpY2U6d3Jvbmc="), 401);
  EXPECT_EQ(status_of(door, "Basic YWxpY2U6c2VjcmV0"), 200);
  door.change({});
  EXPECT_EQ(status_of(door, ""), 200);
}

TEST(Door, LimitsRequestsBeforeItLooksAtPasswords) {
  Door door;
  const DoorRules limited{.users = {alice()}, .interval = std::chrono::hours(1), .burst = 2};
  door.change(limited);
  EXPECT_EQ(status_of(door, ""), 401);
  door.change(limited);
  EXPECT_EQ(status_of(door, ""), 401) << "the same limit goes on";
  EXPECT_EQ(status_of(door, "Basic YWxpY2U6c2VjcmV0"), 429);
}

TEST(Door, LimitsTheRequestsOfEachAddress) {
  Door door;
  door.change({.interval = std::chrono::hours(1), .burst = 2});
  const NetAddress hostile = to_net_address(std::vector<std::uint8_t>{10, 0, 0, 1});
  const NetAddress honest = to_net_address(std::vector<std::uint8_t>{10, 0, 0, 2});
  for (const int status : {200, 200, 429, 429}) EXPECT_EQ(status_of(door, "", hostile), status);
  EXPECT_EQ(status_of(door, "", honest), 200);
}

TEST(Door, RefusesHeadWithoutABody) {
  Door door;
  door.change({.users = {alice()}, .interval = std::chrono::hours(1), .burst = 1});
  RequestHead head_request;
  head_request.method = "HEAD";
  RequestHead get_request;
  get_request.method = "GET";
  for (const int status : {401, 429}) {
    const Refusal head = refusal_of(door, head_request);
    EXPECT_EQ(head.status, status);
    EXPECT_TRUE(head.without_body) << status;
  }
  EXPECT_FALSE(refusal_of(door, get_request).without_body);
}

// Everybody has as many as they like of one network, and guesses are counted for all of them.
TEST(Door, CountsGuessesOfANetworkOfIpv6Together) {
  Door door;
  door.change({.users = {alice()}});
  NetAddress address{0x20, 0x01, 0x0d, 0xb8};
  const auto guess = [&](int number) {
    // "alice:" and a number of two digits.
    const std::string digits = "Basic YWxpY2U6" + std::string{'M', static_cast<char>('D' + number)};
    return status_of(door, digits + "E=", address);
  };
  for (int i = 0; i < 10; ++i) {
    address[15] = static_cast<std::uint8_t>(i);
    EXPECT_EQ(guess(i), 401) << i;
  }
  EXPECT_EQ(guess(10), 429);
  address[7] = 1;
  EXPECT_EQ(guess(10), 401) << "another network";
}

// Whoever is told may ask again, or change the rules.
TEST(Door, HoldsNothingWhileItTells) {
  Door door;
  door.change({.interval = std::chrono::hours(1), .burst = 0});
  int status = 0;
  door.ask({}, [&](const std::optional<Refusal>& refusal) {
    EXPECT_EQ(refusal->status, 429);
    door.change({});
    status = status_of(door, "");
  });
  EXPECT_EQ(status, 200);
}

}  // namespace
}  // namespace winperf
