#include "collectors/capture/replay_perflib.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "collectors/base/os_code.h"
#include "collectors/capture/store.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf::capture {
namespace {

using Owned = std::vector<std::byte>;

constexpr auto code = [](OsCode value) { return static_cast<std::uint32_t>(value); };

// Copies the reply to the caller's buffer, or returns how large that has to be.
std::uint32_t deliver(std::span<const std::byte> reply, PerflibApi::Bytes buffer,
                      std::uint32_t& actual) {
  actual = static_cast<std::uint32_t>(reply.size());
  if (buffer.size() < reply.size()) return code(OsCode::kNotEnoughMemory);
  std::ranges::copy(reply, buffer.begin());
  return 0;
}

struct ResultCount {
  std::size_t results = 0;
  std::size_t end = v2::data_header::kBytes;  // of the last one
};

// Empty if the reply can't be parsed to its end.
std::optional<ResultCount> count_results(std::span<const std::byte> reply) {
  const auto data = v2::DataView::parse(reply);
  if (!data) return std::nullopt;
  ResultCount count;
  v2::ResultBytesWalk walk = data->result_bytes();
  while (const auto result = walk.next()) {
    if (!*result) return std::nullopt;
    ++count.results;
    count.end = static_cast<std::size_t>((*result)->offset()) + (*result)->size();
  }
  return count;
}

// PERF_ERROR_RETURN with a status.
Owned error_result(std::uint32_t status) {
  Owned result(v2::counter_header::kBytes);
  put(result, v2::counter_header::kStatus, status);
  put(result, v2::counter_header::kSize, static_cast<std::uint32_t>(result.size()));
  return result;
}

Owned empty_reply() {
  Owned reply(v2::data_header::kBytes);
  put(reply, v2::data_header::kTotalSize, static_cast<std::uint32_t>(reply.size()));
  return reply;
}

// Appends error results to the reply, which holds too few, until it has as many as are wanted.
void append_missing(Owned& reply, const ResultCount& held, std::size_t wanted) {
  reply.resize(held.end);
  const Owned missing = error_result(code(OsCode::kInvalidData));
  for (std::size_t i = held.results; i < wanted; ++i)
    reply.insert(reply.end(), missing.begin(), missing.end());
  put(reply, v2::data_header::kTotalSize, static_cast<std::uint32_t>(reply.size()));
  put(reply, v2::data_header::kNumCounters, static_cast<std::uint32_t>(wanted));
}

// How long an answer is, all zeros, that says no text, no table, no provider; 0 for what every
// counterset has. A log has no help, and no capture needs it.
std::size_t bytes_of_nothing(RegistrationInfo info) {
  switch (info) {
    case RegistrationInfo::kCountersetHelp:
    case RegistrationInfo::kProviderName:
      return sizeof(char16_t);
    case RegistrationInfo::kCounterHelps:
      return v2::string_header::kBytes;
    case RegistrationInfo::kProviderGuid:
      return Guid::kBytes;
    default:
      return 0;
  }
}

// The files of a capture.
class CapturedCountersets final : public V2Recording {
 public:
  CapturedCountersets(std::shared_ptr<const CaptureFolder> folder, std::uint32_t samples)
      : folder_(std::move(folder)), samples_(samples) {}

  std::uint32_t samples() const override { return samples_; }
  std::expected<Owned, Error> countersets() override {
    return folder_->read(kCountersets, "capture.v2_countersets");
  }
  std::expected<Owned, Error> order() override { return folder_->read(kOrder, "capture.v2_order"); }
  std::expected<Owned, Error> registration(const Guid& counterset, RegistrationInfo info,
                                           std::uint32_t argument) override {
    return folder_->read(registration_file(counterset, info, argument), "capture.v2_registration");
  }
  std::expected<Owned, Error> reply(std::uint32_t sample) override {
    return folder_->read(v2_data_file(sample), "capture.v2_data");
  }

 private:
  std::shared_ptr<const CaptureFolder> folder_;
  std::uint32_t samples_;
};

}  // namespace

std::unique_ptr<ReplayPerflib> ReplayPerflib::open(std::shared_ptr<const CaptureFolder> folder,
                                                   std::uint32_t samples) {
  return open(std::make_unique<CapturedCountersets>(std::move(folder), samples));
}

std::unique_ptr<ReplayPerflib> ReplayPerflib::open(std::unique_ptr<V2Recording> recording) {
  const auto guids = recording->countersets();
  if (!guids || guids->size() < Guid::kBytes) return nullptr;
  std::unique_ptr<ReplayPerflib> replay(new ReplayPerflib(std::move(recording)));
  replay->countersets_.resize(guids->size() / Guid::kBytes);
  for (std::size_t i = 0; i < replay->countersets_.size(); ++i)
    std::memcpy(replay->countersets_[i].bytes.data(), guids->data() + i * Guid::kBytes,
                Guid::kBytes);
  const auto order = replay->recording_->order();
  const auto identifiers =
      order ? v2::parse_identifiers(*order).all : std::vector<v2::Identifier>{};
  replay->recorded_results_ = static_cast<std::uint32_t>(identifiers.size());
  // Each result belongs to one counterset, and there are no more results than requests.
  std::set<std::uint32_t> taken;
  for (const v2::Identifier& identifier : identifiers)
    if (identifier.index < identifiers.size() && taken.insert(identifier.index).second)
      replay->order_.emplace(identifier.request.counterset, identifier.index);
  return replay;
}

std::uint32_t ReplayPerflib::enumerate_countersets(const std::u16string&, std::span<Guid> guids,
                                                   std::uint32_t& actual) {
  actual = static_cast<std::uint32_t>(countersets_.size());
  if (guids.size() < countersets_.size()) return code(OsCode::kNotEnoughMemory);
  std::ranges::copy(countersets_, guids.begin());
  return 0;
}

// The data itself names its instances.
std::uint32_t ReplayPerflib::enumerate_instances(const std::u16string&, const Guid&, Bytes,
                                                 std::uint32_t&) {
  return code(OsCode::kNotSupported);
}

std::uint32_t ReplayPerflib::query_registration(const std::u16string&, const Guid& counterset,
                                                RegistrationInfo info, std::uint32_t argument,
                                                Bytes buffer, std::uint32_t& actual) {
  const auto reply = recording_->registration(counterset, info, argument);
  if (reply) return deliver(*reply, buffer, actual);
  if (std::ranges::find(countersets_, counterset) == countersets_.end())
    return code(OsCode::kGuidNotFound);
  const std::size_t nothing = bytes_of_nothing(info);
  return nothing == 0 ? code(OsCode::kNotFound) : deliver(Owned(nothing), buffer, actual);
}

std::uint32_t ReplayPerflib::open_query(const std::u16string&, PerflibHandle& query) {
  query = PerflibHandle{next_handle_++};
  queries_[query];
  return 0;
}

std::uint32_t ReplayPerflib::close_query(PerflibHandle query) {
  return queries_.erase(query) == 1 ? 0 : code(OsCode::kInvalidParameter);
}

std::uint32_t ReplayPerflib::query_counter_info(PerflibHandle handle, Bytes buffer,
                                                std::uint32_t& actual) {
  const Query* const query = find(handle);
  if (query == nullptr) return code(OsCode::kInvalidParameter);
  std::vector<std::byte> reply;
  std::uint32_t added = recorded_results_;
  for (const v2::CounterRequest& request : query->requests) {
    auto block = v2::build_identifiers(std::span(&request, 1));
    const auto recorded = order_.find(request.counterset);
    put(block, v2::identifier::kIndex, recorded == order_.end() ? added++ : recorded->second);
    reply.insert(reply.end(), block.begin(), block.end());
  }
  return deliver(reply, buffer, actual);
}

std::uint32_t ReplayPerflib::query_counter_data(PerflibHandle handle, Bytes buffer,
                                                std::uint32_t& actual) {
  Query* const query = find(handle);
  if (query == nullptr) return code(OsCode::kInvalidParameter);
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
  if (query.next_sample >= recording_->samples()) return kEndOfData;
  const auto recorded = recording_->reply(query.next_sample);
  // A missing sample costs only itself, whereas a failed call would cost the handle.
  Owned answer = recorded ? Owned(recorded->begin(), recorded->end()) : empty_reply();
  const auto not_recorded = std::ranges::count_if(
      query.requests, [this](const auto& request) { return !order_.contains(request.counterset); });
  const std::size_t wanted = recorded_results_ + static_cast<std::size_t>(not_recorded);
  // A reply that can't be parsed stays as it was delivered; the reader reports what is wrong.
  if (const auto held = count_results(answer); held && held->results < wanted)
    append_missing(answer, *held, wanted);
  query.answer = std::move(answer);
  return 0;
}

std::uint32_t ReplayPerflib::add_counters(PerflibHandle handle, Bytes identifiers) {
  Query* const query = find(handle);
  if (query == nullptr) return code(OsCode::kInvalidParameter);
  std::size_t at = 0;
  for (const v2::Identifier& identifier : v2::parse_identifiers(identifiers).all) {
    const auto block = identifiers.subspan(at);
    const bool known =
        std::ranges::find(countersets_, identifier.request.counterset) != countersets_.end();
    put(block, v2::identifier::kStatus, known ? 0 : code(OsCode::kGuidNotFound));
    if (known) query->requests.push_back(identifier.request);
    query->extended = true;
    query->answer.clear();
    at += ByteView(block, "v2.identifier").get(v2::identifier::kSize);
  }
  return 0;
}

std::uint32_t ReplayPerflib::delete_counters(PerflibHandle handle, Bytes identifiers) {
  Query* const query = find(handle);
  if (query == nullptr) return code(OsCode::kInvalidParameter);
  for (const v2::Identifier& identifier : v2::parse_identifiers(identifiers).all)
    std::erase(query->requests, identifier.request);
  return 0;
}

ReplayPerflib::Query* ReplayPerflib::find(PerflibHandle handle) {
  const auto found = queries_.find(handle);
  return found == queries_.end() ? nullptr : &found->second;
}

}  // namespace winperf::capture
