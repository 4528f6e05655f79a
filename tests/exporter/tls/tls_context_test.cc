// What a context says about certificates and keys that it can't use.
#include "exporter/tls/tls_context.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/certificates.h"

namespace winperf {
namespace {

using testing::Certificate;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::signed_by;
using testing::signed_by_itself;

std::string problem_of(const TlsConfig& config) {
  const auto material = read_material(config);
  if (!material) return material.error();
  const auto context = TlsContext::make(config, *material);
  return context ? "" : context.error();
}

TlsConfig of(const Certificate& certificate) {
  return {.certificate = {.text = certificate.pem}, .key = {.text = certificate.key}};
}

TEST(TlsContext, SaysWhatItCantUse) {
  const Certificate one = signed_by_itself({});
  const Certificate other = signed_by_itself({});
  EXPECT_EQ(problem_of(of(one)), "");
  TlsConfig config = of(one);
  config.certificate.text = "nonsense";
  EXPECT_THAT(problem_of(config), HasSubstr("cert has no usable certificate in PEM ("));
  config = of(one);
  config.key.text = "nonsense";
  EXPECT_THAT(problem_of(config), HasSubstr("key has no usable private key in PEM ("));
  EXPECT_THAT(problem_of(config), Not(HasSubstr("nonsense")));
  // As PowerShell's ">" saves it.
  config.key.text = std::string("\xFF\xFE", 2);
  for (const char letter : one.key) config.key.text += {letter, '\0'};
  EXPECT_EQ(problem_of(config), "key is UTF-16; save it as ASCII or UTF-8");
  config.key.text = other.key;
  EXPECT_EQ(problem_of(config), "key is not the key of the certificate in cert");
  config = of(one);
  config.client_auth = ClientAuth::kRequireAndVerify;
  config.client_ca.text = "nonsense";
  EXPECT_THAT(problem_of(config), HasSubstr("client_ca has no usable certificate in PEM ("));
  const std::string spoilt = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  config.client_ca.text = one.pem + spoilt;
  EXPECT_EQ(problem_of(config), "client_ca has 1 certificate that cannot be read");
  config.client_ca.text = one.pem + spoilt + spoilt;
  EXPECT_EQ(problem_of(config), "client_ca has 2 certificates that cannot be read");
}

TEST(TlsContext, NamesTheFileThatIsntThere) {
  TlsConfig config = of(signed_by_itself({}));
  config.key = {.file = "no such file"};
  EXPECT_THAT(problem_of(config), HasSubstr("key_file cannot be read: no such file: "));
}

TEST(TlsContext, KnowsWhenItsCertificateExpires) {
  const std::chrono::sys_seconds until =
      std::chrono::sys_days(std::chrono::year(2031) / 2 / 28) + std::chrono::seconds(86399);
  const TlsConfig config = of(signed_by_itself({.until = until}));
  const auto context = TlsContext::make(config, *read_material(config));
  ASSERT_TRUE(context);
  EXPECT_EQ((*context)->expires(), until);
}

TEST(TlsContext, KnowsTheDatesOfAllItsCertificates) {
  const auto day = [](int number) {
    return std::chrono::sys_seconds(std::chrono::sys_days(std::chrono::year(2031) / 2 / 1)) +
           std::chrono::days(number);
  };
  const Certificate between =
      signed_by_itself({.name = "between", .from = day(2), .until = day(5), .is_authority = true});
  const Certificate server = signed_by(between, "between", {.from = day(1), .until = day(9)});
  TlsConfig config = of(server);
  config.certificate.text = server.pem + between.pem;
  config.client_auth = ClientAuth::kRequireAndVerify;
  config.client_ca.text =
      signed_by_itself({.name = "clients", .from = day(7), .until = day(8)}).pem;
  const auto context = TlsContext::make(config, *read_material(config));
  ASSERT_TRUE(context) << context.error();
  EXPECT_EQ((*context)->expires(), day(5)) << "what is between it and its root expires earlier";
  EXPECT_EQ((*context)->begins(), day(2));
  const auto& all = (*context)->certificates();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].subject, "CN=localhost");
  EXPECT_EQ(all[1].subject, "CN=between");
  EXPECT_EQ(all[2], (CertificateDates{.file = "client_ca",
                                      .subject = "CN=clients",
                                      .begins = day(7),
                                      .ends = day(8),
                                      .signs_clients = true}));
}

}  // namespace
}  // namespace winperf
