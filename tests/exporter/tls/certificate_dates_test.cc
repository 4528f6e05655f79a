#include "exporter/tls/tls_context.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::sys_seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr sys_seconds kNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 26) + 4h + 5min};

CertificateDates valid(sys_seconds begins, sys_seconds ends) {
  return {.file = "w.crt", .subject = "CN=exporter", .begins = begins, .ends = ends};
}

std::vector<std::string> notices(std::vector<CertificateDates> certificates) {
  return certificate_notices(certificates, kNow);
}

TEST(CertificateNotices, ThatThereAreTwoWeeksLeft_AreNone) {
  EXPECT_THAT(notices({}), IsEmpty());
  EXPECT_THAT(notices({valid(kNow, kNow + days(14))}), IsEmpty());
}

TEST(CertificateNotices, SayWhatExpiresAndWhen) {
  EXPECT_THAT(notices({valid(kNow, kNow + days(14) - 1s)}),
              ElementsAre("w.crt: the certificate of CN=exporter expires on 2026-12-10 04:04 UTC, "
                          "in 13 days; replace the certificate, because afterwards clients that "
                          "verify it refuse the connection"));
  EXPECT_THAT(notices({valid(kNow, kNow + 47h)}), ElementsAre(HasSubstr("UTC, in 1 day; ")));
  EXPECT_THAT(notices({valid(kNow, kNow)}), ElementsAre(HasSubstr("UTC, within a day; ")));
}

TEST(CertificateNotices, SayWhatHasExpiredOrIsNotValidYet) {
  EXPECT_THAT(notices({valid(kNow - 2s, kNow - 1s)}),
              ElementsAre(HasSubstr("expired on 2026-11-26 04:04 UTC: clients that verify it "
                                    "refuse the connection; replace")));
  EXPECT_THAT(notices({valid(kNow + 60s, kNow + days(100))}),
              ElementsAre(HasSubstr("is not valid before 2026-11-26 04:06 UTC; until then")));
}

TEST(CertificateNotices, AreOfEachThatIsShown) {
  EXPECT_THAT(notices({valid(kNow, kNow + days(100)), valid(kNow, kNow + days(3))}),
              ElementsAre(HasSubstr("in 3 days")));
}

TEST(CertificateNotices, OfThoseThatSignClients_AreOfTheOneThatLastsLongest) {
  CertificateDates old = valid(kNow - days(9), kNow - days(1));
  CertificateDates next = valid(kNow, kNow + days(100));
  old.signs_clients = next.signs_clients = true;
  EXPECT_THAT(notices({old, next}), IsEmpty());
  EXPECT_THAT(notices({next, old}), IsEmpty());
  EXPECT_THAT(notices({old}),
              ElementsAre(HasSubstr("client certificates signed by it are rejected")));
}

}  // namespace
}  // namespace winperf
