// Every option of a web configuration is seen to act, as in options_test.cc: a client of TLS or
// HTTP meets something else with it than without it. An option without a row fails.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "config/options.h"
#include "exporter/auth/password_hash.h"
#include "service/run/overrides.h"
#include "service/run/protection.h"
#include "tests/exporter/support/tls_peer.h"
#include "tests/service/run/running_server.h"
#include "tests/support/option_file.h"

namespace winperf {
namespace {

using testing::Certificate;
using testing::PeerOptions;
using testing::PeerTransport;
using testing::TlsPeer;

constexpr char kHash[] = "$2y$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

// In the folder that the program would read them from.
struct Files {
  Files() {
    write("server.crt", server.pem);
    write("server.key", server.key);
    write("ca.crt", authority.pem);
    write("web.yml", "basic_auth_users: {a: " + std::string(kHash) + "}");
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  }
  std::string path_of(const std::string& name) const { return (folder.path() / name).string(); }

  testing::TempFolder folder;
  Certificate authority = testing::signed_by_itself({.name = "authority", .is_authority = true});
  Certificate server = testing::signed_by_itself({.dns_names = {"localhost"}});
  Certificate client =
      testing::signed_by(authority, "authority", {.name = "client", .dns_names = {"good"}});
};

const Files& files() {
  static const Files made;
  return made;
}

Config web_config_with(std::string_view path, const nlohmann::json& value) {
  const nlohmann::json plain{{"listen", {{"address", "127.0.0.1"}, {"port", 0}}},
                             {"countersets", {{{"name", "4"}}}}};
  const nlohmann::json file = path.empty() ? plain : testing::with_option(plain, path, value);
  auto config = parse_config(file.dump(), "test");
  EXPECT_TRUE(config) << file << describe(config.error().front());
  ListenConfig& where = config->listen.front();
  TlsConfig& tls = where.web.tls;
  for (std::string* const name :
       {&tls.certificate.file, &tls.key.file, &tls.client_ca.file, &where.web_file})
    if (!name->empty()) *name = files().path_of(*name);
  return *std::move(config);
}

using Seen = std::string;

// What a client of TLS gets.
Seen met(const WebConfig& web, const PeerOptions& options = {}) {
  const auto loaded = load_web(web);
  EXPECT_TRUE(loaded) << loaded.error();
  const auto protection = protection_of(*loaded);
  EXPECT_TRUE(protection) << protection.error();
  if (protection->tls == nullptr) return "plain";
  TlsPeer peer(options);
  PeerTransport transport(peer);
  TlsSession session(protection->tls);
  for (int i = 0; i < 20; ++i) {
    peer.step();
    std::array<char, 100> buffer{};
    (void)session.read(transport, buffer);
  }
  const bool is_good = peer.is_open() && !session.failure();
  return is_good ? peer.version() + ' ' + peer.suite() : "refused";
}

// The version alone.
Seen short_of(const Seen& all) { return all.substr(0, all.find(' ')); }

Seen version_met(const Config& c) { return short_of(met(c.listen.front().web)); }

// With a certificate of the server's own.
WebConfig with_tls(const Config& c) {
  WebConfig web = c.listen.front().web;
  web.tls.certificate = {.text = files().server.pem};
  web.tls.key = {.text = files().server.key};
  return web;
}

Seen met_by_12(const Config& c, std::vector<int> suites, std::vector<std::uint16_t> groups) {
  return met(with_tls(c),
             {.knows_13 = false, .suites = std::move(suites), .groups = std::move(groups)});
}

Seen status(const Config& c) {
  return testing::RunningServer(c).request("GET /metrics").substr(9, 3);
}

Seen header(const Config& c, const std::string& name) {
  const std::string answer = testing::RunningServer(c).request("GET /-/healthy");
  const std::size_t at = answer.find("\r\n" + name + ": ");
  return at == answer.npos ? "none" : answer.substr(at + 4 + name.size(), 12);
}

struct WebRow {
  std::string_view path;
  nlohmann::json value;
  Seen (*observe)(const Config&);
  Seen without;
  Seen with;
};

const std::vector<WebRow>& rows() {
  static const std::vector<WebRow> all{
      {"web_config_file", "web.yml",
       [](const Config& c) {
         return std::to_string(read_web_files({.config = c})->config.listen[0].web.users.size());
       },
       "0", "1"},
      {"web.tls_server_config.cert_file", "server.crt", version_met, "plain", "TLSv1.3"},
      {"web.tls_server_config.cert", files().server.pem, version_met, "plain", "TLSv1.3"},
      {"web.tls_server_config.key_file", "server.key", version_met, "plain", "TLSv1.3"},
      {"web.tls_server_config.key", files().server.key, version_met, "plain", "TLSv1.3"},
      {"web.tls_server_config.client_ca_file", "ca.crt",
       [](const Config& c) {
         return short_of(met(c.listen[0].web, {.certificate = &files().client}));
       },
       "plain", "TLSv1.3"},
      {"web.tls_server_config.client_ca", files().authority.pem,
       [](const Config& c) {
         return short_of(met(c.listen[0].web, {.certificate = &files().client}));
       },
       "plain", "TLSv1.3"},
      {"web.tls_server_config.client_auth_type", "RequireAnyClientCert",
       [](const Config& c) { return short_of(met(with_tls(c))); }, "TLSv1.3", "refused"},
      {"web.tls_server_config.client_allowed_sans", "other",
       [](const Config& c) {
         WebConfig web = with_tls(c);
         web.tls.client_auth = ClientAuth::kRequireAny;
         return short_of(met(web, {.certificate = &files().client}));
       },
       "TLSv1.3", "refused"},
      {"web.tls_server_config.min_version", "TLS13",
       [](const Config& c) { return met_by_12(c, {0xC02B}, {}); },
       "TLSv1.2 TLS-ECDHE-ECDSA-WITH-AES-128-GCM-SHA256", "refused"},
      {"web.tls_server_config.max_version", "TLS12",
       [](const Config& c) { return short_of(met(with_tls(c))); }, "TLSv1.3", "TLSv1.2"},
      {"web.tls_server_config.cipher_suites",
       {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"},
       [](const Config& c) { return met_by_12(c, {}, {}); },
       "TLSv1.2 TLS-ECDHE-ECDSA-WITH-AES-128-GCM-SHA256",
       "TLSv1.2 TLS-ECDHE-ECDSA-WITH-AES-256-GCM-SHA384"},
      {"web.tls_server_config.prefer_server_cipher_suites", false,
       [](const Config& c) { return met_by_12(c, {0xCCA9, 0xC02B}, {}); },
       "TLSv1.2 TLS-ECDHE-ECDSA-WITH-AES-128-GCM-SHA256",
       "TLSv1.2 TLS-ECDHE-ECDSA-WITH-CHACHA20-POLY1305-SHA256"},
      {"web.tls_server_config.curve_preferences", "CurveP521",
       [](const Config& c) { return met_by_12(c, {0xC02B}, {23}); },
       "TLSv1.2 TLS-ECDHE-ECDSA-WITH-AES-128-GCM-SHA256", "refused"},
      {"web.http_server_config.http2", true,
       [](const Config& c) {
         return std::to_string(protection_notices(c.listen[0].web, "").size());
       },
       "0", "1"},
      {"web.http_server_config.headers.Content-Security-Policy", "script-src 'none'",
       [](const Config& c) { return header(c, "Content-Security-Policy"); }, "default-src ",
       "script-src '"},
      {"web.http_server_config.headers.Strict-Transport-Security", "max-age=1234",
       [](const Config& c) { return header(c, "Strict-Transport-Security"); }, "none",
       "max-age=1234"},
      {"web.http_server_config.headers.X-Content-Type-Options", "nosniff",
       [](const Config& c) { return std::to_string(headers_of(c.listen[0].web.headers).size()); },
       "0", "1"},
      {"web.http_server_config.headers.X-Frame-Options", "sameorigin",
       [](const Config& c) { return header(c, "X-Frame-Options"); }, "none", "sameorigin\r\n"},
      {"web.http_server_config.headers.X-XSS-Protection", "1; mode=block",
       [](const Config& c) { return header(c, "X-XSS-Protection"); }, "none", "1; mode=bloc"},
      {"web.basic_auth_users", {{"a", kHash}}, status, "200", "401"},
      {"web.rate_limit.interval", "1h", status, "200", "429"},
      {"web.rate_limit.burst", 1,
       [](const Config& c) {
         Config limited = c;
         limited.listen[0].web.rate_limit.interval = std::chrono::hours(1);
         return status(limited);
       },
       "429", "200"},
  };
  return all;
}

TEST(WebOptions, EachHasARowHere) {
  for (const Option& option : config_options()) {
    if (option.assign == nullptr || !option.path.starts_with("listen.web")) continue;
    const std::string_view path = option.path.substr(std::string_view("listen.").size());
    EXPECT_EQ(std::ranges::count(rows(), path, &WebRow::path), 1) << path;
  }
}

TEST(WebOptions, AreSeenToAct) {
  bool is_complete = true;
  for (const WebRow& row : rows()) {
    if (row.path == "web.basic_auth_users" && !can_check_passwords()) {
      is_complete = false;
      continue;
    }
    EXPECT_EQ(row.observe(web_config_with("", {})), row.without) << row.path;
    EXPECT_EQ(row.observe(web_config_with("listen." + std::string(row.path), row.value)), row.with)
        << row.path;
  }
  if (!is_complete) GTEST_SKIP() << "NO BCRYPT: this build can't check passwords";
}

}  // namespace
}  // namespace winperf
