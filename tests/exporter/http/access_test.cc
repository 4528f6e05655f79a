#include "exporter/http/access.h"

#include <gmock/gmock.h>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

constexpr Area kAll[]{Area::kHealth, Area::kMetrics, Area::kApi, Area::kPage};
const Visitor kLocal{.is_local = true, .host = "localhost:10182"};
const Visitor kRemote{.is_local = false, .host = "10.0.0.5:10182"};

std::string refusal(Area area, const AccessRules& rules, const Visitor& visitor) {
  return why_refused(area, "/path", rules, visitor).value_or("");
}

std::vector<Area> open_to(const AccessRules& rules, const Visitor& visitor) {
  std::vector<Area> open;
  for (const Area area : kAll)
    if (!why_refused(area, "/path", rules, visitor)) open.push_back(area);
  return open;
}

TEST(Access_ByDefault, IsEverythingForThisMachineAndMetricsForOthers) {
  EXPECT_THAT(open_to({}, kLocal), ::testing::ElementsAreArray(kAll));
  EXPECT_THAT(open_to({}, kRemote), ::testing::ElementsAre(Area::kHealth, Area::kMetrics));
}

TEST(Access_ByDefault, IsNotForThisMachineIfAProxyAsksForSomebodyElse) {
  Visitor proxied = kLocal;
  proxied.is_forwarded = true;
  EXPECT_THAT(open_to({}, proxied), ::testing::ElementsAre(Area::kHealth, Area::kMetrics));
  EXPECT_EQ(refusal(Area::kApi, {}, proxied),
            "/path is served to this machine only, and this request came through a proxy; to serve "
            "it to every client, list all areas that this address should serve in listen.serve, "
            "such as [metrics, api]");
}

TEST(Access_ToAnAddressThatSaysWhatItServes, IsTheSameForEveryone) {
  for (const Visitor& visitor : {kLocal, kRemote}) {
    EXPECT_THAT(open_to({.serve = {{Area::kPage}}}, visitor),
                ::testing::ElementsAre(Area::kHealth, Area::kPage));
    EXPECT_THAT(open_to({.serve = {{Area::kApi, Area::kMetrics}}}, visitor),
                ::testing::ElementsAre(Area::kHealth, Area::kMetrics, Area::kApi));
  }
}

TEST(Access_ThatIsRefused, NamesTheKeyThatOpensIt) {
  EXPECT_EQ(refusal(Area::kApi, {}, kRemote),
            "/path is served to this machine only; to serve it to every client, list all areas "
            "that this address should serve in listen.serve, such as [metrics, api]");
  EXPECT_THAT(refusal(Area::kPage, {}, kRemote), HasSubstr("[metrics, page]"));
  EXPECT_EQ(refusal(Area::kMetrics, {.serve = {{Area::kApi}}}, kLocal),
            "/path is not served at this address; to serve it, add metrics to listen.serve");
  Visitor misled = kLocal;
  misled.host = "evil.example:10182";
  EXPECT_EQ(
      refusal(Area::kApi, {}, misled),
      "unknown host name \"evil.example\"; if this machine has that name, add it to listen.hosts");
}

TEST(Access_UnderAName, NeedsOneThatThisMachineHas) {
  const AccessRules rules{.hosts = {"srv1", "Srv1.corp.example"}};
  Visitor visitor = kLocal;
  for (const char* host :
       {"", "localhost", "LOCALHOST:1", "localhost.", "127.0.0.1", "10.1.2.3:80", "[::1]",
        "[fe80::1]:10182", "srv1", "SRV1:10182", "srv1.CORP.example.:1"}) {
    visitor.host = host;
    EXPECT_EQ(refusal(Area::kApi, rules, visitor), "") << host;
    EXPECT_EQ(refusal(Area::kPage, rules, visitor), "") << host;
  }
  for (const char* host :
       {"evil.example", "localhost.evil.example", "srv1.evil.example", "srv", "srv1.corp",
        "127.0.0.1.evil.example", "1.2.3.4x", "[::1]evil.example", "localhost:evil.example",
        "localhost:1:2", ":80", ".", "srv12", "xsrv1"}) {
    visitor.host = host;
    EXPECT_THAT(refusal(Area::kApi, rules, visitor), HasSubstr("listen.hosts")) << host;
    EXPECT_THAT(refusal(Area::kPage, rules, visitor), HasSubstr("listen.hosts")) << host;
    EXPECT_EQ(refusal(Area::kMetrics, rules, visitor), "") << "Prometheus may know it by any name";
    EXPECT_EQ(refusal(Area::kHealth, rules, visitor), "");
  }
}

TEST(Access_UnderABrokenAddress, IsRefused) {
  Visitor visitor = kLocal;
  for (const char* host :
       {"[", "[]", "[::1", "]", "[]:", ":", "[evil.example]", "[::1].evil.example", "dead"}) {
    visitor.host = host;
    EXPECT_THAT(refusal(Area::kApi, {.hosts = {"", "::", "dead:beef::1"}}, visitor),
                HasSubstr("listen.hosts"))
        << host;
  }
}

TEST(Access_FromAPage, IsForOurOwnOnly) {
  Visitor visitor = kLocal;
  for (const char* origin : {"http://localhost:10182", "HTTP://LocalHost:10182"}) {
    visitor.origin = origin;
    EXPECT_EQ(refusal(Area::kApi, {}, visitor), "") << origin;
  }
  for (const char* origin : {"", "http://evil.example", "null", "http://localhost",
                             "http://localhost:3000", "http://127.0.0.1:10182", "localhost:10182",
                             "http://localhost:10182.evil.example", "http://xlocalhost:10182"}) {
    visitor.origin = origin;
    EXPECT_EQ(refusal(Area::kApi, {}, visitor), "pages of other sites cannot use /path") << origin;
    EXPECT_EQ(refusal(Area::kMetrics, {}, visitor), "");
  }
}

TEST(Access_FromAPage, MayLeaveOutTheDefaultPort) {
  Visitor visitor{.is_local = true, .host = "localhost", .origin = "http://localhost:80"};
  EXPECT_EQ(refusal(Area::kApi, {}, visitor), "");
  visitor = {.is_local = true, .host = "localhost:80", .origin = "http://localhost"};
  EXPECT_EQ(refusal(Area::kApi, {}, visitor), "");
  visitor = {.is_local = true, .host = "localhost:8080", .origin = "http://localhost:80"};
  EXPECT_NE(refusal(Area::kApi, {}, visitor), "");
}

// What browsers say about requests that have no Origin, such as those for an image or a script.
TEST(Access_FromAnotherSite, IsForFollowingALinkOnly) {
  Visitor visitor = kLocal;
  for (const char* site : {"cross-site", "same-site", "CROSS-SITE", "", "none, cross-site"}) {
    visitor.fetch_site = site;
    visitor.fetch_mode = "no-cors";
    EXPECT_THAT(refusal(Area::kApi, {}, visitor), HasSubstr("other sites")) << site;
    EXPECT_EQ(refusal(Area::kMetrics, {}, visitor), "");
    visitor.fetch_mode = "navigate";
    EXPECT_EQ(refusal(Area::kPage, {}, visitor), "");
  }
  for (const char* site : {"same-origin", "none", "NONE"}) {
    visitor.fetch_site = site;
    visitor.fetch_mode = "no-cors";
    EXPECT_EQ(refusal(Area::kApi, {}, visitor), "") << site;
  }
}

TEST(Access_OfAFormOfAnotherSite, IsRefusedAlthoughItNavigates) {
  Visitor visitor{.is_local = true,
                  .only_reads = false,
                  .host = "localhost",
                  .fetch_site = "cross-site",
                  .fetch_mode = "navigate"};
  EXPECT_THAT(refusal(Area::kApi, {}, visitor), HasSubstr("other sites"));
  visitor.fetch_site = "same-origin";
  EXPECT_EQ(refusal(Area::kApi, {}, visitor), "");
}

// An origin is listed as browsers write it, and nothing else is that origin.
TEST(ListedOrigins, MayReadTheApiAlone) {
  const AccessRules rules{.origins = {"https://grafana.example.com", "http://a.example:3000"}};
  const auto refused = [&](const char* origin, Area area = Area::kApi, bool only_reads = true) {
    Visitor visitor{.is_local = true, .only_reads = only_reads, .host = "localhost:10182"};
    visitor.origin = origin;
    visitor.fetch_site = "cross-site";
    visitor.fetch_mode = "cors";
    return why_refused(area, "/x", rules, visitor).has_value();
  };
  EXPECT_FALSE(refused("https://grafana.example.com"));
  EXPECT_FALSE(refused("http://a.example:3000"));
  EXPECT_TRUE(refused("https://grafana.example.com", Area::kPage));
  EXPECT_TRUE(refused("https://grafana.example.com", Area::kApi, false)) << "a POST";
  for (const char* const origin :
       {"null", "", "https://grafana.example.com.evil.example", "https://evil-grafana.example.com",
        "https://grafana.example.com:8443", "http://grafana.example.com",
        "https://grafana.example.com/", "https://Grafana.example.com",
        "HTTPS://grafana.example.com", "http://a.example", "http://a.example:30001",
        "https://grafana.example.com, https://evil.example", "https://user@grafana.example.com",
        "*"})
    EXPECT_TRUE(refused(origin)) << origin;
}

TEST(ListedOrigins, OpenNothingToWhomItIsClosed) {
  const AccessRules rules{.origins = {"https://grafana.example.com"}};
  Visitor visitor{.is_local = false, .host = "localhost"};
  visitor.origin = "https://grafana.example.com";
  EXPECT_TRUE(why_refused(Area::kApi, "/x", rules, visitor)) << "another machine";
  visitor.is_local = true;
  visitor.host = "rebound.example.com";
  EXPECT_TRUE(why_refused(Area::kApi, "/x", rules, visitor)) << "a name that isn't ours";
  visitor.host = "localhost";
  visitor.origin.reset();
  visitor.fetch_site = "cross-site";
  visitor.fetch_mode = "no-cors";
  EXPECT_TRUE(why_refused(Area::kApi, "/x", rules, visitor)) << "a script of any page";
}

}  // namespace
}  // namespace winperf
