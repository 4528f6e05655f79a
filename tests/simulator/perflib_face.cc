#include "tests/simulator/perflib_face.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "tests/simulator/codes.h"

namespace winperf::simulator {
// PERF_COUNTER_IDENTIFIER, field by field.
struct IdentifierBlock {
  std::byte* start;
  std::uint32_t size;

  std::uint32_t get(std::size_t offset) const {
    std::uint32_t value = 0;
    std::memcpy(&value, start + offset, sizeof value);
    return value;
  }
  void set(std::size_t offset, std::uint32_t value) const {
    std::memcpy(start + offset, &value, sizeof value);
  }
  std::u16string name() const {
    std::u16string name;
    for (std::size_t at = 40; at + 2 <= size; at += 2) {
      char16_t unit = 0;
      std::memcpy(&unit, start + at, sizeof unit);
      if (unit == 0) break;
      name += unit;
    }
    return name;
  }
};

namespace {

constexpr std::uint32_t kEnglish = 0x409;

// The blocks, or empty if they are corrupt.
std::optional<std::vector<IdentifierBlock>> blocks_in(std::span<std::byte> bytes) {
  std::vector<IdentifierBlock> blocks;
  while (!bytes.empty()) {
    if (bytes.size() < 40) return std::nullopt;
    IdentifierBlock block{bytes.data(), 0};
    block.size = block.get(20);
    if (block.size < 40 || block.size % 8 != 0 || block.size > bytes.size()) return std::nullopt;
    blocks.push_back(block);
    bytes = bytes.subspan(block.size);
  }
  return blocks;
}

bool is_multi(const CountersetDefinition& counterset) {
  return counterset.instance_type != v2::InstanceType::kSingle;
}

bool is_pattern(std::u16string_view name) {
  return name.find_first_of(u"*?") != std::u16string_view::npos;
}

}  // namespace

PerflibFace::~PerflibFace() = default;

bool PerflibFace::Request::operator<(const Request& other) const {
  // Not the order of adding, and not its reverse either.
  const auto key = [](const Request& request) {
    return std::tuple(request.counterset.bytes[15], request.counterset, request.mask.counter_id,
                      request.mask.instance_id, request.mask.instance_name);
  };
  return key(*this) < key(other);
}

PerflibFace::Calls PerflibFace::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::size_t PerflibFace::open_queries() const {
  const std::lock_guard lock(mutex_);
  return queries_.size();
}

std::vector<Mask> PerflibFace::masks() const {
  const std::lock_guard lock(mutex_);
  std::vector<Mask> masks;
  for (const auto& [handle, query] : queries_)
    for (const Request& request : query) masks.push_back(request.mask);
  return masks;
}

std::u16string PerflibFace::last_machine() const {
  const std::lock_guard lock(mutex_);
  return last_machine_;
}

std::uint32_t PerflibFace::answer(Point point, simulator::Bytes reply, Bytes buffer,
                                  std::uint32_t& actual) {
  const std::optional<Damage> damage = machine_.faults.damage(point, reply);
  actual = static_cast<std::uint32_t>(reply.size());
  if (damage == Damage::kGrowing) {
    actual = static_cast<std::uint32_t>(buffer.size() + 1);
    return kNotEnoughMemory;
  }
  if (reply.size() > buffer.size()) return kNotEnoughMemory;
  if (!reply.empty()) std::memcpy(buffer.data(), reply.data(), reply.size());
  if (damage == Damage::kOverrun) actual = static_cast<std::uint32_t>(buffer.size() + 8);
  return kSuccess;
}

std::uint32_t PerflibFace::enumerate_countersets(const std::u16string& machine,
                                                 std::span<Guid> guids, std::uint32_t& actual) {
  const std::lock_guard lock(mutex_);
  ++calls_.enumerate;
  last_machine_ = machine;
  if (const auto code = machine_.faults.code_for(Point::kEnumerateCountersets)) return *code;
  std::vector<Guid> known;
  for (const auto& provider : machine_.v2())
    for (const CountersetDefinition& counterset : provider->countersets())
      known.push_back(counterset.guid);
  actual = static_cast<std::uint32_t>(known.size());
  if (known.size() > guids.size()) return kNotEnoughMemory;
  std::ranges::copy(known, guids.begin());
  return kSuccess;
}

std::uint32_t PerflibFace::enumerate_instances(const std::u16string& machine,
                                               const Guid& counterset, Bytes buffer,
                                               std::uint32_t& actual) {
  const std::lock_guard lock(mutex_);
  ++calls_.instances;
  last_machine_ = machine;
  if (const auto code = machine_.faults.code_for(Point::kEnumerateInstances)) return *code;
  const auto found = machine_.find(counterset);
  if (!found) return kGuidNotFound;
  const auto instances = machine_.enumerate(*found, {});
  if (!instances) return instances.error();
  if (instances->empty()) return kInstanceNotFound;
  return answer(Point::kEnumerateInstances, instance_list(*instances), buffer, actual);
}

std::uint32_t PerflibFace::query_registration(const std::u16string& machine, const Guid& counterset,
                                              RegistrationInfo info, std::uint32_t argument,
                                              Bytes buffer, std::uint32_t& actual) {
  const std::lock_guard lock(mutex_);
  ++calls_.registration;
  last_machine_ = machine;
  if (const auto code = machine_.faults.code_for(Point::kRegistration)) return *code;
  const auto found = machine_.find(counterset);
  if (!found) return kGuidNotFound;
  simulator::Bytes reply;
  const std::uint32_t status = registration_bytes(*found, info, argument, reply);
  if (status != kSuccess) return status;
  return answer(Point::kRegistration, std::move(reply), buffer, actual);
}

std::uint32_t PerflibFace::registration_bytes(const Machine::Found& found, RegistrationInfo info,
                                              std::uint32_t argument,
                                              simulator::Bytes& reply) const {
  const CountersetDefinition& counterset = found.counterset;
  const bool by_language =
      info >= RegistrationInfo::kCountersetName && info <= RegistrationInfo::kCounterHelps;
  if (by_language && argument != 0 && argument != kEnglish) return kResourceLanguageNotFound;
  const bool is_local = by_language && argument == 0;
  const auto name_of = [is_local](const auto& definition) {
    return is_local && !definition.local_name.empty() ? definition.local_name : definition.name;
  };
  std::vector<std::pair<std::uint32_t, std::u16string>> names;
  std::vector<std::pair<std::uint32_t, std::u16string>> helps;
  for (const CounterDefinition& counter : counterset.counters) {
    names.emplace_back(counter.id, name_of(counter));
    helps.emplace_back(counter.id, counter.help);
  }
  switch (info) {
    case RegistrationInfo::kCounterset:
      reply = counterset_info(counterset);
      return kSuccess;
    case RegistrationInfo::kCounter:
      if (counterset.find(argument) == nullptr) return kItemNotFound;
      reply = counter_info(*counterset.find(argument));
      return kSuccess;
    case RegistrationInfo::kCountersetName:
      reply = text(name_of(counterset));
      return kSuccess;
    case RegistrationInfo::kCountersetEnglishName:
      reply = text(counterset.name);
      return kSuccess;
    case RegistrationInfo::kCountersetHelp:
      reply = text(counterset.help);
      return kSuccess;
    case RegistrationInfo::kCounterNames:
    case RegistrationInfo::kCounterEnglishNames:
      reply = string_table(names);
      return kSuccess;
    case RegistrationInfo::kCounterHelps:
      reply = string_table(helps, true);
      return kSuccess;
    case RegistrationInfo::kProviderName:
      reply = text(found.provider->name());
      return kSuccess;
    case RegistrationInfo::kProviderGuid:
      reply = guid_bytes(found.provider->guid());
      return kSuccess;
  }
  return kInvalidParameter;
}

std::uint32_t PerflibFace::open_query(const std::u16string& machine, PerflibHandle& query) {
  const std::lock_guard lock(mutex_);
  ++calls_.open;
  last_machine_ = machine;
  if (const auto code = machine_.faults.code_for(Point::kOpen)) return *code;
  query = PerflibHandle{next_handle_++};
  queries_[query];
  return kSuccess;
}

std::uint32_t PerflibFace::close_query(PerflibHandle query) {
  const std::lock_guard lock(mutex_);
  ++calls_.close;
  const auto found = queries_.find(query);
  if (found == queries_.end()) return kInvalidHandle;
  for (const Request& request : found->second)
    if (const auto set = machine_.find(request.counterset))
      set->provider->remove_counter(set->counterset, request.mask);
  queries_.erase(found);
  return kSuccess;
}

std::uint32_t PerflibFace::check(const Request& request) const {
  const auto found = machine_.find(request.counterset);
  if (!found) return kGuidNotFound;
  const CountersetDefinition& counterset = found->counterset;
  if (request.mask.counter_id != v2::kAllCounters &&
      counterset.find(request.mask.counter_id) == nullptr)
    return kItemNotFound;
  if (request.mask.instance_name.empty() == is_multi(counterset)) return kInvalidParameter;
  return kSuccess;
}

PerflibFace::Request PerflibFace::request_of(const IdentifierBlock& block) {
  Request request;
  std::memcpy(request.counterset.bytes.data(), block.start, Guid::kBytes);
  request.mask = {.counter_id = block.get(24),
                  .instance_id = block.get(28),
                  .instance_name = block.name(),
                  .many = !block.name().empty()};
  return request;
}

std::uint32_t PerflibFace::add_counters(PerflibHandle handle, Bytes identifiers) {
  const std::lock_guard lock(mutex_);
  ++calls_.add;
  if (const auto code = machine_.faults.code_for(Point::kAdd)) return *code;
  const auto query = queries_.find(handle);
  if (query == queries_.end()) return kInvalidHandle;
  const auto blocks = blocks_in(identifiers);
  if (!blocks || blocks->empty()) return kInvalidParameter;
  for (const IdentifierBlock& block : *blocks) {
    const Request request = request_of(block);
    std::uint32_t status = check(request);
    const auto place = std::lower_bound(query->second.begin(), query->second.end(), request);
    const bool known = place != query->second.end() && !(request < *place);
    if (status == kSuccess && known) status = kAlreadyExists;
    if (status == kSuccess) {
      const auto found = machine_.find(request.counterset);
      status = found->provider->add_counter(found->counterset, request.mask);
    }
    if (status == kSuccess) query->second.insert(place, request);
    block.set(16, status);
  }
  return kSuccess;
}

std::uint32_t PerflibFace::delete_counters(PerflibHandle handle, Bytes identifiers) {
  const std::lock_guard lock(mutex_);
  ++calls_.remove;
  if (const auto code = machine_.faults.code_for(Point::kDelete)) return *code;
  const auto query = queries_.find(handle);
  if (query == queries_.end()) return kInvalidHandle;
  const auto blocks = blocks_in(identifiers);
  if (!blocks || blocks->empty()) return kInvalidParameter;
  for (const IdentifierBlock& block : *blocks) {
    const Request request = request_of(block);
    const auto place = std::lower_bound(query->second.begin(), query->second.end(), request);
    const bool known = place != query->second.end() && !(request < *place);
    const std::uint32_t status =
        known ? machine_.faults.code_for(Point::kDeleteStatus).value_or(kSuccess)
              : kInvalidParameter;
    if (status == kSuccess) {
      if (const auto found = machine_.find(request.counterset))
        found->provider->remove_counter(found->counterset, place->mask);
      query->second.erase(place);
    }
    block.set(16, status);
  }
  return kSuccess;
}

std::uint32_t PerflibFace::query_counter_info(PerflibHandle handle, Bytes buffer,
                                              std::uint32_t& actual) {
  const std::lock_guard lock(mutex_);
  ++calls_.info;
  if (const auto code = machine_.faults.code_for(Point::kInfo)) return *code;
  const auto query = queries_.find(handle);
  if (query == queries_.end()) return kInvalidHandle;
  std::vector<v2::CounterRequest> requests;
  for (const Request& request : query->second)
    requests.push_back({.counterset = request.counterset,
                        .counter_id = request.mask.counter_id,
                        .instance_id = request.mask.instance_id,
                        .instance_name = request.mask.instance_name});
  simulator::Bytes reply = identifier_list(requests);
  return answer(Point::kInfo, std::move(reply), buffer, actual);
}

std::uint32_t PerflibFace::query_counter_data(PerflibHandle handle, Bytes buffer,
                                              std::uint32_t& actual) {
  if (machine_.spoiler) machine_.spoiler->before_perflib_data();
  const std::lock_guard lock(mutex_);
  ++calls_.data;
  if (const auto code = machine_.faults.code_for(Point::kData)) return *code;
  const auto query = queries_.find(handle);
  if (query == queries_.end()) return kInvalidHandle;
  const Moment moment(machine_);
  std::vector<simulator::Bytes> results;
  for (const Request& request : query->second) results.push_back(result_of(request));
  simulator::Bytes reply = data_reply(machine_.now(), results, machine_.v2_padding);
  if (!machine_.spoiler) return answer(Point::kData, std::move(reply), buffer, actual);
  const std::optional<std::uint32_t> status = machine_.spoiler->perflib_reply(reply);
  if (status) {
    actual = static_cast<std::uint32_t>(buffer.size() + 1);
    return *status;
  }
  return answer(Point::kData, std::move(reply), buffer, actual);
}

simulator::Bytes PerflibFace::result_of(const Request& request) const {
  const auto found = machine_.find(request.counterset);
  if (!found) return error_result(kGuidNotFound);
  const CountersetDefinition& counterset = found->counterset;
  auto rows = machine_.collect(*found, request.mask);
  // What no instance is active for says so, whatever the provider.
  if (!rows) return error_result(rows.error() == kInstanceNotFound ? kNoData : rows.error());
  if (machine_.spoiler) machine_.spoiler->instances(counterset.guid, *rows);
  for (InstanceValues& row : *rows) {
    bool hidden = false;
    for (std::size_t i = 0; i < row.values.size() && !hidden; ++i) {
      const auto told = machine_.faults.told(Lie::Path::kPerflib, counterset.guid,
                                             counterset.counters[i].id, row.name, row.values[i]);
      hidden = !told;
      row.values[i] = told.value_or(0);
    }
    if (hidden) row.values.clear();
  }
  std::erase_if(*rows, [](const InstanceValues& row) { return row.values.empty(); });
  if (rows->empty()) return error_result(kNoData);

  ResultTable table{.counterset = counterset,
                    .columns = {},
                    .rows = *std::move(rows),
                    .padding = machine_.v2_padding};
  for (std::size_t i = 0; i < counterset.counters.size(); ++i)
    if (request.mask.counter_id == v2::kAllCounters ||
        request.mask.counter_id == counterset.counters[i].id)
      table.columns.push_back(i);
  table.many_counters = request.mask.counter_id == v2::kAllCounters;
  // A single counter of one instance by its name comes without the instance.
  table.has_instances = is_multi(counterset) && (table.many_counters || table.rows.size() != 1 ||
                                                 is_pattern(request.mask.instance_name));
  simulator::Bytes result = table_result(table);
  if (machine_.spoiler) machine_.spoiler->perflib_result(counterset.guid, result);
  return result;
}

}  // namespace winperf::simulator
