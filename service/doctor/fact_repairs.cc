#include "service/doctor/fact_repairs.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

struct TopicNeeds {
  FactTopic topic{};
  std::string_view service{};  // that answers, if it isn't always running
  std::string_view right{};    // that an account needs, if not all accounts have it
};

constexpr TopicNeeds kTopicNeeds[] = {
    {FactTopic::kServiceStatus, "Winmgmt", "WMI's Enable Account in root\\cimv2"},
    {FactTopic::kLogons, "", "administrator"},
    {FactTopic::kSessions, "TermService", "Query Information on the sessions"},
    {FactTopic::kTasks, "Schedule", "administrator"},
    {FactTopic::kPrinters, "Winmgmt", "WMI's Enable Account in root\\cimv2"},
    {FactTopic::kQuotas, "Winmgmt", "administrator"},
    {FactTopic::kLicense, "sppsvc", ""},
    {FactTopic::kDnsStatistics, "Winmgmt", "administrator"},
    {FactTopic::kDhcpScopes, "DHCPServer", "DHCP Users or administrator"},
};

TopicNeeds needs_of(FactTopic topic) {
  const auto found = std::ranges::find(kTopicNeeds, topic, &TopicNeeds::topic);
  return found == std::end(kTopicNeeds) ? TopicNeeds{.topic = topic} : *found;
}

RepairStep leave_topic_out() {
  return advice(
      "if the problem remains, leave the topic out: list the other ones under facts in the "
      "configuration");
}

Repair grant_topic(FactTopic topic) {
  Repair repair;
  if (topic == FactTopic::kDhcpScopes)
    repair.push_back({"net localgroup \"DHCP Users\" \"NT SERVICE\\winperf_exporter\" /add",
                      "adds the service's account to DHCP Users; write another account if the "
                      "service runs as one, and restart the service"});
  const std::string_view right = needs_of(topic).right;
  repair.push_back(advice(
      "run the service as an account with the right to read it, such as LocalSystem; it needs: " +
      (right.empty() ? "the right that docs/facts.md names" : std::string(right))));
  repair.push_back(leave_topic_out());
  return repair;
}

Repair start_service_of(FactTopic topic) {
  const std::string service(needs_of(topic).service);
  if (service.empty())
    return {advice("start the service that the error is about, then read the topic again")};
  return {{"sc start " + service, "starts the service that the topic is read from"},
          {"sc config " + service + " start= demand", "before that, only if it is disabled"},
          leave_topic_out()};
}

}  // namespace

Repair fact_repair(FactTopic topic, const Error& error) {
  if (is_absent(error)) return {};
  if (error.code == ErrorCode::kAccessDenied) return grant_topic(topic);
  if (error.code == ErrorCode::kNotRunning) return start_service_of(topic);
  const RepairStep again{"winperf_exporter facts " + std::string(name_of(topic)),
                         "reads the topic again"};
  if (is_of_start(error.code))
    return {again, advice("check whether an antivirus program or a policy keeps the program from "
                          "starting its worker process")};
  if (is_lost(error.code))
    return {again,
            advice("a service, driver or server did not answer; check the one that the topic is "
                   "about, and the System event log"),
            leave_topic_out()};
  return {again, leave_topic_out()};
}

}  // namespace winperf
