// Web configurations of their own, and inside "listen": what is wrong, where, and what is said of
// it.
#include "config/web_config.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "config/config.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string problem(std::string_view text) {
  const auto web = parse_web_config(text, "web.yml");
  return web ? "" : describe(web.error().front());
}

std::string problem_inline(std::string_view text) {
  const auto config = parse_config(text, "c.yaml");
  return config ? "" : describe(config.error().front());
}

TEST(WebConfigFile, MayBeEmpty) {
  for (const char* const text :
       {"", "# nothing\n", "{}", "tls_server_config:\n", "basic_auth_users:\n"})
    EXPECT_EQ(parse_web_config(text, "web.yml").value_or(WebConfig{.http2 = true}), WebConfig{})
        << text;
}

TEST(WebConfigFile, HasErrorsWithTheirPlaceAndWithoutOurSection) {
  EXPECT_EQ(problem("tls_server_config:\n  cert_filse: a"),
            "web.yml:2:3: unknown key \"cert_filse\" in \"tls_server_config\"; did you mean "
            "\"cert_file\"?");
  EXPECT_EQ(problem("port: 1"),
            "web.yml:1:1: unknown key \"port\" in the file; did you mean \"listen.port\"?");
  EXPECT_THAT(problem("tls_server_config: {cert_file: a, key_file: b, min_version: TLS111}"),
              StartsWith("web.yml:1:61: \"tls_server_config.min_version\" must be \"TLS10\", "));
  EXPECT_THAT(problem("rate_limit: {interval: often}"), HasSubstr("\"rate_limit.interval\" must"));
  EXPECT_THAT(problem("junk\njunk"), HasSubstr("a web configuration must be an object"));
  EXPECT_THAT(problem("rate_limit: {burst: 1}\nrate_limit: {burst: 2}"), HasSubstr("web.yml:2:1"));
}

TEST(WebConfig_OfTls, NeedsACertificateAndItsKey) {
  constexpr char kSection[] = "\"tls_server_config\" ";
  EXPECT_THAT(problem("tls_server_config: {cert_file: a}"),
              HasSubstr(std::string(kSection) + "lacks key_file"));
  EXPECT_THAT(problem("tls_server_config: {cert_file: '', key_file: b}"),
              HasSubstr("lacks cert_file"));
  EXPECT_THAT(problem("tls_server_config: {client_auth_type: RequireAnyClientCert}"),
              HasSubstr("lacks cert_file"));
  EXPECT_THAT(problem("tls_server_config: {cert_file: a, cert: b, key_file: c}"),
              HasSubstr("has both cert_file and cert"));
  EXPECT_THAT(problem("tls_server_config: {cert_file: a, key_file: b, client_ca_file: c}"),
              HasSubstr("write client_auth_type: RequireAndVerifyClientCert"));
  EXPECT_EQ(problem("tls_server_config: {min_version: TLS13}"), "") << "as exporter-toolkit";
}

TEST(WebConfig_OfTls, WithAnErrorLacksNothing) {
  const auto web = parse_web_config("tls_server_config: {cert_file: 1, key_file: b}", "web.yml");
  ASSERT_FALSE(web);
  EXPECT_EQ(web.error().size(), 1U);
}

TEST(WebConfig_OfTls, HasVersionsThatLeaveOne) {
  const auto versions = [](const std::string& min, const std::string& max) {
    return problem("tls_server_config: {cert_file: a, key_file: b, min_version: " + min +
                   ", max_version: " + max + "}");
  };
  EXPECT_EQ(versions("TLS10", "TLS12"), "");
  EXPECT_THAT(versions("TLS13", "TLS12"), HasSubstr("is older than min_version"));
  EXPECT_THAT(versions("TLS10", "TLS11"), HasSubstr("is older than TLS 1.2"));
}

TEST(WebConfig_OfUsers, IsSecret) {
  for (const char* const text :
       {"basic_auth_users: {al: hidden}", "basic_auth_users: hidden", "basic_auth_users: [hidden]",
        "basic_auth_users: {al: {hidden: 1}}", "basic_auth_users: {al: [hidden]}",
        "basic_auth_users: {al: $2y$10$hidden}", "basic_auth_users: {'a:l': hidden}"}) {
    EXPECT_THAT(problem(text), HasSubstr("basic_auth_users")) << text;
    EXPECT_THAT(problem(text), Not(HasSubstr("hidden"))) << text;
  }
  // Where people may put them by mistake.
  for (const char* const text :
       {"tls_server_config: hidden", "tls_server_config: {min_version: hidden}",
        "tls_server_config: {client_auth_type: 'hidden'}",
        "tls_server_config: {cert_file: a, key: [hidden]}",
        "tls_server_config: {cert_file: a, key_file: 'hidden/'}", "rate_limit: {burst: hidden}",
        "-----BEGIN hidden-----: 1", "hidden9: 1", "basic_auth_users: {$2y$10$hidden: al}",
        "http_server_config: {http2: hidden}"}) {
    EXPECT_NE(problem(text), "") << text;
    EXPECT_THAT(problem(text), Not(HasSubstr("hidden"))) << text;
  }
  EXPECT_THAT(problem("tls_server_config: {cert_file: 123}"), Not(HasSubstr("123")));
  // A key twice, a name without its colon, and the same inside the configuration.
  for (const char* const text :
       {"$2y$10$hidden: 1\n$2y$10$hidden: 2", "basic_auth_users: {a: {}, hid xzq: 1, hid xzq: 2}",
        "tls_server_config:\n  MHcCAQEEIhid+xzq: a\n  MHcCAQEEIhid+xzq: a\n",
        "basic_auth_users: {prom \"hid xzq\"}", "basic_auth_users: {prom $2y$05$hidden}",
        "basic_auth_users: {prom=hid+xzq}", "basic_auth_users:\n  prom hidden:\n"}) {
    std::string indented = text;
    for (std::size_t at = indented.find('\n'); at != indented.npos;
         at = indented.find('\n', at + 5))
      indented.insert(at + 1, "    ");
    for (const auto& told : {problem(text), problem_inline("listen:\n  web:\n    " + indented)}) {
      EXPECT_NE(told, "") << text;
      for (const char* const secret : {"hid", "xzq", "$2"})
        EXPECT_THAT(told, Not(HasSubstr(secret))) << text;
    }
  }
  EXPECT_THAT(problem("basic_auth_users: {prom-1: x}"), HasSubstr("for the user \"prom-1\""));
}

// Files of other exporters have them.
TEST(WebConfigFile, MayHaveWhatExporterToolkitTakes) {
  const auto web = [](const std::string& text) {
    auto parsed = parse_web_config(text, "web.yml");
    EXPECT_TRUE(parsed) << describe(parsed.error().front());
    return parsed.value_or(WebConfig{});
  };
  const std::string tls = "tls_server_config:\n  cert_file: a\n  key_file: b\n  ";
  const TlsConfig plain = web(tls).tls;
  for (const char* const key :
       {"client_auth_type: ''", "client_auth_type:", "cipher_suites:", "client_ca_file:",
        "client_allowed_sans:", "min_version:", "max_version:", "curve_preferences: []",
        "prefer_server_cipher_suites: yes", "prefer_server_cipher_suites: ON"})
    EXPECT_EQ(web(tls + key).tls, plain) << key;
  EXPECT_FALSE(web(tls + "prefer_server_cipher_suites: no").tls.prefers_own_suites);
  EXPECT_EQ(web(tls + "cipher_suites: [TLS_RSA_WITH_AES_128_CBC_SHA, TLS_RSA_WITH_AES_128_CBC_SHA]")
                .tls.cipher_suites.size(),
            1U);
  EXPECT_EQ(web("http_server_config: {headers: {X-XSS-Protection: 1}}").headers.xss_protection,
            "1");
  EXPECT_EQ(web("http_server_config: {headers: {X-Frame-Options: '', Content-Security-Policy: }}"),
            WebConfig{});
  const auto interval = [&](const std::string& text) {
    return web("rate_limit: {burst: 1, interval: " + text + "}").rate_limit.interval;
  };
  EXPECT_EQ(interval("24h"), std::chrono::hours(24));
  EXPECT_EQ(interval("500us"), std::chrono::milliseconds(1));
  EXPECT_EQ(interval("10ns"), std::chrono::milliseconds(1));
  EXPECT_EQ(interval("2500\u00B5s"), std::chrono::milliseconds(3));
  EXPECT_EQ(interval("1m30s"), std::chrono::seconds(90));
  EXPECT_EQ(interval(""), std::chrono::seconds(0));
}

TEST(WebConfig_OfUsers, HasALineThatYamlReadsAsItIs) {
  const std::string hash = "$2y$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
  for (const char* const name :
       {"al", "a b", "#c", "- x", "null", "it's", "a, b", "\"", "{", "\xC3\xA9"}) {
    const auto web = parse_web_config("basic_auth_users:\n  " + user_line(name, hash).value(), "w");
    ASSERT_TRUE(web) << name;
    EXPECT_THAT(web->users, ElementsAre(UserConfig{.name = name, .password_hash = hash}));
  }
  for (const std::string& name :
       {std::string(), std::string("a:b"), std::string("a\nb"), std::string(256, 'a')})
    EXPECT_FALSE(user_line(name, hash)) << name;
}

TEST(WebConfig_InsideListen, IsTheSame) {
  const auto config = parse_config(
      "listen: [{port: 1, web: {rate_limit: {interval: 2s, burst: 3}}}, {port: 2}]", "c.yaml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->listen[0].web.rate_limit.burst, 3);
  EXPECT_EQ(config->listen[1].web, WebConfig{});
  EXPECT_EQ(problem_inline("listen: {web: {tls_server_config: {cert_file: a}}}"),
            "c.yaml:1:35: \"listen.web.tls_server_config\" lacks key_file, which TLS requires; "
            "write its name");
  EXPECT_THAT(problem_inline("listen: {web_config_file: a, web: {rate_limit: {burst: 1}}}"),
              HasSubstr("cannot be combined with web_config_file"));
  EXPECT_EQ(problem_inline("listen: {web_config_file: a, web: {rate_limit: {burst: 0}}}"), "");
}

TEST(WebConfig_OfAFile, IsReadWithTheConfiguration) {
  const auto folder = std::filesystem::temp_directory_path() / "winperf_web_config_test";
  std::filesystem::create_directories(folder / "sub");
  std::ofstream(folder / "c.yaml") << "listen: {web_config_file: sub/web.yml}";
  std::ofstream(folder / "sub" / "web.yml") << "tls_server_config: {cert_file: a, key_file: ../b}";
  const auto config = load_config_file(folder / "c.yaml");
  ASSERT_TRUE(config) << describe(config.error().front());
  const TlsConfig& tls = config->config.listen[0].web.tls;
  EXPECT_EQ(std::filesystem::path(tls.certificate.file), folder / "sub" / "a");
  EXPECT_EQ(std::filesystem::path(tls.key.file).lexically_normal(), folder / "b");
  std::ofstream(folder / "sub" / "web.yml") << "x: 1";
  EXPECT_THAT(describe(load_config_file(folder / "c.yaml").error().front()),
              HasSubstr("web.yml:1:1: unknown key"));
  std::filesystem::remove(folder / "sub" / "web.yml");
  EXPECT_THAT(describe(load_config_file(folder / "c.yaml").error().front()),
              HasSubstr("no such file"));
  std::filesystem::remove_all(folder);
}

TEST(WebNotices, SayWhatMayNotBeMeant) {
  EXPECT_THAT(web_notices({}), ElementsAre());
  WebConfig web{.tls = {.certificate = {.file = "a"}, .key = {.file = "b"}},
                .users = {{.name = "a", .password_hash = "b"}}};
  EXPECT_THAT(web_notices(web), ElementsAre());
  web.tls.certificate = {};
  EXPECT_THAT(web_notices(web), ElementsAre(HasSubstr("passwords are sent without TLS"),
                                            HasSubstr("connections are not encrypted")));
  const auto one = [](const WebConfig& wrong) {
    return ElementsAre(HasSubstr(web_notices(wrong).at(0)));
  };
  WebConfig good{.tls = {.certificate = {.file = "a"}, .key = {.file = "b"}}};
  WebConfig wrong = good;
  wrong.tls.min_version = TlsVersion::k11;
  EXPECT_THAT(web_notices(wrong), one(wrong));
  EXPECT_THAT(web_notices(wrong)[0], HasSubstr("min_version"));
  wrong = good;
  wrong.tls.client_auth = ClientAuth::kVerifyIfGiven;
  EXPECT_THAT(web_notices(wrong), ElementsAre(HasSubstr("no certificate is trusted")));
  wrong.tls.client_ca.file = "c";
  EXPECT_THAT(web_notices(wrong), ElementsAre());
  wrong = good;
  wrong.tls.client_allowed_sans = {"a"};
  EXPECT_THAT(web_notices(wrong), ElementsAre(HasSubstr("client_allowed_sans")));
  const auto of_cost = [](const std::string& digits) {
    WebConfig costly{.tls = {.certificate = {.file = "a"}, .key = {.file = "b"}}};
    costly.users = {{.name = "a", .password_hash = "$2y$" + digits + "$x"}};
    return web_notices(costly);
  };
  EXPECT_THAT(of_cost("14"), ElementsAre());
  EXPECT_THAT(of_cost("15"), ElementsAre(HasSubstr("a cost above 14")));
  EXPECT_THAT(web_notices({.http2 = true}), ElementsAre(HasSubstr("http2")));
  EXPECT_THAT(web_notices({.http2 = false}), ElementsAre());
  EXPECT_THAT(web_notices({.rate_limit = {.interval = std::chrono::seconds(1)}}),
              ElementsAre(HasSubstr("burst")));
}

TEST(MetricsPath, IsOneThatIsFree) {
  for (const char* const path : {"/metrics", "/a", "/a/b.c_d~e-f"})
    EXPECT_FALSE(metrics_path_problem(path)) << path;
  for (const char* const path :
       {"", "/", "a", "/a b", "/a?b", "/health", "/version", "/-/x", "/api/v1", "/page/x"})
    EXPECT_TRUE(metrics_path_problem(path)) << path;
  EXPECT_FALSE(metrics_path_problem("/" + std::string(199, 'a')));
  EXPECT_TRUE(metrics_path_problem("/" + std::string(200, 'a')));
}

}  // namespace
}  // namespace winperf
