#include "exporter/tls/tls_context.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"
#include "collectors/base/whole_file.h"
#include "exporter/tls/tls_state.h"

namespace winperf {
namespace {

using std::chrono::sys_seconds;

std::string two_digits(long long value) { return (value < 10 ? "0" : "") + std::to_string(value); }

std::string written(sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return std::to_string(static_cast<int>(date.year())) + '-' +
         two_digits(static_cast<unsigned>(date.month())) + '-' +
         two_digits(static_cast<unsigned>(date.day())) + ' ' + two_digits(clock.hours().count()) +
         ':' + two_digits(clock.minutes().count()) + " UTC";
}

std::string left(sys_seconds now, sys_seconds end) {
  const auto days = std::chrono::floor<std::chrono::days>(end - now).count();
  if (days == 0) return "within a day";
  return "in " + std::to_string(days) + (days == 1 ? " day" : " days");
}

std::optional<std::string> notice_of(const CertificateDates& one, sys_seconds now) {
  const std::string name = one.file + ": the certificate of " + one.subject;
  const std::string harm = one.signs_clients ? "client certificates signed by it are rejected"
                                             : "clients that verify it refuse the connection";
  if (now < one.begins)
    return name + " is not valid before " + written(one.begins) + "; until then " + harm +
           "; check this machine's clock or replace the certificate";
  if (now > one.ends)
    return name + " expired on " + written(one.ends) + ": " + harm + "; replace the certificate";
  if (one.ends - now < kCertificateNotice)
    return name + " expires on " + written(one.ends) + ", " + left(now, one.ends) +
           "; replace the certificate, because afterwards " + harm;
  return std::nullopt;
}

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::expected<TlsText, std::string> text_of(const PemSource& source, const char* key) {
  if (source.file.empty()) return TlsText{.name = key, .text = source.text};
  const auto bytes = read_whole_file(path_of(source.file), kMostBytes);
  if (!bytes)
    return std::unexpected(std::string(key) + "_file cannot be read: " + source.file + ": " +
                           bytes.error().reason);
  return TlsText{.name = source.file,
                 .text = {reinterpret_cast<const char*>(bytes->data()), bytes->size()}};
}

using State = TlsContext::State;
using Problem = std::optional<std::string>;

constexpr std::uint32_t kTicketSeconds = 3600;
constexpr CipherSuite kNewest[] = {CipherSuite::kAes128Gcm, CipherSuite::kAes256Gcm,
                                   CipherSuite::kChacha20};
// Of TLS 1.2, the best first, as Go's crypto/tls has them: those with forward secrecy and
// authenticated encryption, which are the usual ones, and then those that have to be wanted.
constexpr CipherSuite kUsual[] = {CipherSuite::kEcdsaAes128Gcm, CipherSuite::kEcdheRsaAes128Gcm,
                                  CipherSuite::kEcdsaAes256Gcm, CipherSuite::kEcdheRsaAes256Gcm,
                                  CipherSuite::kEcdsaChacha20,  CipherSuite::kEcdheRsaChacha20};
constexpr CipherSuite kOlder[] = {
    CipherSuite::kEcdsaAes128CbcSha, CipherSuite::kEcdheRsaAes128CbcSha,
    CipherSuite::kEcdsaAes256CbcSha, CipherSuite::kEcdheRsaAes256CbcSha,
    CipherSuite::kRsaAes128Gcm,      CipherSuite::kRsaAes256Gcm,
    CipherSuite::kRsaAes128CbcSha,   CipherSuite::kRsaAes256CbcSha};
// The best first.
constexpr Curve kCurves[] = {Curve::kX25519, Curve::kP256, Curve::kP384, Curve::kP521};

// The library wants PEM with its final zero.
const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.c_str());
}

Problem unusable(const TlsText& text, const std::string& what, int code) {
  if (const std::string_view encoding = wide_encoding(text.text); !encoding.empty())
    return text.name + " is " + std::string(encoding) + "; save it as ASCII or UTF-8";
  return text.name + " has no usable " + what + " in PEM (" + tls_error_text(code) + ")";
}

Problem load_certificates(mbedtls_x509_crt& chain, const TlsText& text) {
  const int code = mbedtls_x509_crt_parse(&chain, bytes_of(text.text), text.text.size() + 1);
  if (code == 0) return std::nullopt;
  if (code > 0)
    return text.name + " has " + std::to_string(code) +
           (code == 1 ? " certificate" : " certificates") + " that cannot be read";
  return unusable(text, "certificate", code);
}

Problem load_key(State& state, const TlsMaterial& material) {
  const TlsText& text = material.key;
  const int code = mbedtls_pk_parse_key(&state.key, bytes_of(text.text), text.text.size() + 1,
                                        nullptr, 0, mbedtls_ctr_drbg_random, &state.random);
  if (code == MBEDTLS_ERR_PK_PASSWORD_REQUIRED || code == MBEDTLS_ERR_PK_PASSWORD_MISMATCH)
    return text.name +
           " is protected by a password, which the exporter cannot enter; remove the password";
  if (code != 0) return unusable(text, "private key", code);
  if (mbedtls_pk_check_pair(&state.chain.pk, &state.key, mbedtls_ctr_drbg_random, &state.random) !=
      0)
    return text.name + " is not the key of the certificate in " + material.certificate.name;
  return std::nullopt;
}

mbedtls_ssl_protocol_version version_of(TlsVersion version) {
  return version == TlsVersion::k13 ? MBEDTLS_SSL_VERSION_TLS1_3 : MBEDTLS_SSL_VERSION_TLS1_2;
}

// The order is always that of the tables above: the configuration selects, but doesn't order.
void set_algorithms(State& state, const TlsConfig& config) {
  mbedtls_ssl_conf_min_tls_version(&state.config, version_of(config.min_version));
  mbedtls_ssl_conf_max_tls_version(&state.config, version_of(config.max_version));
  const auto add = [&](auto suites, auto is_wanted) {
    for (const CipherSuite suite : suites)
      if (is_wanted(suite)) state.suites.push_back(std::to_underlying(suite));
  };
  const auto is_named = [&](CipherSuite suite) {
    return std::ranges::find(config.cipher_suites, suite) != config.cipher_suites.end();
  };
  const bool names_none = config.cipher_suites.empty();
  add(std::span(kNewest), [](CipherSuite) { return true; });
  add(std::span(kUsual), [&](CipherSuite suite) { return names_none || is_named(suite); });
  add(std::span(kOlder), is_named);
  state.suites.push_back(0);
  mbedtls_ssl_conf_ciphersuites(&state.config, state.suites.data());
  mbedtls_ssl_conf_preference_order(&state.config, config.prefers_own_suites
                                                       ? MBEDTLS_SSL_SRV_CIPHERSUITE_ORDER_SERVER
                                                       : MBEDTLS_SSL_SRV_CIPHERSUITE_ORDER_CLIENT);
  for (const Curve curve : kCurves)
    if (config.curves.empty() || std::ranges::find(config.curves, curve) != config.curves.end())
      state.groups.push_back(std::to_underlying(curve));
  state.groups.push_back(0);
  mbedtls_ssl_conf_groups(&state.config, state.groups.data());
}

Problem set_clients(State& state, const TlsConfig& config, const TlsMaterial& material) {
  if (!material.client_ca.text.empty())
    if (auto problem = load_certificates(state.client_ca, material.client_ca)) return problem;
  state.clients = ClientCertificates(config.client_auth, config.client_allowed_sans);
  // If the library itself refused a client, it would send an alert that the client can't read (TLS
  // 1.3), or none.
  mbedtls_ssl_conf_authmode(&state.config, config.client_auth == ClientAuth::kNone
                                               ? MBEDTLS_SSL_VERIFY_NONE
                                               : MBEDTLS_SSL_VERIFY_OPTIONAL);
  mbedtls_ssl_conf_ca_chain(&state.config, &state.client_ca, nullptr);
  return std::nullopt;
}

Problem set_tickets(State& state) {
  const int code = mbedtls_ssl_ticket_setup(&state.tickets, mbedtls_ctr_drbg_random, &state.random,
                                            MBEDTLS_CIPHER_AES_256_GCM, kTicketSeconds);
  if (code != 0) return "TLS sessions cannot be resumed: " + tls_error_text(code);
  mbedtls_ssl_conf_session_tickets_cb(&state.config, mbedtls_ssl_ticket_write,
                                      mbedtls_ssl_ticket_parse, &state.tickets);
  mbedtls_ssl_conf_tls13_key_exchange_modes(&state.config,
                                            MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL_ALL);
  return std::nullopt;
}

Problem begin(State& state) {
  if (!begin_tls()) return "TLS cannot be used: the system provides no random numbers";
  int code = mbedtls_ctr_drbg_seed(&state.random, mbedtls_entropy_func, &state.entropy, nullptr, 0);
  if (code == 0)
    code = mbedtls_ssl_config_defaults(&state.config, MBEDTLS_SSL_IS_SERVER,
                                       MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
  if (code != 0) return "TLS cannot be used: " + tls_error_text(code);
  mbedtls_ssl_conf_rng(&state.config, mbedtls_ctr_drbg_random, &state.random);
  mbedtls_ssl_conf_renegotiation(&state.config, MBEDTLS_SSL_RENEGOTIATION_DISABLED);
  return std::nullopt;
}

Problem set_up(State& state, const TlsConfig& config, const TlsMaterial& material) {
  if (auto problem = begin(state)) return problem;
  if (auto problem = load_certificates(state.chain, material.certificate)) return problem;
  if (auto problem = load_key(state, material)) return problem;
  const int code = mbedtls_ssl_conf_own_cert(&state.config, &state.chain, &state.key);
  if (code != 0) return material.certificate.name + " cannot be used: " + tls_error_text(code);
  set_algorithms(state, config);
  if (auto problem = set_clients(state, config, material)) return problem;
  return config.client_auth == ClientAuth::kNone ? set_tickets(state) : std::nullopt;
}

std::chrono::sys_seconds time_of(const mbedtls_x509_time& time) {
  using namespace std::chrono;
  const sys_days day = year_month_day(year(time.year), month(static_cast<unsigned>(time.mon)),
                                      std::chrono::day(static_cast<unsigned>(time.day)));
  return sys_seconds(day) + hours(time.hour) + minutes(time.min) + seconds(time.sec);
}

std::string subject_of(const mbedtls_x509_crt& certificate) {
  std::array<char, 512> text{};
  const int size = mbedtls_x509_dn_gets(text.data(), text.size(), &certificate.subject);
  if (size <= 0) return "an unnamed subject";
  return printable(std::string_view(text.data(), static_cast<std::size_t>(size)));
}

std::vector<CertificateDates> dates_of(const State& state, const TlsMaterial& material) {
  std::vector<CertificateDates> dates;
  const auto add = [&](const mbedtls_x509_crt& first, const TlsText& text, bool signs_clients) {
    // An empty list has one certificate without bytes.
    for (const mbedtls_x509_crt* one = &first; one != nullptr && one->raw.p != nullptr;
         one = one->next)
      dates.push_back({.file = text.name,
                       .subject = subject_of(*one),
                       .begins = time_of(one->valid_from),
                       .ends = time_of(one->valid_to),
                       .signs_clients = signs_clients});
  };
  add(state.chain, material.certificate, false);
  add(state.client_ca, material.client_ca, true);
  return dates;
}

}  // namespace

std::vector<std::string> certificate_notices(std::span<const CertificateDates> certificates,
                                             sys_seconds now) {
  std::vector<std::string> notices;
  const CertificateDates* signs_longest = nullptr;
  const auto add = [&](const CertificateDates& one) {
    if (auto notice = notice_of(one, now)) notices.push_back(*std::move(notice));
  };
  for (const CertificateDates& one : certificates) {
    if (!one.signs_clients)
      add(one);
    else if (signs_longest == nullptr || signs_longest->ends < one.ends)
      signs_longest = &one;
  }
  if (signs_longest != nullptr) add(*signs_longest);
  return notices;
}

std::expected<TlsMaterial, std::string> read_material(const TlsConfig& config) {
  TlsMaterial material;
  for (const auto& [source, key, text] :
       {std::tuple(&config.certificate, "cert", &material.certificate),
        std::tuple(&config.key, "key", &material.key),
        std::tuple(&config.client_ca, "client_ca", &material.client_ca)}) {
    auto read = text_of(*source, key);
    if (!read) return std::unexpected(std::move(read).error());
    *text = *std::move(read);
  }
  return material;
}

std::expected<std::shared_ptr<TlsContext>, std::string> TlsContext::make(
    const TlsConfig& config, const TlsMaterial& material) {
  auto state = std::make_unique<State>();
  if (auto problem = set_up(*state, config, material)) return std::unexpected(*std::move(problem));
  return std::make_shared<TlsContext>(std::move(state), material);
}

TlsContext::TlsContext(std::unique_ptr<State> state, const TlsMaterial& material)
    : state_(std::move(state)), certificates_(dates_of(*state_, material)) {}
TlsContext::~TlsContext() = default;

std::chrono::sys_seconds TlsContext::expires() const {
  auto first = std::chrono::sys_seconds::max();
  for (const CertificateDates& one : certificates_)
    if (!one.signs_clients) first = std::min(first, one.ends);
  return first;
}

std::chrono::sys_seconds TlsContext::begins() const {
  auto last = std::chrono::sys_seconds::min();
  for (const CertificateDates& one : certificates_)
    if (!one.signs_clients) last = std::max(last, one.begins);
  return last;
}

}  // namespace winperf
