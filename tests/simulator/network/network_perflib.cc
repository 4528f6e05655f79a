#include "tests/simulator/network/network_perflib.h"

#include "collectors/wire/text.h"
#include "tests/simulator/codes.h"

namespace winperf::simulator {

std::expected<PerflibApi*, std::uint32_t> NetworkPerflib::api_of(const std::u16string& machine) {
  if (machine.empty()) return &local_;
  Host& host = network_.host(to_utf8(machine));
  const std::uint32_t refusal = host.meet(false);
  if (refusal == kBadNetworkPath) return std::unexpected(kServerUnavailable);
  if (refusal != kSuccess) return std::unexpected(refusal);
  if (!host.has_perflib()) return std::unexpected(kEndpointNotRegistered);
  return &host.perflib();
}

std::uint32_t NetworkPerflib::enumerate_countersets(const std::u16string& machine,
                                                    std::span<Guid> guids, std::uint32_t& actual) {
  const auto api = api_of(machine);
  return api ? (*api)->enumerate_countersets(machine, guids, actual) : api.error();
}

std::uint32_t NetworkPerflib::enumerate_instances(const std::u16string& machine,
                                                  const Guid& counterset, Bytes buffer,
                                                  std::uint32_t& actual) {
  const auto api = api_of(machine);
  return api ? (*api)->enumerate_instances(machine, counterset, buffer, actual) : api.error();
}

std::uint32_t NetworkPerflib::query_registration(const std::u16string& machine,
                                                 const Guid& counterset, RegistrationInfo info,
                                                 std::uint32_t argument, Bytes buffer,
                                                 std::uint32_t& actual) {
  const auto api = api_of(machine);
  return api ? (*api)->query_registration(machine, counterset, info, argument, buffer, actual)
             : api.error();
}

std::uint32_t NetworkPerflib::open_query(const std::u16string& machine, PerflibHandle& query) {
  const auto api = api_of(machine);
  if (!api) return api.error();
  Opened opened{.api = *api,
                .host = machine.empty() ? nullptr : &network_.host(to_utf8(machine)),
                .query = {}};
  const std::uint32_t status = opened.api->open_query(machine, opened.query);
  if (status != kSuccess) return status;
  const std::lock_guard lock(mutex_);
  query = PerflibHandle{next_++};
  queries_[query] = opened;
  return kSuccess;
}

std::expected<NetworkPerflib::Opened, std::uint32_t> NetworkPerflib::opened(PerflibHandle query,
                                                                            bool is_query) {
  Opened opened;
  {
    const std::lock_guard lock(mutex_);
    const auto found = queries_.find(query);
    if (found == queries_.end()) return std::unexpected(kInvalidHandle);
    opened = found->second;
  }
  // Without the lock: it may never come back.
  const std::uint32_t refusal = opened.host == nullptr ? kSuccess : opened.host->meet(is_query);
  if (refusal != kSuccess) return std::unexpected(refusal);
  return opened;
}

std::uint32_t NetworkPerflib::close_query(PerflibHandle query) {
  const auto known = opened(query, false);
  if (!known) return known.error();
  {
    const std::lock_guard lock(mutex_);
    queries_.erase(query);
  }
  return known->api->close_query(known->query);
}

std::uint32_t NetworkPerflib::query_counter_info(PerflibHandle query, Bytes buffer,
                                                 std::uint32_t& actual) {
  const auto known = opened(query, false);
  return known ? known->api->query_counter_info(known->query, buffer, actual) : known.error();
}

std::uint32_t NetworkPerflib::query_counter_data(PerflibHandle query, Bytes buffer,
                                                 std::uint32_t& actual) {
  const auto known = opened(query, true);
  return known ? known->api->query_counter_data(known->query, buffer, actual) : known.error();
}

std::uint32_t NetworkPerflib::add_counters(PerflibHandle query, Bytes identifiers) {
  const auto known = opened(query, false);
  return known ? known->api->add_counters(known->query, identifiers) : known.error();
}

std::uint32_t NetworkPerflib::delete_counters(PerflibHandle query, Bytes identifiers) {
  const auto known = opened(query, false);
  return known ? known->api->delete_counters(known->query, identifiers) : known.error();
}

}  // namespace winperf::simulator
