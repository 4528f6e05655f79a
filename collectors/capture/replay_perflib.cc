#include "collectors/capture/replay_perflib.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "collectors/capture/capture_files.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/v2/blocks.h"

namespace winperf::capture {
namespace {

constexpr auto code = [](PerflibCode value) { return static_cast<std::uint32_t>(value); };
// In PERF_COUNTER_IDENTIFIER.
constexpr std::size_t kStatusAt = 16;
constexpr std::size_t kSizeAt = 20;
constexpr std::size_t kIndexAt = 32;

// Into the caller's buffer, or says how large that has to be.
std::uint32_t deliver(std::span<const std::byte> reply, PerflibApi::Bytes buffer,
                      std::uint32_t& actual) {
  actual = static_cast<std::uint32_t>(reply.size());
  if (buffer.size() < reply.size()) return code(PerflibCode::kNotEnoughMemory);
  std::ranges::copy(reply, buffer.begin());
  return 0;
}

void put_u32(std::span<std::byte> bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// The results of a reply, each with its header; as far as their lengths lead.
std::vector<std::span<const std::byte>> results_of(std::span<const std::byte> reply) {
  std::vector<std::span<const std::byte>> results;
  std::size_t at = v2::kDataHeaderBytes;
  while (at <= reply.size() && reply.size() - at >= v2::kCounterHeaderBytes) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, reply.data() + at + 8, sizeof bytes);
    if (bytes < v2::kCounterHeaderBytes || bytes > reply.size() - at) break;
    results.push_back(reply.subspan(at, bytes));
    at += bytes;
  }
  return results;
}

// PERF_ERROR_RETURN with a status.
std::vector<std::byte> error_result(std::uint32_t status) {
  std::vector<std::byte> result(v2::kCounterHeaderBytes);
  put_u32(result, 0, status);
  put_u32(result, 8, static_cast<std::uint32_t>(result.size()));
  return result;
}

}  // namespace

std::unique_ptr<ReplayPerflib> ReplayPerflib::open(std::shared_ptr<const CaptureFolder> folder,
                                                   std::uint32_t samples) {
  const auto guids = folder->read(kCountersets, "capture.v2_countersets");
  if (!guids || guids->size() < Guid::kBytes) return nullptr;
  std::unique_ptr<ReplayPerflib> replay(new ReplayPerflib(folder, samples));
  replay->countersets_.resize(guids->size() / Guid::kBytes);
  for (std::size_t i = 0; i < replay->countersets_.size(); ++i)
    std::memcpy(replay->countersets_[i].bytes.data(), guids->data() + i * Guid::kBytes,
                Guid::kBytes);
  // A result is one counterset's: small files could otherwise become an answer of any size.
  std::set<std::uint32_t> taken;
  if (const auto order = folder->read(kOrder, "capture.v2_order"))
    for (const v2::Identifier& identifier : v2::parse_identifiers(*order).all)
      if (taken.insert(identifier.index).second)
        replay->order_.emplace(identifier.request.counterset, identifier.index);
  return replay;
}

std::uint32_t ReplayPerflib::enumerate_countersets(const std::u16string&, std::span<Guid> guids,
                                                   std::uint32_t& actual) {
  actual = static_cast<std::uint32_t>(countersets_.size());
  if (guids.size() < countersets_.size()) return code(PerflibCode::kNotEnoughMemory);
  std::ranges::copy(countersets_, guids.begin());
  return 0;
}

// They are in the data.
std::uint32_t ReplayPerflib::enumerate_instances(const std::u16string&, const Guid&, Bytes,
                                                 std::uint32_t&) {
  return code(PerflibCode::kNotSupported);
}

std::uint32_t ReplayPerflib::query_registration(const std::u16string&, const Guid& counterset,
                                                RegistrationInfo info, std::uint32_t argument,
                                                Bytes buffer, std::uint32_t& actual) {
  const auto reply =
      folder_->read(registration_file(counterset, info, argument), "capture.v2_registration");
  if (!reply) return code(PerflibCode::kGuidNotFound);
  return deliver(*reply, buffer, actual);
}

std::uint32_t ReplayPerflib::open_query(const std::u16string&, PerflibHandle& query) {
  query = PerflibHandle{next_handle_++};
  queries_[query];
  return 0;
}

std::uint32_t ReplayPerflib::close_query(PerflibHandle query) {
  return queries_.erase(query) == 1 ? 0 : code(PerflibCode::kInvalidParameter);
}

std::uint32_t ReplayPerflib::query_counter_info(PerflibHandle handle, Bytes buffer,
                                                std::uint32_t& actual) {
  const Query* const query = find(handle);
  if (query == nullptr) return code(PerflibCode::kInvalidParameter);
  std::vector<std::byte> reply;
  for (std::uint32_t i = 0; i < query->requests.size(); ++i) {
    auto block = v2::build_identifiers(std::span(&query->requests[i], 1));
    put_u32(block, kIndexAt, i);
    reply.insert(reply.end(), block.begin(), block.end());
  }
  return deliver(reply, buffer, actual);
}

std::uint32_t ReplayPerflib::query_counter_data(PerflibHandle handle, Bytes buffer,
                                                std::uint32_t& actual) {
  Query* const query = find(handle);
  if (query == nullptr) return code(PerflibCode::kInvalidParameter);
  if (query->extended && query->next_sample > 0) --query->next_sample;
  query->extended = false;
  if (query->answer.empty()) {
    if (const std::uint32_t failed = make_answer(*query); failed != 0) return failed;
  }
  const std::uint32_t result = deliver(query->answer, buffer, actual);
  if (result == 0) {
    query->answer.clear();
    ++query->next_sample;
  }
  return result;
}

std::uint32_t ReplayPerflib::make_answer(Query& query) const {
  if (query.next_sample >= samples_) return kEndOfData;
  auto reply = folder_->read(v2_data_file(query.next_sample), "capture.v2_data");
  // A sample that is not there costs itself alone: a call that fails would cost the handle.
  if (!reply || reply->size() < v2::kDataHeaderBytes) reply = Owned(v2::kDataHeaderBytes);
  const auto results = results_of(*reply);
  Owned answer(reply->begin(), reply->begin() + v2::kDataHeaderBytes);
  for (const v2::CounterRequest& request : query.requests) {
    const auto place = order_.find(request.counterset);
    const bool known = place != order_.end() && place->second < results.size();
    const Owned missing = error_result(code(PerflibCode::kNoData));
    const std::span<const std::byte> result = known ? results[place->second] : std::span(missing);
    answer.insert(answer.end(), result.begin(), result.end());
  }
  put_u32(answer, 0, static_cast<std::uint32_t>(answer.size()));
  put_u32(answer, 4, static_cast<std::uint32_t>(query.requests.size()));
  query.answer = std::move(answer);
  return 0;
}

std::uint32_t ReplayPerflib::add_counters(PerflibHandle handle, Bytes identifiers) {
  Query* const query = find(handle);
  if (query == nullptr) return code(PerflibCode::kInvalidParameter);
  std::size_t at = 0;
  for (const v2::Identifier& identifier : v2::parse_identifiers(identifiers).all) {
    const auto block = identifiers.subspan(at);
    const bool known =
        std::ranges::find(countersets_, identifier.request.counterset) != countersets_.end();
    put_u32(block, kStatusAt, known ? 0 : code(PerflibCode::kGuidNotFound));
    if (known) query->requests.push_back(identifier.request);
    query->extended = true;
    query->answer.clear();
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, block.data() + kSizeAt, sizeof bytes);
    at += bytes;
  }
  return 0;
}

std::uint32_t ReplayPerflib::delete_counters(PerflibHandle handle, Bytes identifiers) {
  Query* const query = find(handle);
  if (query == nullptr) return code(PerflibCode::kInvalidParameter);
  for (const v2::Identifier& identifier : v2::parse_identifiers(identifiers).all)
    std::erase(query->requests, identifier.request);
  return 0;
}

ReplayPerflib::Query* ReplayPerflib::find(PerflibHandle handle) {
  const auto found = queries_.find(handle);
  return found == queries_.end() ? nullptr : &found->second;
}

}  // namespace winperf::capture
