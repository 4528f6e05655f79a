// The part of the table of configuration keys that begins with "listen.web". A separate web
// configuration has the same keys without that prefix. Messages never contain secrets.
#include <algorithm>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/values.h"

namespace winperf {
namespace {

constexpr std::size_t kHashBytes = 60;
constexpr std::size_t kMostNameBytes = 255;

bool is_of_base64(char c) { return is_letter_or_digit(c) || c == '.' || c == '/'; }

// "$2y$10$" and 53 characters: the kind, the cost from 04 to 31, the salt and the hash.
bool is_bcrypt(std::string_view text) {
  if (text.size() != kHashBytes || !text.starts_with("$2") || text[3] != '$' || text[6] != '$')
    return false;
  if (!std::string_view("abxy").contains(text[2]) || !is_digit(text[4]) || !is_digit(text[5]))
    return false;
  const int cost = (text[4] - '0') * 10 + (text[5] - '0');
  return cost >= 4 && cost <= 31 && std::ranges::all_of(text.substr(7), is_of_base64);
}

// Clients send NAME:PASSWORD, so a name ends at the first colon.
bool is_user_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes && !name.contains(':') &&
         std::ranges::none_of(
             name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// If the colon after the name is missing, the hash is part of the key.
bool may_be_shown(std::string_view name) {
  constexpr std::size_t kMostShown = 32;
  return name.size() <= kMostShown && std::ranges::all_of(name, [](char c) {
           return is_letter_or_digit(c) || std::string_view("._-@").contains(c);
         });
}

std::unexpected<TextError> bad_hash(const Option& option, const Node& user) {
  const std::string name = may_be_shown(user.key) ? "the user " + in_quotes(user.key) : "a user";
  return std::unexpected(TextError{
      user.offset, in_quotes(option.path) + " has no bcrypt hash for " + name +
                       "; write the hash that \"winperf_exporter config hash-password\" prints for "
                       "the password"});
}

ReadValue read_pem(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kScalar)
    return complaint(option, node, "must be text; write PEM, as one text with its lines");
  if (const auto problem = length_problem(option, node)) return std::unexpected(*problem);
  return node.text;
}

ReadValue read_users(const Option& option, const Node& node) {
  Users users;
  if (node.kind == NodeKind::kNull) return users;
  if (node.kind != NodeKind::kMap)
    return complaint(option, node,
                     "must be an object; write each name with a colon and its bcrypt hash");
  if (std::cmp_greater(node.children.size(), option.takes.maximum))
    return complaint(option, node,
                     "has too many users; write at most " + std::to_string(option.takes.maximum));
  for (const Node& user : node.children) {
    if (!is_user_name(user.key))
      return std::unexpected(
          TextError{user.key_offset,
                    in_quotes(option.path) +
                        " has an invalid user name; write 1 to 255 characters without a colon"});
    if (user.kind != NodeKind::kScalar || !is_bcrypt(user.text)) return bad_hash(option, user);
    users.push_back({.name = user.key, .password_hash = user.text});
  }
  std::ranges::sort(users, {}, &UserConfig::name);
  return users;
}

ReadValue read_text(const Option& option, const Node& node) {
  // exporter-toolkit accepts a number as text.
  const bool is_number = is_web_key(option.path) && is_bare_number(node);
  if (is_number) return node.text;
  if (const auto problem = text_problem(option, node, "text")) return std::unexpected(*problem);
  if (const auto problem = length_problem(option, node)) return std::unexpected(*problem);
  return node.text;
}

// Go's: a word may be repeated, and there may be none.
ReadValue read_web_words(const Option& option, const Node& node) {
  auto words = read_each(option, node, read_choice);
  if (!words) return words;
  std::ranges::sort(*words);
  words->erase(std::ranges::unique(*words).begin(), words->end());
  return words;
}

constexpr OptionKind kWebWords{
    .read = read_web_words,
    .words = "{choices}, or list of them",
    .entry = R"({"enum": {choices}})",
    .schema = R"({"type": "array", "items": {entry}, "uniqueItems": true})",
    .written = Written::kList};

constexpr OptionKind kText{.read = read_text,
                           .words = "text",
                           .schema = R"({"type": "string", "maxLength": {max}})",
                           .written = Written::kQuoted};

// Not written by `config set`, which shows the old value.
constexpr OptionKind kPem{
    .read = read_pem, .words = "PEM", .schema = R"({"type": "string", "maxLength": {max}})"};

constexpr OptionKind kUsers{
    .read = read_users,
    .words = "object: names and bcrypt hashes",
    .schema = R"({"type": "object", "maxProperties": {max}, "additionalProperties": {
        "type": "string", "pattern": "^\\$2[abxy]\\$[0-3][0-9]\\$[./A-Za-z0-9]{53}$"}})"};

constexpr Choice kClientAuths[] = {
    {"NoClientCert", ClientAuth::kNone},
    {"RequestClientCert", ClientAuth::kRequest},
    {"RequireAnyClientCert", ClientAuth::kRequireAny},
    {"RequireClientCert", ClientAuth::kRequireAny},  // an older name of it
    {"VerifyClientCertIfGiven", ClientAuth::kVerifyIfGiven},
    {"RequireAndVerifyClientCert", ClientAuth::kRequireAndVerify}};

constexpr Choice kVersions[] = {{"TLS10", TlsVersion::k10},
                                {"TLS11", TlsVersion::k11},
                                {"TLS12", TlsVersion::k12},
                                {"TLS13", TlsVersion::k13}};

constexpr Choice kCipherSuites[] = {
    {"TLS_AES_128_GCM_SHA256", CipherSuite::kAes128Gcm},
    {"TLS_AES_256_GCM_SHA384", CipherSuite::kAes256Gcm},
    {"TLS_CHACHA20_POLY1305_SHA256", CipherSuite::kChacha20},
    {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", CipherSuite::kEcdsaAes128Gcm},
    {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", CipherSuite::kEcdsaAes256Gcm},
    {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", CipherSuite::kEcdheRsaAes128Gcm},
    {"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", CipherSuite::kEcdheRsaAes256Gcm},
    {"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", CipherSuite::kEcdsaChacha20},
    {"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", CipherSuite::kEcdheRsaChacha20},
    {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", CipherSuite::kEcdsaAes128CbcSha},
    {"TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", CipherSuite::kEcdsaAes256CbcSha},
    {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", CipherSuite::kEcdheRsaAes128CbcSha},
    {"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", CipherSuite::kEcdheRsaAes256CbcSha},
    {"TLS_RSA_WITH_AES_128_GCM_SHA256", CipherSuite::kRsaAes128Gcm},
    {"TLS_RSA_WITH_AES_256_GCM_SHA384", CipherSuite::kRsaAes256Gcm},
    {"TLS_RSA_WITH_AES_128_CBC_SHA", CipherSuite::kRsaAes128CbcSha},
    {"TLS_RSA_WITH_AES_256_CBC_SHA", CipherSuite::kRsaAes256CbcSha}};

constexpr Choice kCurves[] = {{"CurveP256", Curve::kP256},
                              {"CurveP384", Curve::kP384},
                              {"CurveP521", Curve::kP521},
                              {"X25519", Curve::kX25519}};

constexpr Choice kFrameOptions[] = {{"deny", FrameOptions::kDeny},
                                    {"sameorigin", FrameOptions::kSameOrigin}};
constexpr Choice kContentTypeOptions[] = {{"nosniff", ContentTypeOptions::kNosniff}};

constexpr std::int64_t kMostFileBytes = 4096;
constexpr std::int64_t kMostPemBytes = std::int64_t{256} * 1024;
constexpr std::int64_t kMostHeaderBytes = 4096;
constexpr std::int64_t kMostSans = 100;
constexpr std::int64_t kMostUsers = 1000;

// The members that lead to a value.
template <auto... kPath>
constexpr auto kSetTls = &set<&ListenConfig::web, &WebConfig::tls, kPath...>;
template <auto kMember>
constexpr auto kSetHeader = &set<&ListenConfig::web, &WebConfig::headers, kMember>;

constexpr Option kWebOptions[] = {
    Option("listen.web_config_file", {OptionKind::kFile, kMostFileBytes}, "\"\"",
           "A web configuration file in the format of exporter-toolkit, with the keys of "
           "listen.web. It is reloaded when it or a file that it names changes. A relative path "
           "starts at the folder of the configuration file. Empty: none.",
           set<&ListenConfig::web_file>, "", "web.yml"),
    Option(
        kWebSection, {}, "",
        "TLS, passwords, headers and a rate limit for this address, with exporter-toolkit's keys."),
    Option("listen.web.tls_server_config", {}, "",
           "TLS. Without a certificate the address serves plain HTTP."),
    Option("listen.web.tls_server_config.cert_file", {OptionKind::kFile, kMostFileBytes}, "\"\"",
           "The certificate in PEM, followed by its intermediate certificates. A relative path "
           "starts at the folder of the file that names it.",
           kSetTls<&TlsConfig::certificate, &PemSource::file>, "", "server.crt"),
    Option("listen.web.tls_server_config.cert", {kPem, kMostPemBytes}, "\"\"",
           "The same as text, instead of a file.",
           kSetTls<&TlsConfig::certificate, &PemSource::text>),
    Option("listen.web.tls_server_config.key_file", {OptionKind::kFile, kMostFileBytes}, "\"\"",
           "The private key of the certificate in PEM, not encrypted. Only administrators and the "
           "service account should be able to read it.",
           kSetTls<&TlsConfig::key, &PemSource::file>, "", "server.key"),
    Option("listen.web.tls_server_config.key", {kPem, kMostPemBytes}, "\"\"",
           "The same as text, instead of a file.", kSetTls<&TlsConfig::key, &PemSource::text>),
    Option("listen.web.tls_server_config.client_ca_file", {OptionKind::kFile, kMostFileBytes},
           "\"\"", "The CA certificates for client certificates, in PEM.",
           kSetTls<&TlsConfig::client_ca, &PemSource::file>, "", "clients.crt"),
    Option("listen.web.tls_server_config.client_ca", {kPem, kMostPemBytes}, "\"\"",
           "The same as text, instead of a file.",
           kSetTls<&TlsConfig::client_ca, &PemSource::text>),
    Option(
        "listen.web.tls_server_config.client_auth_type", {OptionKind::kChoice, kClientAuths}, "",
        "Whether clients need a certificate. RequestClientCert: any or none. RequireAnyClientCert "
        "(or RequireClientCert): any. VerifyClientCertIfGiven: none, or one signed by client_ca. "
        "RequireAndVerifyClientCert: one signed by client_ca. Default: NoClientCert.",
        kSetTls<&TlsConfig::client_auth>),
    Option("listen.web.tls_server_config.client_allowed_sans", {OptionKind::kTexts, kMostSans},
           "[]",
           "Subject alternative names (DNS names, mail addresses, IP addresses, URIs); a client's "
           "certificate must have one of them. Empty: any name.",
           kSetTls<&TlsConfig::client_allowed_sans>, "", "prometheus.example.com"),
    Option("listen.web.tls_server_config.min_version", {OptionKind::kChoice, kVersions},
           "\"TLS12\"",
           "The minimum TLS version. TLS10 and TLS11 mean TLS12, because older versions are not "
           "supported.",
           kSetTls<&TlsConfig::min_version>),
    Option("listen.web.tls_server_config.max_version", {OptionKind::kChoice, kVersions},
           "\"TLS13\"", "The maximum TLS version: TLS12 or TLS13.",
           kSetTls<&TlsConfig::max_version>),
    Option("listen.web.tls_server_config.cipher_suites", {kWebWords, kCipherSuites}, "[]",
           "The cipher suites of TLS 1.2, by Go's names. Those of TLS 1.3 are always enabled. "
           "Empty: all with forward secrecy.",
           kSetTls<&TlsConfig::cipher_suites>),
    Option("listen.web.tls_server_config.prefer_server_cipher_suites", OptionKind::kBoolean, "true",
           "Prefer the server's order of cipher suites to the client's.",
           kSetTls<&TlsConfig::prefers_own_suites>),
    Option("listen.web.tls_server_config.curve_preferences", {kWebWords, kCurves}, "[]",
           "The elliptic curves for key exchange. Empty: all.", kSetTls<&TlsConfig::curves>),
    Option("listen.web.http_server_config", {}, "", "Settings of the HTTP server."),
    Option("listen.web.http_server_config.http2", OptionKind::kBoolean, "",
           "Accepted because exporter-toolkit has it. HTTP/2 is not supported, and true causes a "
           "notice. Clients fall back to HTTP/1.1.",
           set<&ListenConfig::web, &WebConfig::http2>),
    Option("listen.web.http_server_config.headers", {}, "",
           "Headers of every response, instead of the defaults."),
    Option("listen.web.http_server_config.headers.Content-Security-Policy",
           {kText, kMostHeaderBytes}, "\"\"", "Which sources the browser may load content from.",
           kSetHeader<&HeaderConfig::content_security_policy>, "", "default-src 'none'"),
    Option("listen.web.http_server_config.headers.Strict-Transport-Security",
           {kText, kMostHeaderBytes}, "\"\"", "How long browsers must use HTTPS.",
           kSetHeader<&HeaderConfig::strict_transport_security>, "", "max-age=31536000"),
    Option("listen.web.http_server_config.headers.X-Content-Type-Options",
           {OptionKind::kChoice, kContentTypeOptions}, "",
           "Whether browsers may guess the content type. The server always sends nosniff.",
           kSetHeader<&HeaderConfig::content_type_options>),
    Option("listen.web.http_server_config.headers.X-Frame-Options",
           {OptionKind::kChoice, kFrameOptions}, "",
           "Whether other pages may embed the page in a frame.",
           kSetHeader<&HeaderConfig::frame_options>),
    Option("listen.web.http_server_config.headers.X-XSS-Protection", {kText, kMostHeaderBytes},
           "\"\"", "For old browsers only.", kSetHeader<&HeaderConfig::xss_protection>, "", "0"),
    Option(
        "listen.web.basic_auth_users", {kUsers, kMostUsers}, "",
        "Users of this address: names with the bcrypt hashes of their passwords, as "
        "\"winperf_exporter config hash-password\" prints them. Default: no password is required.",
        set<&ListenConfig::web, &WebConfig::users>, "{prometheus: \"$2y$10$...\"}"),
    Option(
        "listen.web.rate_limit", {}, "",
        "A rate limit for each client of this address. Requests beyond it are answered with 429."),
    Option("listen.web.rate_limit.interval", {OptionKind::kDuration, 0, kNinetyDays}, "\"0s\"",
           "The average time between two requests of a client. 0: no limit. Less than 1ms counts "
           "as 1ms.",
           set<&ListenConfig::web, &WebConfig::rate_limit, &RateLimitConfig::interval>),
    Option("listen.web.rate_limit.burst", {OptionKind::kInteger, 0, 1'000'000}, "0",
           "The number of requests allowed in a burst. With 0 and an interval, all requests are "
           "refused.",
           set<&ListenConfig::web, &WebConfig::rate_limit, &RateLimitConfig::burst>),
};

constexpr std::string_view kHighestUsual = "14";

bool verifies(ClientAuth auth) {
  return auth == ClientAuth::kVerifyIfGiven || auth == ClientAuth::kRequireAndVerify;
}

}  // namespace

std::vector<std::string> web_notices(const WebConfig& web) {
  std::vector<std::string> notices;
  const TlsConfig& tls = web.tls;
  const auto notice = [&](bool applies, const char* sentence) {
    if (applies) notices.emplace_back(sentence);
  };
  notice(!web.users.empty() && !web.has_tls(),
         "passwords are sent without TLS, so they can be read on the network");
  // "$2y$10$...": the two digits.
  notice(std::ranges::any_of(web.users,
                             [](const UserConfig& user) {
                               const std::string_view hash = user.password_hash;
                               return hash.size() > 6 && hash.substr(4, 2) > kHighestUsual;
                             }),
         "basic_auth_users has a hash with a cost above 14, so checking a password takes seconds "
         "or more and delays other requests; hash-password creates hashes with a cost of 10");
  notice(!web.has_tls() && tls != TlsConfig{},
         "tls_server_config names no certificate, so connections are not encrypted");
  notice(tls.min_version < TlsVersion::k12,
         "min_version is older than TLS 1.2, the oldest supported version");
  notice(verifies(tls.client_auth) && !tls.client_ca.is_given(),
         "client_auth_type verifies certificates, but without client_ca_file no certificate is "
         "trusted");
  notice(tls.client_auth == ClientAuth::kNone && !tls.client_allowed_sans.empty(),
         "client_allowed_sans has no effect, because client_auth_type asks for no certificate");
  notice(web.http2.value_or(false),
         "http2 has no effect: HTTP/2 is not served, and clients use HTTP/1.1 instead");
  notice(web.rate_limit.interval.count() > 0 && web.rate_limit.burst == 0,
         "rate_limit has a burst of 0, so all requests are refused");
  return notices;
}

std::optional<std::string> user_line(std::string_view name, std::string_view hash) {
  if (!is_user_name(name)) return std::nullopt;
  std::string line = "'";
  for (const char c : name) line += c == '\'' ? "''" : std::string(1, c);
  return line + "': '" + std::string(hash) + '\'';
}

std::span<const Option> web_options() { return kWebOptions; }

}  // namespace winperf
