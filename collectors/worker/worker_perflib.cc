#include "collectors/worker/worker_perflib.h"

#include <algorithm>
#include <functional>
#include <string>

#include "collectors/base/hex.h"
#include "collectors/base/os_code.h"

namespace winperf::worker {
namespace {

constexpr unsigned kGenerationAt = 32;  // a bit of a handle
static_assert(sizeof(PerflibHandle) == 8);

std::uint64_t number_of(PerflibHandle query) {
  return static_cast<std::uint64_t>(query) & 0xFFFF'FFFFU;
}

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string bytes_of(const std::u16string& text) {
  return {reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char16_t)};
}

std::string bytes_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::uint32_t WorkerPerflib::call(Request request, std::string_view call, Bytes buffer,
                                  std::uint32_t& actual) {
  loss_.reset();
  const auto reply = link_->call(std::move(request), call, stop_);
  if (!reply) {
    loss_ = reply.error();
    return value_of(OsCode::kProcessAborted);
  }
  actual = static_cast<std::uint32_t>(reply->number);
  if (OsCode{reply->os_code} != OsCode::kSuccess || buffer.empty()) return reply->os_code;
  std::ranges::copy(*reply->parts.front(), buffer.begin());
  return reply->os_code;
}

bool WorkerPerflib::is_of_this_worker(PerflibHandle query) const {
  return link_->worker().is_running() &&
         static_cast<std::uint64_t>(query) >> kGenerationAt == link_->worker().state().starts;
}

std::uint32_t WorkerPerflib::call_with(PerflibHandle query, Request request, Bytes buffer,
                                       std::uint32_t& actual) {
  loss_.reset();
  if (!is_of_this_worker(query)) return value_of(OsCode::kInvalidHandle);
  request.handle = number_of(query);
  request.room = buffer.size();
  const std::string name = where_of(request.operation) + (" " + hex(wishes_[query]));
  return call(std::move(request), name, buffer, actual);
}

std::uint32_t WorkerPerflib::enumerate_countersets(const std::u16string& machine,
                                                   std::span<Guid> guids, std::uint32_t& actual) {
  const Request request{.operation = Operation::kEnumerateCountersets,
                        .room = guids.size_bytes(),
                        .text = bytes_of(machine)};
  return call(request, where_of(request.operation), std::as_writable_bytes(guids), actual);
}

std::uint32_t WorkerPerflib::enumerate_instances(const std::u16string& machine,
                                                 const Guid& counterset, Bytes buffer,
                                                 std::uint32_t& actual) {
  const Request request{.operation = Operation::kEnumerateInstances,
                        .room = buffer.size(),
                        .guid = counterset,
                        .text = bytes_of(machine)};
  return call(request, where_of(request.operation), buffer, actual);
}

std::uint32_t WorkerPerflib::query_registration(const std::u16string& machine,
                                                const Guid& counterset, RegistrationInfo info,
                                                std::uint32_t argument, Bytes buffer,
                                                std::uint32_t& actual) {
  const Request request{.operation = Operation::kQueryRegistration,
                        .room = buffer.size(),
                        .numbers = {static_cast<std::uint32_t>(info), argument},
                        .guid = counterset,
                        .text = bytes_of(machine)};
  return call(request, where_of(request.operation), buffer, actual);
}

std::uint32_t WorkerPerflib::open_query(const std::u16string& machine, PerflibHandle& query) {
  const Request request{.operation = Operation::kOpenQuery, .text = bytes_of(machine)};
  std::uint32_t number = 0;
  const std::uint32_t os_code = call(request, where_of(request.operation), {}, number);
  query = PerflibHandle{link_->worker().state().starts << kGenerationAt | number};
  std::erase_if(wishes_, [this](const auto& wish) { return !is_of_this_worker(wish.first); });
  wishes_[query] = 0;
  return os_code;
}

std::uint32_t WorkerPerflib::close_query(PerflibHandle query) {
  std::uint32_t ignored = 0;
  const std::uint32_t os_code =
      call_with(query, {.operation = Operation::kCloseQuery}, {}, ignored);
  wishes_.erase(query);
  return os_code;
}

std::uint32_t WorkerPerflib::query_counter_info(PerflibHandle query, Bytes buffer,
                                                std::uint32_t& actual) {
  return call_with(query, {.operation = Operation::kQueryCounterInfo}, buffer, actual);
}

std::uint32_t WorkerPerflib::query_counter_data(PerflibHandle query, Bytes buffer,
                                                std::uint32_t& actual) {
  return call_with(query, {.operation = Operation::kQueryCounterData}, buffer, actual);
}

std::uint32_t WorkerPerflib::add_counters(PerflibHandle query, Bytes identifiers) {
  std::uint32_t ignored = 0;
  const std::uint64_t wish = hash_of(identifiers);  // before the system writes into them
  const std::uint32_t os_code =
      call_with(query, {.operation = Operation::kAddCounters, .whose = bytes_of(identifiers)},
                identifiers, ignored);
  if (OsCode{os_code} == OsCode::kSuccess) wishes_[query] += wish;
  return os_code;
}

std::uint32_t WorkerPerflib::delete_counters(PerflibHandle query, Bytes identifiers) {
  std::uint32_t ignored = 0;
  const std::uint64_t wish = hash_of(identifiers);
  const std::uint32_t os_code =
      call_with(query, {.operation = Operation::kDeleteCounters, .whose = bytes_of(identifiers)},
                identifiers, ignored);
  if (OsCode{os_code} == OsCode::kSuccess) wishes_[query] -= wish;
  return os_code;
}

}  // namespace winperf::worker
