#include "exporter/tls/self_signed.h"

#include <mbedtls/asn1write.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/ecp.h>
#include <mbedtls/entropy.h>
#include <mbedtls/oid.h>
#include <mbedtls/pk.h>
#include <mbedtls/x509_crt.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "collectors/base/ascii.h"
#include "exporter/tls/tls_state.h"

namespace winperf {
namespace {

constexpr std::size_t kMostHostBytes = 253;
constexpr std::size_t kMostNameBytes = 64;  // of a subject
constexpr std::size_t kMostHosts = 100;

using Buffer = std::array<unsigned char, 16 * 1024>;
using Address = std::array<unsigned char, 16>;

// What the library needs for it.
struct Tools {
  OwnedEntropy entropy;
  OwnedRandom random;
  OwnedKey key;
  Owned<mbedtls_x509write_cert, mbedtls_x509write_crt_init, mbedtls_x509write_crt_free> writer;
};

bool is_dns_name(std::string_view host) {
  if (host.starts_with("*.")) host.remove_prefix(2);
  return !host.empty() && host.size() <= kMostHostBytes && is_letter_or_digit(host.front()) &&
         std::ranges::all_of(host, [](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
         });
}

std::size_t parse_address(const std::string& host, Address& address) {
  return mbedtls_x509_crt_parse_cn_inet_pton(host.c_str(), address.data());
}

std::optional<std::string> problem_of(const CertificateOptions& options) {
  if (options.hosts.empty() || options.hosts.size() > kMostHosts)
    return "a certificate must have 1 to 100 host names";
  if (options.days < 1 || options.days > kMostCertificateDays)
    return "a certificate must be valid for 1 to 3650 days";
  for (const std::string& host : options.hosts)
    if (Address address{}; parse_address(host, address) == 0 && !is_dns_name(host))
      return '"' + host + "\" is neither a host name nor an address";
  return std::nullopt;
}

std::string time_text(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%04d%02u%02u%02d%02d%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

int set_names(Tools& tools, std::vector<std::string> hosts) {
  std::ranges::reverse(hosts);  // the library writes the last one first
  std::vector<mbedtls_x509_san_list> names(hosts.size());
  std::vector<Address> addresses(hosts.size());
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::size_t bytes = parse_address(hosts[i], addresses[i]);
    mbedtls_x509_subject_alternative_name& name = names[i].node;
    name.type = bytes == 0 ? MBEDTLS_X509_SAN_DNS_NAME : MBEDTLS_X509_SAN_IP_ADDRESS;
    name.san.unstructured_name.p =
        bytes == 0 ? reinterpret_cast<unsigned char*>(hosts[i].data()) : addresses[i].data();
    name.san.unstructured_name.len = bytes == 0 ? hosts[i].size() : bytes;
    names[i].next = i + 1 < names.size() ? &names[i + 1] : nullptr;
  }
  return mbedtls_x509write_crt_set_subject_alternative_name(&tools.writer, names.data());
}

int set_purpose(Tools& tools) {
  mbedtls_asn1_sequence server{};
  server.buf.tag = MBEDTLS_ASN1_OID;
  server.buf.p = reinterpret_cast<unsigned char*>(const_cast<char*>(MBEDTLS_OID_SERVER_AUTH));
  server.buf.len = MBEDTLS_OID_SIZE(MBEDTLS_OID_SERVER_AUTH);
  return mbedtls_x509write_crt_set_ext_key_usage(&tools.writer, &server);
}

int set_serial(Tools& tools) {
  std::array<unsigned char, 16> serial{};
  const int code = mbedtls_ctr_drbg_random(&tools.random, serial.data(), serial.size());
  serial[0] = static_cast<unsigned char>((serial[0] & 0x7F) | 0x40);  // positive, of full length
  return code != 0
             ? code
             : mbedtls_x509write_crt_set_serial_raw(&tools.writer, serial.data(), serial.size());
}

int make_key(Tools& tools) {
  int code = mbedtls_ctr_drbg_seed(&tools.random, mbedtls_entropy_func, &tools.entropy, nullptr, 0);
  if (code == 0) code = mbedtls_pk_setup(&tools.key, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
  if (code == 0)
    code = mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, mbedtls_pk_ec(tools.key),
                               mbedtls_ctr_drbg_random, &tools.random);
  return code;
}

int describe(Tools& tools, const CertificateOptions& options, std::chrono::sys_seconds now) {
  mbedtls_x509write_crt_set_version(&tools.writer, MBEDTLS_X509_CRT_VERSION_3);
  mbedtls_x509write_crt_set_md_alg(&tools.writer, MBEDTLS_MD_SHA256);
  mbedtls_x509write_crt_set_subject_key(&tools.writer, &tools.key);
  mbedtls_x509write_crt_set_issuer_key(&tools.writer, &tools.key);
  const std::string name = "CN=" + options.hosts.front().substr(0, kMostNameBytes);
  const std::string from = time_text(now - std::chrono::hours(1));
  const std::string until = time_text(now + std::chrono::days(options.days));
  const auto first_of = [](std::initializer_list<int> codes) {
    for (const int code : codes)
      if (code != 0) return code;
    return 0;
  };
  return first_of(
      {mbedtls_x509write_crt_set_subject_name(&tools.writer, name.c_str()),
       mbedtls_x509write_crt_set_issuer_name(&tools.writer, name.c_str()),
       mbedtls_x509write_crt_set_validity(&tools.writer, from.c_str(), until.c_str()),
       mbedtls_x509write_crt_set_basic_constraints(&tools.writer, 0, -1),
       mbedtls_x509write_crt_set_key_usage(&tools.writer, MBEDTLS_X509_KU_DIGITAL_SIGNATURE),
       set_purpose(tools), set_names(tools, options.hosts), set_serial(tools)});
}

}  // namespace

std::expected<CertificatePair, std::string> make_self_signed(const CertificateOptions& options,
                                                             std::chrono::sys_seconds now) {
  if (auto problem = problem_of(options)) return std::unexpected(*std::move(problem));
  Tools tools;
  CertificatePair pair;
  Buffer buffer{};
  const auto text = [&] { return std::string(reinterpret_cast<const char*>(buffer.data())); };
  int code = make_key(tools);
  if (code == 0) code = describe(tools, options, now);
  if (code == 0)
    code = mbedtls_x509write_crt_pem(&tools.writer, buffer.data(), buffer.size(),
                                     mbedtls_ctr_drbg_random, &tools.random);
  if (code == 0) {
    pair.certificate = text();
    code = mbedtls_pk_write_key_pem(&tools.key, buffer.data(), buffer.size());
  }
  if (code != 0) return std::unexpected("cannot create the certificate: " + tls_error_text(code));
  pair.key = text();
  return pair;
}

}  // namespace winperf
