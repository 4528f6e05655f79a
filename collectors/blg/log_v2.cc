#include "collectors/blg/log_v2.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "collectors/base/os_code.h"
#include "collectors/blg/format.h"
#include "collectors/blg/sample_record.h"
#include "collectors/blg/v2_records.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::blg {
namespace {

Bytes owned(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

void append(Bytes& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

Bytes error_result(OsCode status) {
  Bytes result(v2::counter_header::kBytes);
  put(result, v2::counter_header::kStatus, value_of(status));
  put(result, v2::counter_header::kSize, static_cast<std::uint32_t>(result.size()));
  return result;
}

// The results of one sample, put together to a reply.
class ReplyBuilder {
 public:
  explicit ReplyBuilder(std::size_t countersets) : results_(countersets) {}

  void add(std::size_t counterset, const std::expected<V2Reply, Error>& reply) {
    Bytes& result = results_[counterset];
    if (!result.empty()) return;
    result = reply ? owned(reply->result) : error_result(OsCode::kInvalidData);
    if (reply && header_.empty()) header_ = owned(reply->header);
  }

  Bytes finish() && {
    Bytes reply = std::move(header_);
    reply.resize(v2::data_header::kBytes);
    for (const Bytes& result : results_)
      append(reply, result.empty() ? error_result(OsCode::kGuidNotFound) : result);
    put(reply, v2::data_header::kTotalSize, static_cast<std::uint32_t>(reply.size()));
    put(reply, v2::data_header::kNumCounters, static_cast<std::uint32_t>(results_.size()));
    return reply;
  }

 private:
  Bytes header_;
  std::vector<Bytes> results_;
};

}  // namespace

std::unique_ptr<V2Recording> LogV2::of(std::shared_ptr<OpenLog> log) {
  if (log->index.countersets.empty()) return nullptr;
  return std::unique_ptr<V2Recording>(new LogV2(std::move(log)));
}

std::uint32_t LogV2::samples() const {
  return static_cast<std::uint32_t>(log_->index.samples.size());
}

std::expected<Bytes, Error> LogV2::countersets() {
  Bytes guids;
  for (const LoggedRegistration& counterset : log_->index.countersets)
    append(guids, std::as_bytes(std::span(counterset.guid.bytes)));
  return guids;
}

std::expected<Bytes, Error> LogV2::order() {
  Bytes identifiers;
  std::uint32_t index = 0;
  for (const LoggedRegistration& counterset : log_->index.countersets) {
    const v2::CounterRequest request{.counterset = counterset.guid};
    Bytes block = v2::build_identifiers(std::span(&request, 1));
    put(block, v2::identifier::kIndex, index++);
    append(identifiers, block);
  }
  return identifiers;
}

std::expected<Bytes, Error> LogV2::registration(const Guid& counterset, RegistrationInfo info,
                                                std::uint32_t) {
  const auto& all = log_->index.countersets;
  const auto found = std::ranges::find(all, counterset, &LoggedRegistration::guid);
  if (found != all.end()) {
    switch (info) {
      case RegistrationInfo::kCounterset:
        return found->registration;
      case RegistrationInfo::kCounterNames:
      case RegistrationInfo::kCounterEnglishNames:
        return found->counter_names;
      case RegistrationInfo::kCountersetName:
      case RegistrationInfo::kCountersetEnglishName:
        return found->name_bytes;
      case RegistrationInfo::kCountersetHelp:
      case RegistrationInfo::kProviderName:
      case RegistrationInfo::kCounterHelps:
      case RegistrationInfo::kProviderGuid:
      case RegistrationInfo::kCounter:
        break;
    }
  }
  return std::unexpected(Error{.code = ErrorCode::kNoSuchFile, .where = "log.registration"});
}

std::expected<Bytes, Error> LogV2::reply(std::uint32_t sample) {
  const auto record = log_->read_sample(sample);
  if (!record) return std::unexpected(record.error());
  const LogLayout& layout = log_->index.layouts[log_->index.samples[sample]->layout];
  auto items = ItemWalk::over((*record)->bytes());
  if (!items) return std::unexpected(items.error());
  ReplyBuilder reply(log_->index.countersets.size());
  for (std::size_t number = 0; const auto item = items->next(); ++number) {
    if (!*item) return std::unexpected(item->error());
    if ((*item)->kind != static_cast<std::uint8_t>(ItemKind::kV2Reply)) continue;
    const auto counterset = layout.counterset_of(number);
    if (counterset) reply.add(*counterset, read_v2_reply((*item)->body));
  }
  return std::move(reply).finish();
}

}  // namespace winperf::blg
