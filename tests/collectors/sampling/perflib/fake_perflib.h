// A system of V2 countersets that a test fills: what is registered, what each query is answered
// with, and what fails. Results come in the reverse of the order of adding.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "collectors/base/os_code.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/perflib_client.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf::testing {

// Two countersets that tests register.
inline constexpr Guid kShop{{1}}, kBakery{{2}};

class FakePerflib final : public PerflibApi {
 public:
  std::vector<simulator::CountersetDefinition> countersets;
  std::u16string provider_name;  // of all of them
  // A result that is an error with the status 1000 + the counter's id lets a test tell requests
  // apart.
  std::function<simulator::Bytes(const v2::CounterRequest&)> result =
      [](const v2::CounterRequest& request) {
        return simulator::error_result(1000 + request.counter_id);
      };
  simulator::Now now;
  simulator::Padding padding = simulator::Padding::kCounted;
  bool spoils_data = false, spoils_info = false, spoils_registrations = false;
  bool spoils_identifiers = false;                    // that are given back from a call
  std::size_t results_left_out = 0;                   // the last ones
  std::size_t results_too_many = 0;                   // behind the others
  std::map<RegistrationInfo, OsCode> refused_infos;   // questions about registrations
  std::map<std::uint32_t, OsCode> refused_languages;  // the same, by their argument
  std::vector<std::pair<RegistrationInfo, std::uint32_t>> questions;  // with their arguments
  std::set<std::uint32_t> not_listed;  // counter ids that the system's list of requests lacks

  std::map<std::uint32_t, OsCode> refused;      // status of added identifiers, by counter id
  std::map<std::uint32_t, OsCode> not_removed;  // the same for removed ones
  OsCode list_status = OsCode::kSuccess, registration_status = OsCode::kSuccess,
         open_status = OsCode::kSuccess, add_status = OsCode::kSuccess,
         info_status = OsCode::kSuccess, data_status = OsCode::kSuccess,
         remove_status = OsCode::kSuccess;

  // What the open queries ask for, and how often each function was called.
  std::map<PerflibHandle, std::vector<v2::CounterRequest>> added;
  int enumerated = 0, registrations = 0, opened = 0, closed = 0, asked = 0, listed = 0;

  std::uint32_t enumerate_countersets(const std::u16string&, std::span<Guid> guids,
                                      std::uint32_t& actual) override {
    ++enumerated;
    if (list_status != OsCode::kSuccess) return value_of(list_status);
    actual = static_cast<std::uint32_t>(countersets.size());
    if (countersets.size() > guids.size()) return value_of(OsCode::kNotEnoughMemory);
    std::ranges::transform(countersets, guids.begin(),
                           [](const auto& counterset) { return counterset.guid; });
    return 0;
  }
  std::uint32_t enumerate_instances(const std::u16string&, const Guid&, Bytes,
                                    std::uint32_t&) override {
    return value_of(OsCode::kNotSupported);
  }
  std::uint32_t query_registration(const std::u16string&, const Guid& guid, RegistrationInfo info,
                                   std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override {
    ++registrations;
    questions.emplace_back(info, argument);
    if (registration_status != OsCode::kSuccess) return value_of(registration_status);
    if (const auto refusal = refused_infos.find(info); refusal != refused_infos.end())
      return value_of(refusal->second);
    if (const auto refusal = refused_languages.find(argument); refusal != refused_languages.end())
      return value_of(refusal->second);
    const auto set = std::ranges::find(countersets, guid, &simulator::CountersetDefinition::guid);
    if (set == countersets.end()) return value_of(OsCode::kGuidNotFound);
    simulator::Bytes reply = registered(*set, info);
    if (spoils_registrations) reply.resize(1);
    return deliver(reply, buffer, actual);
  }
  std::uint32_t open_query(const std::u16string&, PerflibHandle& query) override {
    if (open_status != OsCode::kSuccess) return value_of(open_status);
    query = PerflibHandle{static_cast<std::uintptr_t>(++opened)};
    added[query];
    return 0;
  }
  std::uint32_t close_query(PerflibHandle query) override {
    ++closed;
    added.erase(query);
    return 0;
  }
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    ++listed;
    if (!added.contains(query)) return value_of(OsCode::kInvalidHandle);
    if (info_status != OsCode::kSuccess) return value_of(info_status);
    std::vector<v2::CounterRequest> requests = in_order_of_results(query);
    std::erase_if(requests,
                  [this](const auto& request) { return not_listed.contains(request.counter_id); });
    simulator::Bytes list = simulator::identifier_list(requests);
    if (spoils_info) list.resize(list.size() - 8);
    return deliver(list, buffer, actual);
  }
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    ++asked;
    if (!added.contains(query)) return value_of(OsCode::kInvalidHandle);
    if (data_status != OsCode::kSuccess) return value_of(data_status);
    std::vector<simulator::Bytes> results;
    for (const v2::CounterRequest& request : in_order_of_results(query))
      results.push_back(result(request));
    results.resize(results.size() - results_left_out);
    results.insert(results.end(), results_too_many, simulator::error_result(1));
    simulator::Bytes reply = simulator::data_reply(now, results, padding);
    if (spoils_data) reply.resize(10);
    return deliver(reply, buffer, actual);
  }
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override {
    if (!added.contains(query)) return value_of(OsCode::kInvalidHandle);
    if (add_status != OsCode::kSuccess) return value_of(add_status);
    std::size_t at = 0;
    for (const v2::Identifier& identifier : v2::parse_identifiers(identifiers).all) {
      const OsCode status = status_in(refused, identifier.request);
      if (status == OsCode::kSuccess) added.at(query).push_back(identifier.request);
      write_status(identifiers.subspan(at), status);
      at += v2::build_identifiers({&identifier.request, 1}).size();
    }
    if (spoils_identifiers) std::ranges::fill(identifiers, std::byte{});
    return 0;
  }
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override {
    const v2::CounterRequest request = v2::parse_identifiers(identifiers).all.at(0).request;
    const OsCode status = status_in(not_removed, request);
    if (remove_status == OsCode::kSuccess && status == OsCode::kSuccess)
      std::erase(added.at(query), request);
    write_status(identifiers, status);
    if (spoils_identifiers) std::ranges::fill(identifiers, std::byte{});
    return value_of(remove_status);
  }

  // What all open queries ask for.
  std::vector<v2::CounterRequest> requests() const {
    std::vector<v2::CounterRequest> all;
    for (const auto& [query, requested] : added)
      all.insert(all.end(), requested.begin(), requested.end());
    return all;
  }

 private:
  static OsCode status_in(const std::map<std::uint32_t, OsCode>& statuses,
                          const v2::CounterRequest& request) {
    const auto found = statuses.find(request.counter_id);
    return found == statuses.end() ? OsCode::kSuccess : found->second;
  }
  static void write_status(Bytes identifiers, OsCode status) {
    constexpr std::size_t kStatusAt = 16;  // in PERF_COUNTER_IDENTIFIER
    std::memcpy(identifiers.data() + kStatusAt, &status, sizeof status);
  }
  simulator::Bytes registered(const simulator::CountersetDefinition& set,
                              RegistrationInfo info) const {
    std::vector<std::pair<std::uint32_t, std::u16string>> names, helps;
    for (const simulator::CounterDefinition& counter : set.counters) {
      names.emplace_back(counter.id, counter.name);
      helps.emplace_back(counter.id, counter.help);
    }
    switch (info) {
      case RegistrationInfo::kCounterset:
        return simulator::counterset_info(set);
      case RegistrationInfo::kCounterEnglishNames:
      case RegistrationInfo::kCounterNames:
        return simulator::string_table(names);
      case RegistrationInfo::kCounterHelps:
        return simulator::string_table(helps);
      case RegistrationInfo::kCountersetEnglishName:
      case RegistrationInfo::kCountersetName:
        return simulator::text(set.name);
      case RegistrationInfo::kProviderName:
        return simulator::text(provider_name);
      case RegistrationInfo::kProviderGuid:
        return simulator::guid_bytes(set.guid);
      default:
        return simulator::text(set.help);
    }
  }
  std::vector<v2::CounterRequest> in_order_of_results(PerflibHandle query) const {
    const std::vector<v2::CounterRequest>& requested = added.at(query);
    return {requested.rbegin(), requested.rend()};
  }
  static std::uint32_t deliver(const simulator::Bytes& reply, Bytes buffer, std::uint32_t& actual) {
    actual = static_cast<std::uint32_t>(reply.size());
    if (reply.size() > buffer.size()) return value_of(OsCode::kNotEnoughMemory);
    std::ranges::copy(reply, buffer.begin());
    return 0;
  }

 public:
  PerflibClient source{*this, ""};  // of these functions; the last member, since it closes queries
};

}  // namespace winperf::testing
