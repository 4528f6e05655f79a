// What is wrong with facts, addresses, scrapes, certificates and the account, one thing at a time.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "service/doctor/checks.h"
#include "service/doctor/rules.h"

namespace winperf::testing {
namespace {

using std::chrono::days;

constexpr std::chrono::sys_seconds kToday{std::chrono::sys_days{days{20'000}}};

CheckResult of_error(ErrorCode code, FactTopic topic = FactTopic::kPrinters) {
  return check(TopicCheck{.topic = topic, .error = Error{.code = code, .where = "facts"}});
}

AddressCheck ours() {
  return {.address = "[::]:10182",
          .problem = "cannot listen on [::]:10182",
          .owner = "winperf_exporter.exe (process 7)",
          .is_ours = true};
}

ScrapeCheck scrapes() {
  return {.address = "[::]:10182", .clients = 2, .last_scrape = 12, .uptime = 90'000};
}

CertificateCheck certificate() {
  return {.address = "[::]:10182",
          .begins = kToday - days{30},
          .ends = kToday + days{60},
          .now = kToday};
}

TEST(TopicCheck, ThatIsReadable_IsOk) {
  const CheckResult result = check(TopicCheck{.topic = FactTopic::kServices, .rows = 3});
  EXPECT_EQ(result.status, Severity::kOk);
  EXPECT_EQ(result.check + ' ' + result.subject + ' ' + result.cause.sentence,
            "facts services 3 rows");
  EXPECT_EQ(check(TopicCheck{.topic = FactTopic::kPrinters}).cause.sentence,
            "readable; this machine has none");
}

TEST(TopicCheck, EachErrorHasOneReason) {
  for (int number = 0; number < static_cast<int>(kErrorCodeCount); ++number) {
    const CheckResult result = of_error(static_cast<ErrorCode>(number));
    EXPECT_NE(result.cause.reason, Reason::kHealthy) << number;
    EXPECT_TRUE(result.also.empty()) << number;
  }
}

TEST(TopicCheck, TheReasonHasItsRepair) {
  const CheckResult denied = of_error(ErrorCode::kAccessDenied, FactTopic::kDhcpScopes);
  EXPECT_EQ(denied.cause.reason, Reason::kFactsDenied);
  EXPECT_EQ(denied.cause.repair.front().command,
            "net localgroup \"DHCP Users\" \"NT SERVICE\\winperf_exporter\" /add");
  const CheckResult stopped = of_error(ErrorCode::kNotRunning, FactTopic::kLicense);
  EXPECT_EQ(stopped.cause.reason, Reason::kFactsNotRunning);
  EXPECT_EQ(stopped.cause.repair.front().command, "sc start sppsvc");
  const CheckResult hung = of_error(ErrorCode::kTimedOut);
  EXPECT_EQ(hung.cause.reason, Reason::kFactsTimedOut);
  EXPECT_EQ(hung.cause.repair.front().command, "winperf_exporter facts printers");
  EXPECT_EQ(of_error(ErrorCode::kOsError).cause.reason, Reason::kFactsFailed);
  const CheckResult unsupported = of_error(ErrorCode::kUnsupported);
  EXPECT_EQ(unsupported.status, Severity::kAbsent);
  EXPECT_TRUE(unsupported.cause.repair.empty());
}

TEST(TopicCheck, MissingPartsAreAWarning) {
  const CheckResult result = check(TopicCheck{
      .topic = FactTopic::kTasks, .rows = 1, .problems = {"a", "b", "c", "d", "e", "f"}});
  EXPECT_EQ(result.cause.reason, Reason::kFactsIncomplete);
  EXPECT_EQ(result.status, Severity::kWarning);
  EXPECT_EQ(result.cause.sentence, "1 row is read, but 6 parts are missing");
  EXPECT_EQ(result.cause.evidence, (std::vector<std::string>{"a", "b", "c", "d", "e", "1 more"}));
}

TEST(AddressCheck, OfTheExporter_IsOk) {
  EXPECT_EQ(check(ours()).status, Severity::kOk);
  EXPECT_EQ(check(ours()).cause.sentence, "winperf_exporter.exe (process 7) listens there");
}

TEST(AddressCheck, OfAnotherProgram_NamesIt) {
  AddressCheck taken = ours();
  taken.owner = "nginx.exe (process 9)";
  taken.is_ours = false;
  const CheckResult result = check(taken);
  EXPECT_EQ(result.cause.reason, Reason::kAddressTaken);
  EXPECT_EQ(result.status, Severity::kFailed);
  EXPECT_EQ(result.cause.sentence, "another program listens there: nginx.exe (process 9)");
}

TEST(AddressCheck, ThatCannotBeUsed_IsAFailure) {
  const CheckResult result = check(AddressCheck{.address = "192.0.2.1:1", .problem = "not here"});
  EXPECT_EQ(result.cause.reason, Reason::kAddressUnusable);
  EXPECT_EQ(result.cause.sentence, "not here");
}

TEST(AddressCheck, ThatIsFree_HasNoExporter) {
  const CheckResult result = check(AddressCheck{.address = "127.0.0.1:10182"});
  EXPECT_EQ(result.cause.reason, Reason::kExporterNotRunning);
  EXPECT_EQ(result.status, Severity::kWarning);
  EXPECT_EQ(result.cause.repair.front().command, "winperf_exporter service start");
}

TEST(ScrapeCheck, SaysWhenAndByHowMany) {
  EXPECT_EQ(check(scrapes()).status, Severity::kOk);
  EXPECT_EQ(check(scrapes()).cause.sentence,
            "last scraped 12 s ago, by 2 clients in the last 10 min");
}

TEST(ScrapeCheck, WithoutAScrape_IsAWarningUnlessItHasJustStarted) {
  ScrapeCheck never = scrapes();
  never.last_scrape.reset();
  const CheckResult result = check(never);
  EXPECT_EQ(result.cause.reason, Reason::kNeverScraped);
  EXPECT_EQ(result.status, Severity::kWarning);
  EXPECT_EQ(result.cause.sentence,
            "no client has scraped the exporter since it was started, 1 d 1 h ago");
  EXPECT_NE(result.cause.repair.front().text.find("port 10182"), std::string::npos);
  never.uptime = 5;
  EXPECT_EQ(check(never).status, Severity::kOk);
  EXPECT_EQ(check(never).cause.sentence, "not scraped yet");
  EXPECT_EQ(check(never).also.at(0).reason, Reason::kNeverScraped);
}

TEST(ScrapeCheck, ThatHasEnded_IsAWarning) {
  ScrapeCheck ended = scrapes();
  ended.last_scrape = 599;
  EXPECT_EQ(check(ended).status, Severity::kOk);
  ended.last_scrape = 600;
  EXPECT_EQ(check(ended).cause.reason, Reason::kNoLongerScraped);
}

TEST(ScrapeCheck, WhatIsUnknown_IsNotCalledUnscraped) {
  const CheckResult result =
      check(ScrapeCheck{.address = "a:1", .problem = "it asks for a password"});
  EXPECT_EQ(result.cause.reason, Reason::kScrapesUnknown);
  EXPECT_TRUE(result.also.empty());
}

TEST(CertificateCheck, ThatIsValid_SaysForHowLong) {
  EXPECT_EQ(check(certificate()).cause.sentence, "certificate valid for 60 days");
}

TEST(CertificateCheck, ThatCannotBeUsed_IsAFailure) {
  CertificateCheck unusable = certificate();
  unusable.problem = "the key is another certificate's";
  EXPECT_EQ(check(unusable).cause.reason, Reason::kCertificateUnusable);
  EXPECT_EQ(check(unusable).status, Severity::kFailed);
}

TEST(CertificateCheck, DatesDecideHowBadItIs) {
  CertificateCheck dated = certificate();
  dated.validity = {"it expires", "so does the other"};
  dated.ends = kToday + std::chrono::seconds{1};
  EXPECT_EQ(check(dated).cause.reason, Reason::kCertificateNotCurrent);
  EXPECT_EQ(check(dated).status, Severity::kWarning);
  EXPECT_EQ(check(dated).cause.sentence, "it expires; so does the other");
  dated.ends = kToday;
  EXPECT_EQ(check(dated).cause.reason, Reason::kCertificateExpired);
  EXPECT_EQ(check(dated).status, Severity::kFailed);
  dated.ends = kToday + days{300};
  dated.begins = kToday + days{1};
  EXPECT_EQ(check(dated).cause.reason, Reason::kCertificateNotCurrent);
  EXPECT_EQ(check(dated).cause.repair.front().command, "w32tm /query /status");
}

TEST(CertificateCheck, NoticesAreAWarning) {
  CertificateCheck open = certificate();
  open.notices = {"the key can be read by Everyone"};
  EXPECT_EQ(check(open).cause.reason, Reason::kAddressExposed);
  EXPECT_EQ(check(open).cause.sentence, "the key can be read by Everyone");
}

TEST(AccountCheck, WithoutRights_IsAWarning) {
  AccountCheck account{.token = {.account = "SRV\\me",
                                 .administrator = false,
                                 .performance_monitor_users = false,
                                 .performance_log_users = false}};
  EXPECT_EQ(check(account).cause.reason, Reason::kAccountWithoutRights);
  account.token.performance_monitor_users = true;
  EXPECT_EQ(check(account).status, Severity::kOk);
  account.token.performance_monitor_users.reset();
  EXPECT_EQ(check(account).status, Severity::kOk) << "what is unknown is no failure";
}

TEST(AccountCheck, AnotherAccountThanTheServices_IsANote) {
  const auto differs = [](const char* account, const char* service) {
    const CheckResult result =
        check(AccountCheck{.token = {.account = account}, .service_account = service});
    EXPECT_EQ(result.status, Severity::kOk);
    return !result.also.empty() && result.also.front().reason == Reason::kAccountDiffers;
  };
  EXPECT_TRUE(differs("SRV\\me", "NT SERVICE\\winperf_exporter"));
  EXPECT_FALSE(differs("NT SERVICE\\winperf_exporter", "NT Service\\winperf_exporter"));
  EXPECT_FALSE(differs("NT-AUTORIT\u00c4T\\SYSTEM", "LocalSystem"));
  EXPECT_FALSE(differs("SRV\\me", ".\\me"));
  EXPECT_FALSE(differs("SRV\\me", "")) << "without a service";
}

TEST(CheckText, HasAnEntryForEachAndTheirNumber) {
  AddressCheck taken = ours();
  taken.owner = "nginx (process 9)";
  taken.is_ours = false;
  const std::string text = checks_to_text(std::vector{
      check(AccountCheck{.token = {.account = "me"}, .service_account = "you"}), check(taken)});
  EXPECT_TRUE(
      text.starts_with("ok       account me: has the rights to read counters\n"
                       "  note account_differs\n    the service runs as you"))
      << text;
  EXPECT_NE(text.find("\nfailed   address [::]:10182: address_taken\n"
                      "    another program listens there: nginx (process 9)\n    1. "),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("\n2 other checks: 1 ok, 0 with a warning, 1 failed\n")) << text;
}

TEST(CheckJson, IsAListNextToTheCountersets) {
  const std::string with = diagnoses_to_json({}, "registry", std::vector{check(certificate())});
  EXPECT_NE(with.find("\"checks\": [\n    {\n      \"name\": \"protection\",\n"
                      "      \"subject\": \"[::]:10182\",\n      \"status\": \"ok\",\n"
                      "      \"reason\": \"healthy\","),
            std::string::npos)
      << with;
  EXPECT_EQ(diagnoses_to_json({}, "registry").find("checks"), std::string::npos);
}

}  // namespace
}  // namespace winperf::testing
