#include "collectors/facts/dhcp_scopes.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "collectors/facts/refusals.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kOffice = 0x0A000000;  // 10.0.0.0
constexpr std::uint32_t kGuests = 0xC0A80A00;  // 192.168.10.0
constexpr std::uint32_t kDenied = 5;

// Two scopes, of which the second has a partner. A test lets it refuse something.
class FakeServer final : public DhcpServer {
 public:
  Answer<std::vector<std::uint32_t>> subnets() override {
    if (subnets_code != 0) return std::unexpected(subnets_code);
    std::vector<std::uint32_t> addresses;
    for (const auto& [address, subnet] : scopes) addresses.push_back(address);
    return addresses;
  }
  Answer<DhcpSubnet> subnet(std::uint32_t address) override {
    if (refused.contains({"subnet", address})) return std::unexpected(kDenied);
    return scopes.at(address);
  }
  Answer<std::vector<DhcpSuperscope>> superscopes() override {
    ++questions_about_all;
    if (refused.contains({"superscopes", 0})) return std::unexpected(kDenied);
    return std::vector<DhcpSuperscope>{{.subnet = kOffice, .number = 2, .name = "Berlin"},
                                       {.subnet = kGuests}};
  }
  Answer<std::vector<DhcpUse>> uses() override {
    ++questions_about_all;
    if (refused.contains({"uses", 0})) return std::unexpected(kDenied);
    return std::vector<DhcpUse>{{.subnet = kGuests, .free = 1, .in_use = 2, .pending_offers = 3},
                                {.subnet = kOffice, .free = 40, .in_use = 60, .pending_offers = 4}};
  }
  Answer<std::optional<DhcpFailover>> failover(std::uint32_t subnet) override {
    if (refused.contains({"failover", subnet})) return std::unexpected(kDenied);
    if (subnet != kGuests) return std::nullopt;
    return DhcpFailover{.free = 100,
                        .in_use = 50,
                        .free_here = 70,
                        .in_use_here = 20,
                        .free_on_partner = 30,
                        .in_use_on_partner = 31};
  }
  Answer<std::uint32_t> reservations(std::uint32_t subnet) override {
    if (refused.contains({"reservations", subnet})) return std::unexpected(kDenied);
    return subnet == kOffice ? 5 : 0;
  }

  std::map<std::uint32_t, DhcpSubnet> scopes{
      {kOffice, {.mask = 0xFFFFFF00, .state = 0, .name = "Office"}},
      {kGuests, {.mask = 0xFFFFFE00, .state = 1, .name = ""}}};
  std::set<std::pair<std::string, std::uint32_t>> refused;
  std::uint32_t subnets_code = 0;
  int questions_about_all = 0;
};

FactRow office() {
  return FactRow()
      .text("scope", "10.0.0.0/24")
      .text("name", "Office")
      .text("state", "Enabled")
      .text("superscope", "Berlin")
      .text("superscope_id", "2")
      .number("pending_offers", 4)
      .number("free", 40)
      .number("in_use", 60)
      .number("reservations", 5);
}

FactRow guests() {
  return FactRow()
      .text("scope", "192.168.10.0/23")
      .text("state", "Disabled")
      .text("superscope_id", "0")
      .number("pending_offers", 3)
      .number("free", 100)
      .number("in_use", 50)
      .number("free_here", 70)
      .number("in_use_here", 20)
      .number("free_on_partner", 30)
      .number("in_use_on_partner", 31)
      .number("reservations", 0);
}

FactTable rows_of(FakeServer& server) {
  auto rows = dhcp_scope_rows(server);
  EXPECT_TRUE(rows);
  return rows ? *std::move(rows) : FactTable{};
}

// The row without some of its fields.
FactRow without(const FactRow& row, const std::set<std::string>& fields) {
  FactRow rest;
  for (const auto& [name, value] : row.fields()) {
    if (fields.contains(name)) continue;
    if (const auto* const number = std::get_if<double>(&value))
      rest.number(name, *number);
    else
      rest.text(name, std::get<std::string>(value));
  }
  return rest;
}

TEST(DhcpScopesTest, AScope_HasWhatTheServerSaysAndWithAPartnerWhatBothSay) {
  FakeServer server;
  const FactTable table = rows_of(server);
  EXPECT_THAT(table.rows, ElementsAre(office(), guests()));
  EXPECT_THAT(table.problems, IsEmpty());
}

TEST(DhcpScopesTest, WithoutAServer_ThereAreNoScopes) {
  for (const std::uint32_t code : {1722u, 1753u}) {
    FakeServer server;
    server.subnets_code = code;
    EXPECT_EQ(dhcp_scope_rows(server), FactTable{}) << code;
    EXPECT_EQ(server.questions_about_all, 0);
  }
  FakeServer refusing;
  refusing.subnets_code = kDenied;
  EXPECT_EQ(dhcp_scope_rows(refusing), std::unexpected(kDenied));
}

TEST(DhcpScopesTest, AServerWithoutScopes_IsAskedNothingElse) {
  FakeServer server;
  server.scopes.clear();
  EXPECT_EQ(rows_of(server), FactTable{});
  EXPECT_EQ(server.questions_about_all, 0);
}

TEST(DhcpScopesTest, WhatIsRefusedOfAScope_IsMissingThere) {
  FakeServer server;
  server.refused = {{"subnet", kOffice}, {"failover", kGuests}, {"reservations", kGuests}};
  const FactTable table = rows_of(server);
  EXPECT_THAT(table.rows, ElementsAre(without(
                              guests(), {"free", "in_use", "free_here", "in_use_here",
                                         "free_on_partner", "in_use_on_partner", "reservations"})))
      << "what this server counts is not the whole scope";
  const std::string because = refusal_text(" cannot be read, the first because of", kDenied);
  EXPECT_THAT(table.problems, ElementsAre("1 DHCP scopes" + because,
                                          "1 failover statistics of DHCP scopes" + because,
                                          "1 lists of reservations of DHCP scopes" + because));
}

TEST(DhcpScopesTest, WhatIsRefusedOfAllScopes_IsMissingInEach) {
  FakeServer server;
  server.refused = {{"superscopes", 0}, {"uses", 0}};
  const FactTable table = rows_of(server);
  EXPECT_THAT(table.rows, ElementsAre(without(office(), {"superscope", "superscope_id",
                                                         "pending_offers", "free", "in_use"}),
                                      without(guests(), {"superscope_id", "pending_offers"})));
  EXPECT_THAT(table.problems,
              ElementsAre(refusal_text("The superscopes cannot be read", kDenied),
                          refusal_text("The numbers of addresses cannot be read", kDenied)));
}

TEST(DhcpScopesTest, AnUnknownState_IsMissing) {
  FakeServer server;
  server.scopes.erase(kGuests);
  server.scopes.at(kOffice).state = 5;
  EXPECT_THAT(rows_of(server).rows, ElementsAre(without(office(), {"state"})));
}

TEST(DhcpScopesTest, TheTextOfAScope_HasThePrefixOrAMaskWithGaps) {
  EXPECT_EQ(dhcp_scope_text(kOffice, 0xFFFFFF00), "10.0.0.0/24");
  EXPECT_EQ(dhcp_scope_text(0xFFFEFDFC, 0xFFFFFFFF), "255.254.253.252/32");
  EXPECT_EQ(dhcp_scope_text(0, 0), "0.0.0.0/0");
  EXPECT_EQ(dhcp_scope_text(kOffice, 0xFF00FF00), "10.0.0.0/ff00ff00");
}

// How an enumeration ends whose pages have these codes, with two elements in each.
std::uint32_t end_of(std::vector<std::uint32_t> codes, std::uint32_t& elements) {
  std::size_t page = 0;
  return read_all_pages([&](std::uint32_t& resume, std::uint32_t& read) {
    EXPECT_EQ(resume, page) << "each page begins where the one before ended";
    ++resume;
    read = 2;
    elements += read;
    return codes.at(page++);
  });
}

TEST(DhcpPagesTest, AreReadToTheEnd) {
  std::uint32_t elements = 0;
  EXPECT_EQ(end_of({234, 234, 0}, elements), 0u);
  EXPECT_EQ(elements, 6u);
  EXPECT_EQ(end_of({234, 259}, elements = 0), 0u);
  EXPECT_EQ(elements, 4u);
  EXPECT_EQ(end_of({234, kDenied}, elements), kDenied);
}

TEST(DhcpPagesTest, ThatNeverEnd_AreGivenUp) {
  EXPECT_EQ(read_all_pages([](std::uint32_t&, std::uint32_t& read) {
              read = 1;
              return 234u;
            }),
            13u);
  int pages = 0;
  EXPECT_EQ(read_all_pages([&pages](std::uint32_t&, std::uint32_t&) {
              ++pages;
              return 234u;
            }),
            13u);
  EXPECT_EQ(pages, 1) << "an empty page with more behind it";
}

}  // namespace
}  // namespace winperf
