#include "tests/exporter/support/certificates.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/ecp.h>
#include <mbedtls/entropy.h>
#include <mbedtls/oid.h>
#include <mbedtls/pk.h>
#include <mbedtls/rsa.h>
#include <mbedtls/x509_crt.h>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace winperf::testing {
namespace {

using Buffer = std::array<unsigned char, 8192>;

void need(int code) {
  if (code < 0) throw std::runtime_error("no certificate: " + std::to_string(code));
}

struct Random {
  Random() {
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&random);
    need(mbedtls_ctr_drbg_seed(&random, mbedtls_entropy_func, &entropy, nullptr, 0));
  }
  ~Random() {
    mbedtls_ctr_drbg_free(&random);
    mbedtls_entropy_free(&entropy);
  }
  mbedtls_entropy_context entropy{};
  mbedtls_ctr_drbg_context random{};
};

struct Key {
  Key() { mbedtls_pk_init(&pk); }
  ~Key() { mbedtls_pk_free(&pk); }
  mbedtls_pk_context pk{};
};

std::string time_text(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[32];
  std::snprintf(text, sizeof text, "%04d%02u%02u%02d%02d%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

struct Name {
  int type;
  const std::string& text;
};

void set_names(mbedtls_x509write_cert& writer, const CertificateOrder& order) {
  std::vector<Name> names;
  for (const std::string& name : order.dns_names)
    names.push_back({MBEDTLS_X509_SAN_DNS_NAME, name});
  for (const Name& name : {Name{MBEDTLS_X509_SAN_IP_ADDRESS, order.address},
                           Name{MBEDTLS_X509_SAN_RFC822_NAME, order.mail},
                           Name{MBEDTLS_X509_SAN_UNIFORM_RESOURCE_IDENTIFIER, order.uri}})
    if (!name.text.empty()) names.push_back(name);
  if (names.empty()) return;
  std::vector<mbedtls_x509_san_list> list(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    list[i].node.type = names[i].type;
    list[i].node.san.unstructured_name.p =
        reinterpret_cast<unsigned char*>(const_cast<char*>(names[i].text.data()));
    list[i].node.san.unstructured_name.len = names[i].text.size();
    list[i].next = i + 1 < names.size() ? &list[i + 1] : nullptr;
  }
  need(mbedtls_x509write_crt_set_subject_alternative_name(&writer, list.data()));
}

void set_purpose(mbedtls_x509write_cert& writer, KeyPurpose purpose) {
  if (purpose == KeyPurpose::kAny) return;
  std::string oid =
      purpose == KeyPurpose::kClients ? MBEDTLS_OID_CLIENT_AUTH : MBEDTLS_OID_SERVER_AUTH;
  mbedtls_asn1_sequence list{};
  list.buf.tag = MBEDTLS_ASN1_OID;
  list.buf.len = oid.size();
  list.buf.p = reinterpret_cast<unsigned char*>(oid.data());
  need(mbedtls_x509write_crt_set_ext_key_usage(&writer, &list));
}

void set_times(mbedtls_x509write_cert& writer, const CertificateOrder& order) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto from =
      order.from == std::chrono::sys_seconds() ? now - std::chrono::years(1) : order.from;
  const auto until =
      order.until == std::chrono::sys_seconds() ? now + std::chrono::years(1) : order.until;
  need(mbedtls_x509write_crt_set_validity(&writer, time_text(from).c_str(),
                                          time_text(until).c_str()));
}

void make_key(mbedtls_pk_context& key, KeyKind kind, Random& random) {
  constexpr unsigned kBits = 2048;
  constexpr int kExponent = 65537;
  const bool is_rsa = kind == KeyKind::kRsa;
  need(mbedtls_pk_setup(&key,
                        mbedtls_pk_info_from_type(is_rsa ? MBEDTLS_PK_RSA : MBEDTLS_PK_ECKEY)));
  if (is_rsa)
    need(mbedtls_rsa_gen_key(mbedtls_pk_rsa(key), mbedtls_ctr_drbg_random, &random.random, kBits,
                             kExponent));
  else
    need(mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, mbedtls_pk_ec(key), mbedtls_ctr_drbg_random,
                             &random.random));
}

Certificate made(const CertificateOrder& order, const std::string& issuer_name,
                 const std::string* issuer_key) {
  Random random;
  Key own;
  Key issuer;
  make_key(own.pk, order.kind, random);
  if (issuer_key != nullptr)
    need(mbedtls_pk_parse_key(
        &issuer.pk, reinterpret_cast<const unsigned char*>(issuer_key->c_str()),
        issuer_key->size() + 1, nullptr, 0, mbedtls_ctr_drbg_random, &random.random));
  mbedtls_x509write_cert writer;
  mbedtls_x509write_crt_init(&writer);
  std::array<unsigned char, 8> serial{};
  need(mbedtls_ctr_drbg_random(&random.random, serial.data(), serial.size()));
  serial[0] = 1;
  need(mbedtls_x509write_crt_set_serial_raw(&writer, serial.data(), serial.size()));
  mbedtls_x509write_crt_set_version(&writer, MBEDTLS_X509_CRT_VERSION_3);
  mbedtls_x509write_crt_set_md_alg(&writer, MBEDTLS_MD_SHA256);
  mbedtls_x509write_crt_set_subject_key(&writer, &own.pk);
  mbedtls_x509write_crt_set_issuer_key(&writer, issuer_key == nullptr ? &own.pk : &issuer.pk);
  need(mbedtls_x509write_crt_set_subject_name(&writer, ("CN=" + order.name).c_str()));
  need(mbedtls_x509write_crt_set_issuer_name(&writer, ("CN=" + issuer_name).c_str()));
  set_times(writer, order);
  need(mbedtls_x509write_crt_set_basic_constraints(&writer, order.is_authority ? 1 : 0, -1));
  set_names(writer, order);
  set_purpose(writer, order.purpose);
  Certificate certificate;
  Buffer buffer{};
  need(mbedtls_x509write_crt_pem(&writer, buffer.data(), buffer.size(), mbedtls_ctr_drbg_random,
                                 &random.random));
  certificate.pem = reinterpret_cast<const char*>(buffer.data());
  need(mbedtls_pk_write_key_pem(&own.pk, buffer.data(), buffer.size()));
  certificate.key = reinterpret_cast<const char*>(buffer.data());
  mbedtls_x509write_crt_free(&writer);
  return certificate;
}

}  // namespace

Certificate signed_by_itself(const CertificateOrder& order) {
  return made(order, order.name, nullptr);
}

Certificate signed_by(const Certificate& authority, const std::string& authority_name,
                      const CertificateOrder& order) {
  return made(order, authority_name, &authority.key);
}

}  // namespace winperf::testing
