#include "collectors/capture/replay_perflib.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "collectors/base/os_code.h"
#include "collectors/capture/recorder.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::capture {
namespace {

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

Bytes empty_reply() {
  Bytes reply(v2::data_header::kBytes);
  put(reply, v2::data_header::kTotalSize, static_cast<std::uint32_t>(reply.size()));
  return reply;
}

// Appends error results to the reply, which holds too few, until it has as many as are wanted.
void append_missing(Bytes& reply, const ResultCount& held, std::size_t wanted) {
  reply.resize(held.end);
  const Bytes missing = v2::error_result(value_of(OsCode::kInvalidData));
  for (std::size_t i = held.results; i < wanted; ++i)
    reply.insert(reply.end(), missing.begin(), missing.end());
  put(reply, v2::data_header::kTotalSize, static_cast<std::uint32_t>(reply.size()));
  put(reply, v2::data_header::kNumCounters, static_cast<std::uint32_t>(wanted));
}

// The length of an all-zero answer that means no text, table or provider; 0 for information that
// every counterset has. Logs have no help texts, and captures don't need them.
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
  std::expected<Bytes, Error> countersets() override {
    return folder_->read(kCountersets, "capture.v2_countersets");
  }
  std::expected<Bytes, Error> order() override { return folder_->read(kOrder, "capture.v2_order"); }
  std::expected<Bytes, Error> registration(const Guid& counterset, RegistrationInfo info,
                                           std::uint32_t argument) override {
    return folder_->read(registration_file(counterset, info, argument), "capture.v2_registration");
  }
  std::expected<Bytes, Error> reply(std::uint32_t sample) override {
    return folder_->read(v2_data_file(sample), "capture.v2_data");
  }

 private:
  std::shared_ptr<const CaptureFolder> folder_;
  std::uint32_t samples_;
};

class ReplayPerflib final : public PerflibSource {
 public:
  // `guids`: those that the recording has.
  ReplayPerflib(std::unique_ptr<V2Recording> recording, std::span<const std::byte> guids)
      : recording_(std::move(recording)), countersets_(guids.size() / Guid::kBytes) {
    for (std::size_t i = 0; i < countersets_.size(); ++i)
      std::memcpy(countersets_[i].bytes.data(), guids.data() + i * Guid::kBytes, Guid::kBytes);
    const auto order = recording_->order();
    const auto identifiers =
        order ? v2::parse_identifiers(*order).all : std::vector<v2::Identifier>{};
    recorded_results_ = static_cast<std::uint32_t>(identifiers.size());
    // Each result belongs to one counterset, and there are no more results than requests.
    std::set<std::uint32_t> taken;
    for (const v2::Identifier& identifier : identifiers)
      if (identifier.index < identifiers.size() && taken.insert(identifier.index).second)
        order_.emplace(identifier.request.counterset, identifier.index);
  }

  std::expected<std::vector<Guid>, Error> countersets() override { return countersets_; }
  // The data contains the instance names.
  std::expected<Bytes, Error> instances(const Guid&) override {
    return failure(OsCode::kNotSupported, "perflib.enumerate_instances");
  }
  std::expected<Bytes, Error> registration(const Guid& counterset, RegistrationInfo info,
                                           std::uint32_t argument) override {
    constexpr const char* kWhere = "perflib.query_registration";
    if (auto reply = recording_->registration(counterset, info, argument)) return reply;
    if (!has(counterset)) return failure(OsCode::kGuidNotFound, kWhere);
    const std::size_t nothing = bytes_of_nothing(info);
    if (nothing != 0) return Bytes(nothing);
    return failure(OsCode::kNotFound, kWhere);
  }
  PerflibSet new_set() override { return PerflibSet{++last_set_}; }
  std::expected<std::vector<ResultPlace>, Error> open(
      PerflibSet set, std::span<const v2::CounterRequest> requests) override;
  std::expected<Bytes, Error> collect(PerflibSet set) override;
  void close(PerflibSet set) override { sets_.erase(set); }

 private:
  struct Set {
    std::vector<v2::CounterRequest> requests{};
    std::uint32_t next_sample = 0;
  };

  static std::unexpected<Error> failure(OsCode code, const char* where) {
    return std::unexpected(perflib_error(value_of(code), where));
  }
  bool has(const Guid& counterset) const {
    return std::ranges::find(countersets_, counterset) != countersets_.end();
  }

  std::unique_ptr<V2Recording> recording_;
  std::vector<Guid> countersets_;
  std::map<Guid, std::uint32_t> order_;  // place of the counterset's result in a recorded reply
  std::uint32_t recorded_results_ = 0;   // in a reply: as many as were requested
  std::map<PerflibSet, Set> sets_;
  std::uint32_t last_set_ = 0;
};

std::expected<std::vector<ResultPlace>, Error> ReplayPerflib::open(
    PerflibSet key, std::span<const v2::CounterRequest> requests) {
  Set& set = sets_[key];
  std::vector<v2::CounterRequest> known;
  std::vector<ResultPlace> places;
  std::uint32_t added = recorded_results_;
  bool is_extended = false;
  for (const v2::CounterRequest& request : requests) {
    if (!has(request.counterset)) {
      places.emplace_back(failure(OsCode::kGuidNotFound, "perflib.add_counters"));
      continue;
    }
    const auto recorded = order_.find(request.counterset);
    places.emplace_back(recorded == order_.end() ? added++ : recorded->second);
    is_extended |= std::ranges::find(set.requests, request) == set.requests.end();
    known.push_back(request);
  }
  set.requests = std::move(known);
  if (is_extended && set.next_sample > 0) --set.next_sample;
  return places;
}

std::expected<Bytes, Error> ReplayPerflib::collect(PerflibSet key) {
  constexpr const char* kWhere = "perflib.query_counter_data";
  const auto found = sets_.find(key);
  if (found == sets_.end()) return failure(OsCode::kInvalidHandle, kWhere);
  Set& set = found->second;
  if (set.next_sample >= recording_->samples()) {
    sets_.erase(found);
    return std::unexpected(perflib_error(kEndOfData, kWhere));
  }
  // Empty for a missing sample, because an error would close the set.
  Bytes answer = recording_->reply(set.next_sample++).value_or(empty_reply());
  const auto not_recorded = std::ranges::count_if(
      set.requests, [this](const auto& request) { return !order_.contains(request.counterset); });
  const std::size_t wanted = recorded_results_ + static_cast<std::size_t>(not_recorded);
  // A reply that can't be parsed is passed on unchanged; the reader reports its error.
  if (const auto held = count_results(answer); held && held->results < wanted)
    append_missing(answer, *held, wanted);
  return answer;
}

}  // namespace

std::unique_ptr<PerflibSource> replay_perflib(std::unique_ptr<V2Recording> recording) {
  const auto guids = recording->countersets();
  if (!guids || guids->size() < Guid::kBytes) return nullptr;
  return std::make_unique<ReplayPerflib>(std::move(recording), *guids);
}

std::unique_ptr<PerflibSource> replay_perflib(std::shared_ptr<const CaptureFolder> folder,
                                              std::uint32_t samples) {
  return replay_perflib(std::make_unique<CapturedCountersets>(std::move(folder), samples));
}

}  // namespace winperf::capture
