#include "service/commands/doctor_checks.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/diagnosis/port_owner.h"
#include "collectors/wire/name_table.h"
#include "exporter/http/http_server.h"
#include "exporter/http/local_page.h"
#include "exporter/textfile/textfile_family.h"
#include "service/commands/counter_road.h"
#include "service/commands/fact_reading.h"
#include "service/run/protection.h"
#include "service/run/threads.h"
#include "service/scm/counter_state.h"
#include "service/scm/service_definition.h"
#include "service/scm/service_manager.h"

namespace winperf {
namespace {

constexpr char kBuildInfo[] = "winperf_exporter_build_info";
constexpr char kScrapeClients[] = "winperf_exporter_http_scrape_clients";
constexpr char kScrapeAge[] = "winperf_exporter_http_last_scrape_age_seconds";
constexpr char kStarted[] = "process_start_time_seconds";

// The values of a page's metrics, by name.
std::map<std::string, double, std::less<>> values_in(std::string_view page) {
  std::map<std::string, double, std::less<>> values;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    const auto line = parse_textfile_line(page.substr(0, end));
    if (line && line->content == LineContent::kSample)
      values[std::string(line->name)] = line->value;
    page.remove_prefix(std::min(end + 1, page.size()));
  }
  return values;
}

std::vector<CheckSubject> topics_of(const Config& config, const worker::WorkerOptions& origin) {
  // The service skips a topic without metrics.
  std::vector<FactConfig> read;
  for (const PlannedFacts& planned : make_fact_plan(config))
    read.push_back(*std::ranges::find(config.facts, planned.request.topic, &FactConfig::topic));
  std::vector<CheckSubject> topics;
  for (const auto facts = read_facts_once(origin, config, read);
       const FactState& state : facts->topics)
    topics.emplace_back(
        TopicCheck{.topic = state.topic,
                   .error = state.error,
                   .rows = state.table ? state.table->rows.size() : 0,
                   .problems = state.table ? state.table->problems : std::vector<std::string>()});
  return topics;
}

AddressCheck address_check(const ListenConfig& where, const std::string& authority,
                           const std::optional<ServiceFacts>& service) {
  AddressCheck address{.address = authority};
  const auto name_owner = [&](const NetAddress& wanted, int port) {
    address.owner = describe_owners(wanted, port);
    const auto processes = owners(listeners_on(port), wanted);
    address.is_ours =
        service && std::ranges::find(processes, service->process_id) != processes.end();
    return address.owner;
  };
  const auto opened = try_listening(where.address, where.port, name_owner);
  if (opened) return address;
  address.problem = opened.error();
  address.is_ours = address.is_ours || address.owner.starts_with("winperf_exporter");
  return address;
}

// Also notices an exporter whose process this account can't see.
ScrapeCheck scrape_check(const ListenConfig& where, const Config& config, AddressCheck& address) {
  ScrapeCheck scrapes{.address = address.address};
  if (where.web.has_tls()) {
    scrapes.problem = "the address has TLS, and the doctor has no certificate for it";
    return scrapes;
  }
  const auto page = read_local_page(where.address, where.port, config.metrics.path,
                                    {kBuildInfo, kScrapeClients, kScrapeAge, kStarted});
  if (!page) {
    scrapes.problem = page.error();
    return scrapes;
  }
  const auto values = values_in(*page);
  const auto value_of = [&values](std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  address.is_ours = address.is_ours || value_of(kBuildInfo).has_value();
  scrapes.clients = value_of(kScrapeClients);
  scrapes.last_scrape = value_of(kScrapeAge);
  if (!scrapes.clients)
    scrapes.problem = "its page has no metrics about that; metrics.exporter may be false";
  const auto now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch());
  if (const auto started = value_of(kStarted))
    scrapes.uptime = std::max(now.count() - *started, 0.0);
  return scrapes;
}

std::optional<CertificateCheck> certificate_check(const ListenConfig& where,
                                                  const std::string& authority,
                                                  const std::string& config_file) {
  CertificateCheck certificate{
      .address = authority,
      .now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()),
      .notices =
          protection_notices(where.web, where.web_file.empty() ? config_file : where.web_file)};
  const auto protection = protection_of(where.web);
  if (!protection) {
    certificate.problem = protection.error();
  } else if (protection->tls) {
    certificate.validity = validity_notices(*protection, certificate.now);
    certificate.begins = protection->tls->begins();
    certificate.ends = protection->tls->expires();
  } else if (certificate.notices.empty()) {
    return std::nullopt;
  }
  return certificate;
}

// Nothing if there is none, or no Windows.
std::optional<ServiceFacts> own_service() {
  const auto manager = open_service_manager();
  if (!manager) return std::nullopt;
  auto facts = (*manager)->facts(kServiceName);
  return facts ? std::optional(*std::move(facts)) : std::nullopt;
}

// What differs from the table in the first name table that can be read; nothing if none can.
std::vector<std::string> titles_that_differ(CounterSource& source, const CounterKey& key) {
  constexpr std::size_t kMost = 5;
  for (const auto& candidate : source.text_tables(TextTable::kCounter, Language::kEnglish)) {
    if (!candidate) continue;
    const NameTable table = NameTable::parse(*candidate);
    if (table.entries().empty()) continue;
    return foreign_titles(key, [&table](std::uint32_t index) { return table.find(index); }, kMost);
  }
  return {};
}

// Nothing without a service and without anything that one has left, or where there is no Windows.
std::optional<CounterCheck> counter_check(CounterSource& source) {
  const auto manager = open_service_manager();
  const auto registrar = open_counter_registrar();
  if (!manager || !registrar) return std::nullopt;
  const InstalledProgram program = installed_program(**manager);
  auto facts = (*registrar)->facts();
  if (!facts || (!program.is_installed && !has_v1(*facts) && !has_v2(*facts))) return std::nullopt;
  CounterCheck counters{.is_installed = program.is_installed,
                        .library = counter_files(program.executable).library};
  if (program.is_installed) {
    // Without its configuration, the service does not run.
    const auto loaded = load_config(program.config_file);
    if (!loaded) return std::nullopt;
    counters.road = road_of(loaded->config);
  }
  if (facts->key) {
    const auto& library = facts->key->library;
    counters.has_library = library && (*registrar)->has_file(*library);
    if (has_range_of_table(*facts->key))
      counters.foreign_titles = titles_that_differ(source, *facts->key);
  }
  counters.facts = *std::move(facts);
  return counters;
}

}  // namespace

std::vector<CheckSubject> check_subjects(const Config& config, const std::string& config_file,
                                         const worker::WorkerOptions& origin,
                                         const TokenFacts& token, CounterSource& source) {
  const auto service = own_service();
  std::vector<CheckSubject> subjects;
  if (!token.account.empty())
    subjects.emplace_back(
        AccountCheck{.token = token, .service_account = service ? service->account : ""});
  for (const ListenConfig& where : config.listen) {
    const std::string authority = authority_of(where.address, where.port);
    if (where.port != 0) {  // any free one
      AddressCheck address = address_check(where, authority, service);
      ScrapeCheck scrapes;
      if (!address.problem.empty()) scrapes = scrape_check(where, config, address);
      subjects.emplace_back(address);
      if (address.is_ours) subjects.emplace_back(std::move(scrapes));
    }
    if (auto certificate = certificate_check(where, authority, config_file))
      subjects.emplace_back(*std::move(certificate));
  }
  if (auto counters = counter_check(source)) subjects.emplace_back(*std::move(counters));
  std::ranges::move(topics_of(config, origin), std::back_inserter(subjects));
  return subjects;
}

}  // namespace winperf
