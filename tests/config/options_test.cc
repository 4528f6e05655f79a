// Every option of the table is seen to act: written into a file, it changes the member that it
// names and no other, and its limits are the last values that are accepted. An option without a row
// below fails.
#include "config/options.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>
#include <string>
#include <string_view>

#include "config/config.h"
#include "tests/support/option_file.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using Json = nlohmann::json;

// Its counterset has an interval of its own, so that the general one changes only itself.
Json plain_file() {
  return {{"interval", "1s"},
          {"countersets", {{{"name", "Memory"}, {"interval", "1s"}}}},
          {"facts", {"services"}}};
}

Json file_with(const Option& option, const Json& value) {
  return testing::with_option(plain_file(), option.path, value);
}

Config accepted(const Json& file) {
  const auto config = parse_config(file.dump(), "test");
  EXPECT_TRUE(config) << file << describe(config.error().front());
  return config.value_or(Config{});
}

// What with_option() adds to a TLS configuration, so that it is one.
void add_companions(Config& config, std::string_view path) {
  constexpr std::string_view kTls = "listen.web.tls_server_config.";
  if (!path.starts_with(kTls)) return;
  const std::string_view key = path.substr(kTls.size());
  TlsConfig& tls = config.listen.front().web.tls;
  if (!key.starts_with("cert")) tls.certificate.file = "server.crt";
  if (!key.starts_with("key")) tls.key.file = "server.key";
  if (key == "client_ca" || key == "client_ca_file")
    tls.client_auth = ClientAuth::kRequireAndVerify;
}

CountersetConfig& first(Config& config) { return config.countersets.at(0); }

// The target that with_option() adds, which has what the machine has.
TargetConfig& target(Config& config) {
  return config.targets.emplace_back(
      TargetConfig{.hosts = {"srv-1"}, .countersets = config.countersets});
}

// What an option of a number does. Booleans are 0 and 1.
struct NumberRow {
  std::string_view path;
  void (*change)(Config&, std::int64_t);
};

constexpr NumberRow kNumbers[] = {
    {"listen.port",
     [](Config& c, std::int64_t n) { c.listen.front().port = static_cast<std::uint16_t>(n); }},
    {"interval", [](Config& c, std::int64_t n) { c.interval = milliseconds(n); }},
    {"stale_after",
     [](Config& c, std::int64_t n) {
       c.stale_after = milliseconds(n);
       first(c).stale_after = milliseconds(n);
     }},
    {"discovery_interval",
     [](Config& c, std::int64_t n) { c.discovery_interval = milliseconds(n); }},
    {"log.max_bytes",
     [](Config& c, std::int64_t n) { c.log.max_bytes = static_cast<std::size_t>(n); }},
    {"log.max_files",
     [](Config& c, std::int64_t n) { c.log.max_files = static_cast<std::size_t>(n); }},
    {"metrics.total_instances",
     [](Config& c, std::int64_t n) { c.metrics.total_instances = n != 0; }},
    {"metrics.leading_processes",
     [](Config& c, std::int64_t n) { c.metrics.leading_processes = static_cast<std::size_t>(n); }},
    {"metrics.created", [](Config& c, std::int64_t n) { c.metrics.created = n != 0; }},
    {"metrics.cap_percentages",
     [](Config& c, std::int64_t n) { c.metrics.cap_percentages = n != 0; }},
    {"limits.query_timeout",
     [](Config& c, std::int64_t n) { c.limits.query_timeout = milliseconds(n); }},
    {"limits.max_series",
     [](Config& c, std::int64_t n) { c.limits.max_series = static_cast<std::size_t>(n); }},
    {"metrics.exporter", [](Config& c, std::int64_t n) { c.metrics.exporter = n != 0; }},
    {"limits.max_requests",
     [](Config& c, std::int64_t n) { c.limits.max_requests = static_cast<std::uint32_t>(n); }},
    {"listen.web.tls_server_config.prefer_server_cipher_suites",
     [](Config& c, std::int64_t n) { c.listen.front().web.tls.prefers_own_suites = n != 0; }},
    {"listen.web.rate_limit.interval",
     [](Config& c, std::int64_t n) { c.listen.front().web.rate_limit.interval = milliseconds(n); }},
    {"listen.web.rate_limit.burst",
     [](Config& c, std::int64_t n) { c.listen.front().web.rate_limit.burst = n; }},
    {"limits.max_reply_bytes",
     [](Config& c, std::int64_t n) { c.limits.max_reply_bytes = static_cast<std::size_t>(n); }},
    {"workers.enabled", [](Config& c, std::int64_t n) { c.workers.enabled = n != 0; }},
    {"workers.shortest_timeout",
     [](Config& c, std::int64_t n) { c.workers.shortest_timeout = milliseconds(n); }},
    {"workers.max_memory",
     [](Config& c, std::int64_t n) { c.workers.max_memory_bytes = static_cast<std::size_t>(n); }},
    {"workers.max_handles",
     [](Config& c, std::int64_t n) { c.workers.max_handles = static_cast<std::size_t>(n); }},
    {"workers.max_threads",
     [](Config& c, std::int64_t n) { c.workers.max_threads = static_cast<std::size_t>(n); }},
    {"reload.on_change", [](Config& c, std::int64_t n) { c.reload.on_change = n != 0; }},
    {"reload.http", [](Config& c, std::int64_t n) { c.reload.http = n != 0; }},
    {"recorder.memory",
     [](Config& c, std::int64_t n) { c.recorder.memory_bytes = static_cast<std::size_t>(n); }},
    {"recorder.owners", [](Config& c, std::int64_t n) { c.recorder.owners = n != 0; }},
    {"recorder.captures.counterset_fails",
     [](Config& c, std::int64_t n) { c.recorder.captures.counterset_fails = n != 0; }},
    {"recorder.captures.service_stops",
     [](Config& c, std::int64_t n) { c.recorder.captures.service_stops = n != 0; }},
    {"recorder.captures.span",
     [](Config& c, std::int64_t n) { c.recorder.captures.span = milliseconds(n); }},
    {"countersets[].interval",
     [](Config& c, std::int64_t n) {
       first(c).interval = milliseconds(n);
       first(c).stale_after = std::max(milliseconds(10'000), milliseconds(n) * 5 / 2);
     }},
    {"facts[].interval",
     [](Config& c, std::int64_t n) { c.facts.front().interval = milliseconds(n); }},
    {"remote.workers",
     [](Config& c, std::int64_t n) { c.remote.workers = static_cast<std::uint32_t>(n); }},
    {"targets[].interval", [](Config& c, std::int64_t n) { target(c).interval = milliseconds(n); }},
    {"targets[].stale_after",
     [](Config& c, std::int64_t n) {
       TargetConfig& entry = target(c);
       entry.interval = milliseconds(1'000);
       entry.stale_after = milliseconds(n);
       entry.countersets.front().stale_after = milliseconds(n);
     }},
    {"countersets[].stale_after",
     [](Config& c, std::int64_t n) { first(c).stale_after = milliseconds(n); }},
    {"countersets[].instances.id",
     [](Config& c, std::int64_t n) { first(c).instance_id = static_cast<std::uint32_t>(n); }},
    {"countersets[].instances.max",
     [](Config& c, std::int64_t n) { first(c).max_instances = static_cast<std::size_t>(n); }},
};

// What with_option() adds where a metric is needed.
CustomMetric& metric(Config& config) {
  first(config).metrics = {{.counter = "a", .name = "m"}};
  return first(config).metrics.front();
}

constexpr char kHash[] = "$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi";

// What an option of text, words or lists does. Of a choice, every word has a row.
struct TextRow {
  std::string_view path;
  const char* value;  // as in JSON
  void (*change)(Config&);
};

Patterns patterns(std::initializer_list<const char*> texts) {
  Patterns result;
  for (const char* const text : texts) result.push_back(*Pattern::compile(text));
  return result;
}

const TextRow kTexts[] = {
    {"listen.address", "\"::1\"", [](Config& c) { c.listen.front().address = "::1"; }},
    {"listen.serve", "\"metrics\"", [](Config& c) { c.listen.front().serve = {Served::kMetrics}; }},
    {"listen.serve", "\"api\"", [](Config& c) { c.listen.front().serve = {Served::kApi}; }},
    {"listen.serve", "[\"page\"]", [](Config& c) { c.listen.front().serve = {Served::kPage}; }},
    {"listen.serve", "[\"page\", \"api\", \"metrics\"]",
     [](Config& c) { c.listen.front().serve = {Served::kMetrics, Served::kApi, Served::kPage}; }},
    {"listen.hosts", "\"a\"", [](Config& c) { c.listen.front().hosts = {"a"}; }},
    {"listen.cors", "\"https://a.example:3000\"",
     [](Config& c) { c.listen.front().cors = {"https://a.example:3000"}; }},
    {"listen.cors", "[\"http://b\", \"https://[::1]\"]",
     [](Config& c) { c.listen.front().cors = {"http://b", "https://[::1]"}; }},
    {"listen.hosts", "[\"b\", \"a\"]", [](Config& c) { c.listen.front().hosts = {"b", "a"}; }},
    {"language", "\"english\"", [](Config& c) { c.language = NameLanguage::kEnglish; }},
    {"language", "\"machine\"", [](Config& c) { c.language = NameLanguage::kMachine; }},
    {"path", "\"auto\"", [](Config& c) { c.path = CounterPath::kAuto; }},
    {"path", "\"registry\"", [](Config& c) { c.path = CounterPath::kRegistry; }},
    {"path", "\"perflib\"", [](Config& c) { c.path = CounterPath::kPerflib; }},
    {"log.level", "\"trace\"", [](Config& c) { c.log.level = LogLevel::kTrace; }},
    {"log.level", "\"debug\"", [](Config& c) { c.log.level = LogLevel::kDebug; }},
    {"log.level", "\"info\"", [](Config& c) { c.log.level = LogLevel::kInfo; }},
    {"log.level", "\"warn\"", [](Config& c) { c.log.level = LogLevel::kWarn; }},
    {"log.level", "\"error\"", [](Config& c) { c.log.level = LogLevel::kError; }},
    {"log.format", "\"text\"", [](Config& c) { c.log.format = LogFormat::kText; }},
    {"log.format", "\"json\"", [](Config& c) { c.log.format = LogFormat::kJson; }},
    {"metrics.profiles", "\"winperf\"",
     [](Config& c) { c.metrics.profiles = {MetricProfile::kWinperf}; }},
    {"metrics.profiles", "[\"windows_exporter\", \"winperf\"]",
     [](Config& c) {
       c.metrics.profiles = {MetricProfile::kWinperf, MetricProfile::kWindowsExporter};
     }},
    {"metrics.profiles", "[\"windows_exporter_legacy\"]",
     [](Config& c) { c.metrics.profiles = {MetricProfile::kWindowsExporterLegacy}; }},
    {"log.file", "\"a.log\"", [](Config& c) { c.log.file = "a.log"; }},
    {"recorder.captures.folder", "\"a/b\"", [](Config& c) { c.recorder.captures.folder = "a/b"; }},
    {"recorder.captures.counters[].path", "\"\\\\P(*)\\\\% T\"",
     [](Config& c) { c.recorder.captures.counters = {{.path = "\\P(*)\\% T", .above = 1}}; }},
    {"recorder.captures.counters[].above", "-0.5",
     [](Config& c) { c.recorder.captures.counters = {{.path = "\\a\\b", .above = -0.5}}; }},
    {"recorder.captures.counters[].below", "1e9",
     [](Config& c) { c.recorder.captures.counters = {{.path = "\\a\\b", .below = 1e9}}; }},
    {"collect", "\"memory\"",
     [](Config& c) {
       c.collect = {"memory"};
       CountersetConfig memory = first(c);
       memory.names = {"Memory"};
       memory.label = "Memory";
       memory.is_optional = true;
       c.countersets.push_back(memory);
     }},
    {"countersets[].except", "[\"A\", \"B*\"]",
     [](Config& c) {
       first(c).names = {"*"};
       first(c).label = "*";
       first(c).except = {"A", "B*"};
     }},
    {"countersets[].costly", "true",
     [](Config& c) {
       first(c).names = {"*"};
       first(c).label = "*";
       first(c).costly = true;
     }},
    {"countersets[].name", "[\"A\", \"B\"]",
     [](Config& c) {
       first(c).names = {"A", "B"};
       first(c).label = "A";
     }},
    {"workers.leave_out", "\"A b\"", [](Config& c) { c.workers.leave_out = {"A b"}; }},
    {"workers.leave_out", "[\"B\", \"a\"]", [](Config& c) { c.workers.leave_out = {"B", "a"}; }},
    {"listen.web_config_file", "\"w.yml\"", [](Config& c) { c.listen.front().web_file = "w.yml"; }},
    {"listen.web.tls_server_config.cert_file", "\"a.crt\"",
     [](Config& c) { c.listen.front().web.tls.certificate.file = "a.crt"; }},
    {"listen.web.tls_server_config.cert", "\"A\\nB\"",
     [](Config& c) { c.listen.front().web.tls.certificate.text = "A\nB"; }},
    {"listen.web.tls_server_config.key_file", "\"a.key\"",
     [](Config& c) { c.listen.front().web.tls.key.file = "a.key"; }},
    {"listen.web.tls_server_config.key", "\"K\"",
     [](Config& c) { c.listen.front().web.tls.key.text = "K"; }},
    {"listen.web.tls_server_config.client_ca_file", "\"c.crt\"",
     [](Config& c) { c.listen.front().web.tls.client_ca.file = "c.crt"; }},
    {"listen.web.tls_server_config.client_ca", "\"C\"",
     [](Config& c) { c.listen.front().web.tls.client_ca.text = "C"; }},
    {"listen.web.tls_server_config.client_allowed_sans", "\"a\"",
     [](Config& c) { c.listen.front().web.tls.client_allowed_sans = {"a"}; }},
    {"listen.web.tls_server_config.client_allowed_sans", "[\"b\", \"a\"]",
     [](Config& c) { c.listen.front().web.tls.client_allowed_sans = {"b", "a"}; }},
    {"listen.web.tls_server_config.client_auth_type", "\"NoClientCert\"",
     [](Config& c) { c.listen.front().web.tls.client_auth = ClientAuth::kNone; }},
    {"listen.web.tls_server_config.client_auth_type", "\"RequestClientCert\"",
     [](Config& c) { c.listen.front().web.tls.client_auth = ClientAuth::kRequest; }},
    {"listen.web.tls_server_config.client_auth_type", "\"RequireAnyClientCert\"",
     [](Config& c) { c.listen.front().web.tls.client_auth = ClientAuth::kRequireAny; }},
    {"listen.web.tls_server_config.client_auth_type", "\"RequireClientCert\"",
     [](Config& c) { c.listen.front().web.tls.client_auth = ClientAuth::kRequireAny; }},
    {"listen.web.tls_server_config.client_auth_type", "\"VerifyClientCertIfGiven\"",
     [](Config& c) { c.listen.front().web.tls.client_auth = ClientAuth::kVerifyIfGiven; }},
    {"listen.web.tls_server_config.client_auth_type", "\"RequireAndVerifyClientCert\"",
     [](Config& c) { c.listen.front().web.tls.client_auth = ClientAuth::kRequireAndVerify; }},
    {"listen.web.tls_server_config.min_version", "\"TLS10\"",
     [](Config& c) { c.listen.front().web.tls.min_version = TlsVersion::k10; }},
    {"listen.web.tls_server_config.min_version", "\"TLS11\"",
     [](Config& c) { c.listen.front().web.tls.min_version = TlsVersion::k11; }},
    {"listen.web.tls_server_config.min_version", "\"TLS12\"",
     [](Config& c) { c.listen.front().web.tls.min_version = TlsVersion::k12; }},
    {"listen.web.tls_server_config.min_version", "\"TLS13\"",
     [](Config& c) { c.listen.front().web.tls.min_version = TlsVersion::k13; }},
    {"listen.web.tls_server_config.max_version", "\"TLS12\"",
     [](Config& c) { c.listen.front().web.tls.max_version = TlsVersion::k12; }},
    {"listen.web.tls_server_config.max_version", "\"TLS13\"",
     [](Config& c) { c.listen.front().web.tls.max_version = TlsVersion::k13; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_AES_128_GCM_SHA256\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kAes128Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_AES_256_GCM_SHA384\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kAes256Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_CHACHA20_POLY1305_SHA256\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kChacha20}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdsaAes128Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdsaAes256Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdheRsaAes128Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdheRsaAes256Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites",
     "[\"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdsaChacha20}; }},
    {"listen.web.tls_server_config.cipher_suites",
     "[\"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdheRsaChacha20}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdsaAes128CbcSha}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdsaAes256CbcSha}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA\"]",
     [](Config& c) {
       c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdheRsaAes128CbcSha};
     }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA\"]",
     [](Config& c) {
       c.listen.front().web.tls.cipher_suites = {CipherSuite::kEcdheRsaAes256CbcSha};
     }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_RSA_WITH_AES_128_GCM_SHA256\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kRsaAes128Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_RSA_WITH_AES_256_GCM_SHA384\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kRsaAes256Gcm}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_RSA_WITH_AES_128_CBC_SHA\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kRsaAes128CbcSha}; }},
    {"listen.web.tls_server_config.cipher_suites", "[\"TLS_RSA_WITH_AES_256_CBC_SHA\"]",
     [](Config& c) { c.listen.front().web.tls.cipher_suites = {CipherSuite::kRsaAes256CbcSha}; }},
    {"listen.web.tls_server_config.curve_preferences", "\"CurveP256\"",
     [](Config& c) { c.listen.front().web.tls.curves = {Curve::kP256}; }},
    {"listen.web.tls_server_config.curve_preferences", "\"CurveP384\"",
     [](Config& c) { c.listen.front().web.tls.curves = {Curve::kP384}; }},
    {"listen.web.tls_server_config.curve_preferences", "\"CurveP521\"",
     [](Config& c) { c.listen.front().web.tls.curves = {Curve::kP521}; }},
    {"listen.web.tls_server_config.curve_preferences", "\"X25519\"",
     [](Config& c) { c.listen.front().web.tls.curves = {Curve::kX25519}; }},
    {"listen.web.http_server_config.http2", "true",
     [](Config& c) { c.listen.front().web.http2 = true; }},
    {"listen.web.http_server_config.http2", "false",
     [](Config& c) { c.listen.front().web.http2 = false; }},
    {"listen.web.http_server_config.headers.Content-Security-Policy", "\"p\"",
     [](Config& c) { c.listen.front().web.headers.content_security_policy = "p"; }},
    {"listen.web.http_server_config.headers.Strict-Transport-Security", "\"max-age=1\"",
     [](Config& c) { c.listen.front().web.headers.strict_transport_security = "max-age=1"; }},
    {"listen.web.http_server_config.headers.X-XSS-Protection", "\"0\"",
     [](Config& c) { c.listen.front().web.headers.xss_protection = "0"; }},
    {"listen.web.http_server_config.headers.X-Content-Type-Options", "\"nosniff\"",
     [](Config& c) {
       c.listen.front().web.headers.content_type_options = ContentTypeOptions::kNosniff;
     }},
    {"listen.web.http_server_config.headers.X-Frame-Options", "\"deny\"",
     [](Config& c) { c.listen.front().web.headers.frame_options = FrameOptions::kDeny; }},
    {"listen.web.http_server_config.headers.X-Frame-Options", "\"sameorigin\"",
     [](Config& c) { c.listen.front().web.headers.frame_options = FrameOptions::kSameOrigin; }},
    {"listen.web.basic_auth_users",
     "{\"b\": \"$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi\", \"a\": "
     "\"$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi\"}",
     [](Config& c) {
       c.listen.front().web.users = {{.name = "a", .password_hash = kHash},
                                     {.name = "b", .password_hash = kHash}};
     }},
    {"metrics.path", "\"/other\"", [](Config& c) { c.metrics.path = "/other"; }},
    {"own_counters", "\"v1\"", [](Config& c) { c.own_counters = OwnCountersRoad::kV1; }},
    {"own_counters", "\"v2\"", [](Config& c) { c.own_counters = OwnCountersRoad::kV2; }},
    {"own_counters", "\"none\"", [](Config& c) { c.own_counters = OwnCountersRoad::kNone; }},
    {"metrics.detail", "\"usual\"", [](Config& c) { c.metrics.detail = PageDetail::kUsual; }},
    {"metrics.detail", "\"full\"", [](Config& c) { c.metrics.detail = PageDetail::kFull; }},
    {"metrics.values", "\"both\"", [](Config& c) { c.metrics.values = MetricValues::kBoth; }},
    {"metrics.values", "\"raw\"", [](Config& c) { c.metrics.values = MetricValues::kRaw; }},
    {"metrics.values", "\"cooked\"", [](Config& c) { c.metrics.values = MetricValues::kCooked; }},
    {"workers.isolation", "\"auto\"", [](Config& c) { c.workers.isolation = Isolation::kAuto; }},
    {"workers.isolation", "\"registry\"",
     [](Config& c) { c.workers.isolation = Isolation::kRegistry; }},
    {"workers.isolation", "\"hosts\"", [](Config& c) { c.workers.isolation = Isolation::kHosts; }},
    {"countersets[].path", "\"auto\"", [](Config& c) { first(c).path = CounterPath::kAuto; }},
    {"countersets[].path", "\"registry\"",
     [](Config& c) { first(c).path = CounterPath::kRegistry; }},
    {"countersets[].path", "\"perflib\"", [](Config& c) { first(c).path = CounterPath::kPerflib; }},
    {"countersets[].instances.include", "[]", [](Config&) {}},
    {"countersets[].instances.include", "\"a\"",
     [](Config& c) { first(c).instances.include = patterns({"a"}); }},
    {"countersets[].instances.include", "[\"a\", \"b\"]",
     [](Config& c) { first(c).instances.include = patterns({"a", "b"}); }},
    {"countersets[].instances.exclude", "[\"a\", \"b\"]",
     [](Config& c) { first(c).instances.exclude = patterns({"a", "b"}); }},
    {"countersets[].instances.by", "\"% Time (a\\\\b)\"",
     [](Config& c) {
       first(c).max_instances = 1;
       first(c).ranked_by = "% Time (a\\b)";
     }},
    {"countersets[].instances.labels", "\"(?<pid>\\\\d+)_(?P<pool>.*)\"",
     [](Config& c) { first(c).label_pattern = *Pattern::compile("(?<pid>\\d+)_(?P<pool>.*)"); }},
    {"countersets[].counters.include", "[\"a\", \"b\"]",
     [](Config& c) { first(c).counters.include = patterns({"a", "b"}); }},
    {"countersets[].counters.exclude", "[\"a\", \"b\"]",
     [](Config& c) { first(c).counters.exclude = patterns({"a", "b"}); }},
    {"countersets[].instance_label", "\"core\"",
     [](Config& c) {
       metric(c);
       first(c).instance_label = "core";
     }},
    {"countersets[].metrics[].counter", "\"% b\"", [](Config& c) { metric(c).counter = "% b"; }},
    {"countersets[].metrics[].name", "\"a:b_1\"", [](Config& c) { metric(c).name = "a:b_1"; }},
    {"countersets[].metrics[].labels", "{\"b\": \"2\", \"a\": \"1\"}",
     [](Config& c) { metric(c).labels = {{"a", "1"}, {"b", "2"}}; }},
    {"countersets[].metrics[].type", "\"counter\"",
     [](Config& c) { metric(c).type = CustomType::kCounter; }},
    {"countersets[].metrics[].type", "\"gauge\"",
     [](Config& c) { metric(c).type = CustomType::kGauge; }},
    {"countersets[].metrics[].value", "\"raw\"",
     [](Config& c) { metric(c).value = CustomValue::kRaw; }},
    {"countersets[].metrics[].value", "\"cooked\"",
     [](Config& c) { metric(c).value = CustomValue::kCooked; }},
    {"recorder.targets", "\"SRV-*\"",
     [](Config& c) {
       static_cast<void>(target(c));
       c.recorder.targets = {"SRV-*"};
     }},
    {"targets[].host", "\"web-1\"", [](Config& c) { target(c).hosts = {"web-1"}; }},
    {"targets[].host", "[\"a\", \"B-*.corp\", \"fe80::1\"]",
     [](Config& c) { target(c).hosts = {"a", "B-*.corp", "fe80::1"}; }},
    {"targets[].module", "\"sql-1\"", [](Config& c) { target(c).module = "sql-1"; }},
    {"targets[].path", "\"auto\"", [](Config& c) { target(c).path = CounterPath::kAuto; }},
    {"targets[].path", "\"registry\"", [](Config& c) { target(c).path = CounterPath::kRegistry; }},
    {"targets[].path", "\"perflib\"", [](Config& c) { target(c).path = CounterPath::kPerflib; }},
    {"targets[].language", "\"english\"",
     [](Config& c) { target(c).language = NameLanguage::kEnglish; }},
    {"targets[].language", "\"machine\"",
     [](Config& c) { target(c).language = NameLanguage::kMachine; }},
    {"targets[].labels", "{\"site\": \"x\"}",
     [](Config& c) { target(c).labels = {{"site", "x"}}; }},
    {"targets[].collect", "\"memory\"",
     [](Config& c) {
       TargetConfig& entry = target(c);
       entry.collect = {"memory"};
       CountersetConfig& memory = entry.countersets.front();
       memory.is_optional = true;
       memory.interval = entry.interval;
       memory.stale_after = milliseconds(37'500);
     }},
    {"facts[].include", "[\"a\", \"b\"]",
     [](Config& c) { c.facts.front().rows.include = patterns({"a", "b"}); }},
    {"facts[].exclude", "[\"a\", \"b\"]",
     [](Config& c) { c.facts.front().rows.exclude = patterns({"a", "b"}); }},
    {"facts[].folders", "\"a\"",
     [](Config& c) {
       c.facts = {{.topic = FactTopic::kTextfile, .interval = milliseconds(15'000)}};
       c.facts.front().folders = {"a"};
     }},
};

const Option& option_at(std::string_view path) {
  const auto options = config_options();
  const auto found = std::ranges::find(options, path, &Option::path);
  EXPECT_NE(found, options.end()) << path << " is no option any more";
  return found == options.end() ? options.front() : *found;
}

// A number as a file has it, in the unit of the table.
Json written(const Option& option, std::int64_t number) {
  if (option.takes.kind == &OptionKind::kBoolean) return number != 0;
  if (option.takes.kind == &OptionKind::kDuration) return std::to_string(number) + "ms";
  if (option.takes.kind == &OptionKind::kBytes) return std::to_string(number) + "B";
  return number;
}

TEST(ConfigOptions, EachHasARowHere) {
  for (const Option& option : config_options()) {
    // Topics have a test of their own.
    if (option.assign == nullptr || option.path == "facts[].name") continue;
    const auto rows = std::ranges::count(kNumbers, option.path, &NumberRow::path) +
                      std::ranges::count(kTexts, option.path, &TextRow::path);
    EXPECT_GE(rows, 1) << option.path;
    if (option.takes.kind != &OptionKind::kChoice) continue;
    // TLS 1.0 and 1.1 can't be the newest version.
    const std::size_t refused = option.path.ends_with("max_version") ? 2 : 0;
    EXPECT_EQ(static_cast<std::size_t>(rows) + refused, option.takes.choices.size()) << option.path;
  }
}

TEST(ConfigOptions, OfNumbersChangeTheirMemberAndNoOther) {
  for (const NumberRow& row : kNumbers) {
    const Option& option = option_at(row.path);
    const bool is_flag = option.takes.kind == &OptionKind::kBoolean;
    const std::int64_t maximum = is_flag ? 1 : option.takes.maximum;
    for (const std::int64_t number :
         {option.takes.minimum, (option.takes.minimum + maximum) / 2 / 1000 * 1000, maximum}) {
      if (number < option.takes.minimum) continue;
      Config expected = accepted(plain_file());
      row.change(expected, number);
      add_companions(expected, row.path);
      EXPECT_EQ(accepted(file_with(option, written(option, number))), expected)
          << row.path << ' ' << number;
    }
  }
}

TEST(ConfigOptions, OneBeyondALimitIsRefusedAtItsPlace) {
  for (const Option& option : config_options()) {
    if (option.takes.kind != &OptionKind::kInteger && option.takes.kind != &OptionKind::kDuration &&
        option.takes.kind != &OptionKind::kBytes)
      continue;
    for (const std::int64_t number : {option.takes.minimum - 1, option.takes.maximum + 1}) {
      const auto config = parse_config(file_with(option, written(option, number)).dump(), "test");
      ASSERT_FALSE(config) << option.path << ' ' << number;
      EXPECT_THAT(config.error().front().message,
                  HasSubstr('"' + std::string(option.path) + "\" must be "));
    }
  }
}

TEST(ConfigOptions, OfTextChangeTheirMemberAndNoOther) {
  for (const TextRow& row : kTexts) {
    Config expected = accepted(plain_file());
    row.change(expected);
    add_companions(expected, row.path);
    EXPECT_EQ(accepted(file_with(option_at(row.path), Json::parse(row.value))), expected)
        << row.path << ' ' << row.value;
  }
}

TEST(ConfigOptions, OfTextAreAsLongAsTheirLimit) {
  const auto accepted = [](const Option& option, std::int64_t bytes) {
    const Json file = file_with(option, std::string(static_cast<std::size_t>(bytes), 'a'));
    return parse_config(file.dump(), "test").has_value();
  };
  for (const Option& option : config_options()) {
    if (option.takes.kind != &OptionKind::kFile && option.path != "listen.address") continue;
    EXPECT_TRUE(accepted(option, option.takes.minimum)) << option.path;
    EXPECT_TRUE(accepted(option, option.takes.maximum)) << option.path;
    EXPECT_FALSE(accepted(option, option.takes.maximum + 1)) << option.path;
    if (option.takes.minimum == 0) continue;
    EXPECT_FALSE(accepted(option, option.takes.minimum - 1)) << option.path;
  }
}

TEST(ConfigOptions, NameEachTopicOfFacts) {
  for (const FactTopicInfo& info : kFactTopics) {
    Json entry{{"name", info.name}};
    if (info.topic == FactTopic::kTextfile) entry["folders"] = "a";
    Json file = plain_file();
    file["facts"] = Json::array({entry});
    const Config config = accepted(file);
    ASSERT_EQ(config.facts.size(), 1U) << info.name;
    EXPECT_EQ(config.facts.front().topic, info.topic);
    EXPECT_EQ(config.facts.front().interval, info.interval);
  }
}

// The defaults of the table, written into a file, are the defaults of the program.
TEST(ConfigOptions, NameTheDefaults) {
  nlohmann::json file = nlohmann::json::object();
  for (const Option& option : config_options()) {
    if (option.default_value.empty() || option.path.starts_with("countersets[]") ||
        option.path.starts_with("facts[]") || option.path.starts_with("targets[]"))
      continue;
    nlohmann::json* section = &file;
    for (const auto& part : std::views::split(parent_of(option), '.'))
      section = &(*section)[std::string(std::string_view(part))];
    (*section)[std::string(key_of(option))] = nlohmann::json::parse(option.default_value);
  }
  const auto config = parse_config(file.dump(), "defaults");
  ASSERT_TRUE(config.has_value()) << describe(config.error().front());
  EXPECT_EQ(*config, default_config());
}

TEST(ConfigOptions, AreComplete) {
  std::set<std::string_view> paths;
  for (const Option& option : config_options()) {
    EXPECT_TRUE(paths.insert(option.path).second) << option.path;
    EXPECT_FALSE(option.description.empty()) << option.path;
    const OptionKind& kind = *option.takes.kind;
    EXPECT_EQ(kind.read == nullptr, kind.check != nullptr) << option.path;
    EXPECT_EQ(option.assign == nullptr, kind.check != nullptr) << option.path;
    EXPECT_FALSE(kind.words.empty()) << option.path;
    EXPECT_FALSE(kind.schema.empty()) << option.path;
    EXPECT_LE(option.takes.minimum, option.takes.maximum) << option.path;
  }
}

}  // namespace
}  // namespace winperf
