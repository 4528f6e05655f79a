#include "service/doctor/checks.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "collectors/base/wording.h"
#include "service/console/human_number.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

struct CheckRule {
  Reason reason;
  MaybeFinding (*find)(const CheckSubject&);
};

constexpr CheckRule kCheckRules[] = {
#define RULE(reason, function)
#define CHECK_RULE(reason, function) {Reason::reason, function},
#include "service/doctor/rule_list.inc"
};

// How a subject is shown.
struct Shown {
  const char* check;
  std::string subject;
  std::string healthy;  // if nothing is wrong with it
};

Shown shown(const TopicCheck& topic) {
  return {"facts", std::string(name_of(topic.topic)),
          topic.rows == 0 ? "readable; this machine has none" : counted(topic.rows, "row")};
}

Shown shown(const AddressCheck& address) {
  return {"address", address.address,
          address.owner.empty() ? "the exporter listens there" : address.owner + " listens there"};
}

Shown shown(const ScrapeCheck& scrapes) {
  std::string healthy = "not scraped yet";
  if (scrapes.last_scrape) healthy = "last scraped " + human_seconds(*scrapes.last_scrape) + " ago";
  if (scrapes.last_scrape && scrapes.clients)
    healthy += ", by " +
               counted(static_cast<std::uint64_t>(std::max(*scrapes.clients, 0.0)), "client") +
               " in the last 10 min";
  return {"scrapes", scrapes.address, std::move(healthy)};
}

Shown shown(const CertificateCheck& certificate) {
  const auto days = std::chrono::floor<std::chrono::days>(certificate.ends - certificate.now);
  const auto left = static_cast<std::uint64_t>(std::max<std::int64_t>(days.count(), 0));
  return {"protection", certificate.address, "certificate valid for " + counted(left, "day")};
}

Shown shown(const AccountCheck& account) {
  return {"account", account.token.account.empty() ? "of this process" : account.token.account,
          "has the rights to read counters"};
}

Shown shown(const CounterCheck& counters) {
  return {"counters", std::string(name_of(counters.road)),
          counters.road == CounterRoad::kNone ? "none are registered"
                                              : "registered, " + registration_text(counters.facts)};
}

}  // namespace

CheckResult check(const CheckSubject& subject) {
  Shown names = std::visit([](const auto& one) { return shown(one); }, subject);
  std::vector<Finding> findings;
  for (const CheckRule& rule : kCheckRules) {
    MaybeFinding finding = rule.find(subject);
    if (!finding) continue;
    finding->reason = rule.reason;
    findings.push_back(*std::move(finding));
  }
  findings.push_back({.reason = Reason::kHealthy,
                      .severity = Severity::kOk,
                      .sentence = std::move(names.healthy)});
  CheckResult result;
  static_cast<Assessment&>(result) = assessment_of(std::move(findings));
  result.check = names.check;
  result.subject = std::move(names.subject);
  return result;
}

}  // namespace winperf
