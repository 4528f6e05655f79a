// What the exporter needs besides countersets: readable facts, its addresses and certificates,
// clients that scrape it, an account with the right rights, and a sound registration of its own
// counters. A pure function from what was found
// out about one subject to its result, over the CHECK_RULEs of rule_list.inc. Thread rule: any
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "collectors/diagnosis/facts.h"
#include "collectors/model/error.h"
#include "collectors/model/fact_topic.h"
#include "service/doctor/rules.h"
#include "service/scm/counter_state.h"

namespace winperf {

// One topic that the configuration has, read once.
struct TopicCheck {
  FactTopic topic{};
  std::optional<Error> error{};
  std::size_t rows = 0;
  std::vector<std::string> problems{};  // parts that can't be read
};

// One configured address, and the attempt to listen on it.
struct AddressCheck {
  std::string address{};  // with its port, as in a URL
  std::string problem{};  // why that failed; empty: the address is free
  std::string owner{};    // who listens there: "nginx (process 12)"; empty if unknown
  bool is_ours = false;   // a running exporter
};

// The exporter that runs there, by its own metrics.
struct ScrapeCheck {
  std::string address{};
  std::string problem{};                // why they can't be read; empty: they were
  std::optional<double> clients{};      // that scraped it lately
  std::optional<double> last_scrape{};  // seconds ago; nothing: none since it was started
  std::optional<double> uptime{};       // in seconds
};

// The certificates of one address.
struct CertificateCheck {
  std::string address{};
  std::string problem{};                // why it can't be used: unreadable, another key's
  std::vector<std::string> validity{};  // sentences about dates; of none that is in order
  std::chrono::sys_seconds begins{};    // when all of them are valid
  std::chrono::sys_seconds ends{};      // when the first expires
  std::chrono::sys_seconds now{};
  std::vector<std::string> notices{};  // such as accounts that can read the key
};

// The account of this process, and of the service, if that is installed.
struct AccountCheck {
  TokenFacts token{};
  std::string service_account{};
};

// How the exporter's own counters are registered, if the service is installed or anything is left
// of one.
struct CounterCheck {
  bool is_installed = true;
  CounterRoad road = CounterRoad::kNone;  // that the service's configuration names
  CounterFacts facts{};
  std::string library{};                      // beside the service's program
  bool has_library = true;                    // whether the registered file exists
  std::vector<std::string> foreign_titles{};  // as foreign_titles() has them
};

using CheckSubject = std::variant<TopicCheck, AddressCheck, ScrapeCheck, CertificateCheck,
                                  AccountCheck, CounterCheck>;

[[nodiscard]] CheckResult check(const CheckSubject& subject);

}  // namespace winperf
