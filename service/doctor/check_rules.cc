// The CHECK_RULEs. Each is about one kind of subject, and finds nothing about the others.
#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "service/console/human_number.h"
#include "service/doctor/fact_repairs.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

// Longer than the scrape intervals that are in use.
constexpr double kLongUnscrapedSeconds = 600;

// A topic whose error has to do with this.
MaybeFinding topic_finding(const CheckSubject& subject, bool (*concerns)(ErrorCode)) {
  const auto* const topic = std::get_if<TopicCheck>(&subject);
  if (topic == nullptr || !topic->error || !concerns(topic->error->code)) return std::nullopt;
  return Finding{.severity = Severity::kFailed,
                 .sentence = "the topic cannot be read: " + describe(*topic->error),
                 .repair = fact_repair(topic->topic, *topic->error)};
}

bool is_timed_out(ErrorCode code) { return is_lost(code) || is_of_start(code); }

// Windows calls one account differently in a service's entry and in a token.
bool is_same_account(std::string_view of_token, std::string_view of_service) {
  if (equal_names(of_service, "LocalSystem")) return of_token.ends_with("\\SYSTEM");
  if (of_service.starts_with(".\\"))
    return equal_names(of_token.substr(of_token.find('\\') + 1), of_service.substr(2));
  return equal_names(of_token, of_service);
}

RepairStep see_tls() {
  return {"winperf_exporter config self-signed --host NAME --force",
          "only if the certificate was self-signed by this program: creates a new certificate "
          "and key; then configure Prometheus with the new certificate"};
}

std::string sentences_of(const std::vector<std::string>& sentences) {
  return joined(sentences, "; ", [](const std::string& sentence) { return sentence; });
}

const CertificateCheck* dated(const CheckSubject& subject) {
  const auto* const found = std::get_if<CertificateCheck>(&subject);
  return found == nullptr || found->validity.empty() ? nullptr : found;
}

// None if another problem is the reason that nothing is known.
const ScrapeCheck* scraped(const CheckSubject& subject) {
  const auto* const found = std::get_if<ScrapeCheck>(&subject);
  return found == nullptr || !found->problem.empty() ? nullptr : found;
}

Repair add_to_prometheus(const ScrapeCheck& scrapes) {
  const std::string port = scrapes.address.substr(scrapes.address.rfind(':') + 1);
  return {
      advice("check that scrape_configs of Prometheus lists this machine with port " + port +
             "; Prometheus shows scrape errors under Status, Targets"),
      {"powershell -Command \"Test-NetConnection HOST -Port " + port + "\"",
       "on Prometheus' machine, with this machine's name: shows whether the port can be reached; "
       "if not, allow it in the firewalls on the way"}};
}

}  // namespace

MaybeFinding facts_denied(const CheckSubject& subject) {
  return topic_finding(subject, [](ErrorCode code) { return code == ErrorCode::kAccessDenied; });
}

MaybeFinding facts_not_running(const CheckSubject& subject) {
  return topic_finding(subject, [](ErrorCode code) { return code == ErrorCode::kNotRunning; });
}

MaybeFinding facts_timed_out(const CheckSubject& subject) {
  return topic_finding(subject, is_timed_out);
}

MaybeFinding facts_failed(const CheckSubject& subject) {
  return topic_finding(subject, [](ErrorCode code) {
    return code != ErrorCode::kAccessDenied && code != ErrorCode::kNotRunning &&
           code != ErrorCode::kUnsupported && !is_timed_out(code);
  });
}

MaybeFinding facts_unsupported(const CheckSubject& subject) {
  const auto* const topic = std::get_if<TopicCheck>(&subject);
  if (topic == nullptr || !topic->error || !is_absent(*topic->error)) return std::nullopt;
  return Finding{.severity = Severity::kAbsent, .sentence = "this system does not have the topic"};
}

MaybeFinding facts_incomplete(const CheckSubject& subject) {
  constexpr std::size_t kMost = 5;
  const auto* const topic = std::get_if<TopicCheck>(&subject);
  if (topic == nullptr || topic->problems.empty()) return std::nullopt;
  const std::size_t count = topic->problems.size();
  Finding finding{.severity = Severity::kWarning,
                  .sentence = counted(topic->rows, "row is", "rows are") + " read, but " +
                              counted(count, "part is", "parts are") + " missing",
                  .repair = {advice("run the service as an account with the right to read them; "
                                    "docs/facts.md lists the right of each topic")}};
  if (topic->topic == FactTopic::kTextfile)
    finding.repair = {
        advice("correct the files, or the programs that write them; docs/textfile.md "
               "has the format")};
  for (std::size_t i = 0; i < std::min(count, kMost); ++i)
    finding.evidence.push_back(topic->problems[i]);
  if (count > kMost) finding.evidence.push_back(std::to_string(count - kMost) + " more");
  return finding;
}

MaybeFinding address_taken(const CheckSubject& subject) {
  const auto* const address = std::get_if<AddressCheck>(&subject);
  if (address == nullptr || address->is_ours || address->owner.empty()) return std::nullopt;
  return Finding{
      .severity = Severity::kFailed,
      .sentence = "another program listens there: " + address->owner,
      .repair = {{"winperf_exporter config set winperf_exporter.yaml listen.port=PORT",
                  "chooses another port; name the configuration that the service uses, and change "
                  "Prometheus' targets"},
                 advice("or end that program, or give it another port")},
      .evidence = {address->problem}};
}

MaybeFinding address_unusable(const CheckSubject& subject) {
  const auto* const address = std::get_if<AddressCheck>(&subject);
  if (address == nullptr || address->is_ours || !address->owner.empty() || address->problem.empty())
    return std::nullopt;
  return Finding{.severity = Severity::kFailed,
                 .sentence = address->problem,
                 .repair = {advice("correct listen.address or listen.port in the configuration; an "
                                   "address must belong to this machine, and a port must be free"),
                            {"netsh interface ipv4 show excludedportrange protocol=tcp",
                             "shows the ports that Windows reserves for other purposes"}}};
}

MaybeFinding exporter_not_running(const CheckSubject& subject) {
  const auto* const address = std::get_if<AddressCheck>(&subject);
  if (address == nullptr || address->is_ours || !address->problem.empty()) return std::nullopt;
  return Finding{.severity = Severity::kWarning,
                 .sentence = "the address is free, but no exporter runs there",
                 .repair = {{"winperf_exporter service start", "starts the service"},
                            {"winperf_exporter service install",
                             "before that, only if the service is not installed"}}};
}

MaybeFinding scrapes_unknown(const CheckSubject& subject) {
  const auto* const scrapes = std::get_if<ScrapeCheck>(&subject);
  if (scrapes == nullptr || scrapes->problem.empty()) return std::nullopt;
  return Finding{
      .severity = Severity::kWarning,
      .sentence =
          "an exporter is running there, but the doctor cannot tell whether it is scraped: " +
          scrapes->problem,
      .repair = {advice("check in Prometheus that the query up{instance=\"" + scrapes->address +
                        "\"} returns 1; the instance label may differ there")}};
}

MaybeFinding never_scraped(const CheckSubject& subject) {
  const ScrapeCheck* const scrapes = scraped(subject);
  if (scrapes == nullptr || scrapes->last_scrape) return std::nullopt;
  // Prometheus may need a minute.
  constexpr double kNewSeconds = 120;
  const bool is_new = scrapes->uptime && *scrapes->uptime < kNewSeconds;
  return Finding{.severity = is_new ? Severity::kNote : Severity::kWarning,
                 .sentence = "no client has scraped the exporter since it was started" +
                             (scrapes->uptime ? ", " + human_seconds(*scrapes->uptime) + " ago"
                                              : std::string()),
                 .repair = add_to_prometheus(*scrapes)};
}

MaybeFinding no_longer_scraped(const CheckSubject& subject) {
  const ScrapeCheck* const scrapes = scraped(subject);
  if (scrapes == nullptr || scrapes->last_scrape.value_or(0) < kLongUnscrapedSeconds)
    return std::nullopt;
  return Finding{.severity = Severity::kWarning,
                 .sentence = "no client scrapes the exporter any more; the last scrape was " +
                             human_seconds(*scrapes->last_scrape) + " ago",
                 .repair = add_to_prometheus(*scrapes)};
}

MaybeFinding certificate_unusable(const CheckSubject& subject) {
  const auto* const certificate = std::get_if<CertificateCheck>(&subject);
  if (certificate == nullptr || certificate->problem.empty()) return std::nullopt;
  return Finding{.severity = Severity::kFailed,
                 .sentence = certificate->problem,
                 .repair = {advice("correct cert_file and key_file of the web configuration: both "
                                   "are PEM, the service's account can read them, and the key is "
                                   "the certificate's"),
                            see_tls()}};
}

MaybeFinding certificate_expired(const CheckSubject& subject) {
  const CertificateCheck* const certificate = dated(subject);
  if (certificate == nullptr || certificate->ends > certificate->now) return std::nullopt;
  return Finding{
      .severity = Severity::kFailed,
      .sentence = sentences_of(certificate->validity),
      .repair = {advice("replace the files of certificate and key; a running exporter uses the new "
                        "ones without a restart"),
                 see_tls()}};
}

MaybeFinding certificate_not_current(const CheckSubject& subject) {
  const CertificateCheck* const certificate = dated(subject);
  if (certificate == nullptr || certificate->ends <= certificate->now) return std::nullopt;
  Repair repair{advice("replace the files of certificate and key in time; a running exporter uses "
                       "the new ones without a restart"),
                see_tls()};
  if (certificate->begins > certificate->now)
    repair = {{"w32tm /query /status", "shows whether this machine's clock is right"},
              advice("wait until the certificate is valid, or replace it")};
  return Finding{.severity = Severity::kWarning,
                 .sentence = sentences_of(certificate->validity),
                 .repair = std::move(repair)};
}

MaybeFinding address_exposed(const CheckSubject& subject) {
  const auto* const certificate = std::get_if<CertificateCheck>(&subject);
  if (certificate == nullptr || certificate->notices.empty()) return std::nullopt;
  return Finding{.severity = Severity::kWarning,
                 .sentence = sentences_of(certificate->notices),
                 .repair = {advice("correct the web configuration or the permissions of the file; "
                                   "docs/security.md lists what protects the exporter")}};
}

MaybeFinding account_without_rights(const CheckSubject& subject) {
  const auto* const account = std::get_if<AccountCheck>(&subject);
  if (account == nullptr || !lacks_privilege(account->token)) return std::nullopt;
  return Finding{.severity = Severity::kWarning,
                 .sentence =
                     "this account is neither an administrator nor a member of Performance "
                     "Monitor Users; some counters are missing or denied",
                 .repair = {join_monitor_users(account->token)},
                 .evidence = {account_line(account->token)}};
}

MaybeFinding account_differs(const CheckSubject& subject) {
  const auto* const account = std::get_if<AccountCheck>(&subject);
  if (account == nullptr || account->service_account.empty() || account->token.account.empty() ||
      is_same_account(account->token.account, account->service_account))
    return std::nullopt;
  return Finding{
      .severity = Severity::kNote,
      .sentence = "the service runs as " + account->service_account +
                  ", which may have other rights than " + account->token.account +
                  ", the account of this check",
      .repair = {advice("run the doctor as the service's account to see what the service sees")}};
}

}  // namespace winperf
