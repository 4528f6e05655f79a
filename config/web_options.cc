#include "config/web_options.h"

#include "config/option_limits.h"
#include "config/option_setters.h"

namespace winperf {
namespace {

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
constexpr auto kSetTls = &set_in_listen<&ListenConfig::web, &WebConfig::tls, kPath...>;
template <auto kMember>
constexpr auto kSetHeader = &set_in_listen<&ListenConfig::web, &WebConfig::headers, kMember>;

constexpr Option kOptions[] = {
    {.path = "listen.web_config_file",
     .kind = OptionKind::kFile,
     .default_value = "\"\"",
     .description =
         "A file in the format of exporter-toolkit's web configuration, with the keys of "
         "listen.web. It is read again when it or a file that it names changes. A relative path "
         "starts at the folder of the configuration file. Empty: none.",
     .maximum = kMostFileBytes,
     .example = "web.yml",
     .assign = set_in_listen<&ListenConfig::web_file>},
    {.path = kWebSection,
     .kind = OptionKind::kSection,
     .description = "TLS, passwords, headers and a limit of requests for this address, with "
                    "exporter-toolkit's keys."},
    {.path = "listen.web.tls_server_config",
     .kind = OptionKind::kSection,
     .description = "TLS. Without a certificate the address speaks plain HTTP."},
    {.path = "listen.web.tls_server_config.cert_file",
     .kind = OptionKind::kFile,
     .default_value = "\"\"",
     .description = "The certificate, in PEM, followed by those between it and its root. A "
                    "relative path starts at the folder of the file that names it.",
     .maximum = kMostFileBytes,
     .example = "server.crt",
     .assign = kSetTls<&TlsConfig::certificate, &PemSource::file>},
    {.path = "listen.web.tls_server_config.cert",
     .kind = OptionKind::kPem,
     .default_value = "\"\"",
     .description = "The same as text, instead of a file.",
     .maximum = kMostPemBytes,
     .assign = kSetTls<&TlsConfig::certificate, &PemSource::text>},
    {.path = "listen.web.tls_server_config.key_file",
     .kind = OptionKind::kFile,
     .default_value = "\"\"",
     .description = "The certificate's key, in PEM, without a password. Only administrators and "
                    "the account of the service should be able to read it.",
     .maximum = kMostFileBytes,
     .example = "server.key",
     .assign = kSetTls<&TlsConfig::key, &PemSource::file>},
    {.path = "listen.web.tls_server_config.key",
     .kind = OptionKind::kPem,
     .default_value = "\"\"",
     .description = "The same as text, instead of a file.",
     .maximum = kMostPemBytes,
     .assign = kSetTls<&TlsConfig::key, &PemSource::text>},
    {.path = "listen.web.tls_server_config.client_ca_file",
     .kind = OptionKind::kFile,
     .default_value = "\"\"",
     .description = "The certificates, in PEM, that may have signed those of clients.",
     .maximum = kMostFileBytes,
     .example = "clients.crt",
     .assign = kSetTls<&TlsConfig::client_ca, &PemSource::file>},
    {.path = "listen.web.tls_server_config.client_ca",
     .kind = OptionKind::kPem,
     .default_value = "\"\"",
     .description = "The same as text, instead of a file.",
     .maximum = kMostPemBytes,
     .assign = kSetTls<&TlsConfig::client_ca, &PemSource::text>},
    {.path = "listen.web.tls_server_config.client_auth_type",
     .kind = OptionKind::kChoice,
     .description =
         "Whether clients need a certificate. RequestClientCert: any, or none. "
         "RequireAnyClientCert (or RequireClientCert): any. VerifyClientCertIfGiven: none, or one "
         "that client_ca has signed. RequireAndVerifyClientCert: one that client_ca has signed. "
         "Default: NoClientCert.",
     .choices = kClientAuths,
     .assign = kSetTls<&TlsConfig::client_auth>},
    {.path = "listen.web.tls_server_config.client_allowed_sans",
     .kind = OptionKind::kTexts,
     .default_value = "[]",
     .description = "Subject alternative names (DNS names, mail addresses, IP addresses, URIs), of "
                    "which a client's certificate must have one. Without any: every name.",
     .maximum = kMostSans,
     .example = "prometheus.example.com",
     .assign = kSetTls<&TlsConfig::client_allowed_sans>},
    {.path = "listen.web.tls_server_config.min_version",
     .kind = OptionKind::kChoice,
     .default_value = "\"TLS12\"",
     .description = "The oldest version of TLS to speak. TLS10 and TLS11 mean TLS12, because older "
                    "ones are not spoken.",
     .choices = kVersions,
     .assign = kSetTls<&TlsConfig::min_version>},
    {.path = "listen.web.tls_server_config.max_version",
     .kind = OptionKind::kChoice,
     .default_value = "\"TLS13\"",
     .description = "The newest version of TLS to speak: TLS12 or TLS13.",
     .choices = kVersions,
     .assign = kSetTls<&TlsConfig::max_version>},
    {.path = "listen.web.tls_server_config.cipher_suites",
     .kind = OptionKind::kWords,
     .default_value = "[]",
     .description = "The cipher suites of TLS 1.2, by Go's names. Those of TLS 1.3 are always "
                    "there. Without any: all with forward secrecy.",
     .choices = kCipherSuites,
     .assign = kSetTls<&TlsConfig::cipher_suites>},
    {.path = "listen.web.tls_server_config.prefer_server_cipher_suites",
     .kind = OptionKind::kBoolean,
     .default_value = "true",
     .description = "Choose the cipher suite by the server's order, not by the client's.",
     .assign = kSetTls<&TlsConfig::prefers_own_suites>},
    {.path = "listen.web.tls_server_config.curve_preferences",
     .kind = OptionKind::kWords,
     .default_value = "[]",
     .description = "The elliptic curves for the exchange of keys. Without any: all.",
     .choices = kCurves,
     .assign = kSetTls<&TlsConfig::curves>},
    {.path = "listen.web.http_server_config",
     .kind = OptionKind::kSection,
     .description = "What the server does over HTTP."},
    {.path = "listen.web.http_server_config.http2",
     .kind = OptionKind::kBoolean,
     .description = "Accepted because exporter-toolkit has it. HTTP/2 isn't served: with true, a "
                    "notice says so. Clients use HTTP/1.1 by themselves.",
     .assign = set_in_listen<&ListenConfig::web, &WebConfig::http2>},
    {.path = "listen.web.http_server_config.headers",
     .kind = OptionKind::kSection,
     .description = "Header fields of every answer, instead of the server's own."},
    {.path = "listen.web.http_server_config.headers.Content-Security-Policy",
     .kind = OptionKind::kText,
     .default_value = "\"\"",
     .description = "What a browser may load for the page.",
     .maximum = kMostHeaderBytes,
     .example = "default-src 'none'",
     .assign = kSetHeader<&HeaderConfig::content_security_policy>},
    {.path = "listen.web.http_server_config.headers.Strict-Transport-Security",
     .kind = OptionKind::kText,
     .default_value = "\"\"",
     .description = "For how long a browser insists on HTTPS.",
     .maximum = kMostHeaderBytes,
     .example = "max-age=31536000",
     .assign = kSetHeader<&HeaderConfig::strict_transport_security>},
    {.path = "listen.web.http_server_config.headers.X-Content-Type-Options",
     .kind = OptionKind::kChoice,
     .description = "Whether a browser may guess the type of an answer. The server always says "
                    "nosniff by itself.",
     .choices = kContentTypeOptions,
     .assign = kSetHeader<&HeaderConfig::content_type_options>},
    {.path = "listen.web.http_server_config.headers.X-Frame-Options",
     .kind = OptionKind::kChoice,
     .description = "Whether another page may show the page in a frame.",
     .choices = kFrameOptions,
     .assign = kSetHeader<&HeaderConfig::frame_options>},
    {.path = "listen.web.http_server_config.headers.X-XSS-Protection",
     .kind = OptionKind::kText,
     .default_value = "\"\"",
     .description = "For old browsers only.",
     .maximum = kMostHeaderBytes,
     .example = "0",
     .assign = kSetHeader<&HeaderConfig::xss_protection>},
    {.path = "listen.web.basic_auth_users",
     .kind = OptionKind::kUsers,
     .description =
         "Who may ask anything at this address: names with the bcrypt hashes of their passwords, "
         "as \"winperf_exporter config hash-password\" makes them. Default: everyone, without a "
         "password.",
     .maximum = kMostUsers,
     .assign = set_in_listen<&ListenConfig::web, &WebConfig::users>},
    {.path = "listen.web.rate_limit",
     .kind = OptionKind::kSection,
     .description =
         "A limit of the requests of each client of this address. Those beyond it get 429."},
    {.path = "listen.web.rate_limit.interval",
     .kind = OptionKind::kDuration,
     .default_value = "\"0s\"",
     .description = "The time between two requests of a client. 0: no limit. Less than 1ms: 1ms.",
     .minimum = 0,
     .maximum = kNinetyDays,
     .assign =
         set_in_listen<&ListenConfig::web, &WebConfig::rate_limit, &RateLimitConfig::interval>},
    {.path = "listen.web.rate_limit.burst",
     .kind = OptionKind::kInteger,
     .default_value = "0",
     .description = "How many requests may come at once. With 0 and an interval, none is answered.",
     .minimum = 0,
     .maximum = 1'000'000,
     .assign = set_in_listen<&ListenConfig::web, &WebConfig::rate_limit, &RateLimitConfig::burst>},
};

}  // namespace

std::span<const Option> web_options() { return kOptions; }

}  // namespace winperf
