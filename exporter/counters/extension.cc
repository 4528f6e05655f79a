#include "exporter/counters/extension.h"

#include "exporter/counters/section_view.h"
#include "exporter/counters/v1_query.h"
#include "exporter/counters/v1_reply.h"

namespace winperf::own {
namespace {

// Win32 errors.
constexpr std::uint32_t kErrorSuccess = 0;
constexpr std::uint32_t kErrorFileNotFound = 2;
constexpr std::uint32_t kErrorMoreData = 234;

constexpr std::uint64_t kReportEvery = 5 * 60 * 1000;  // milliseconds
// A state is written once a second or less often; reading it takes microseconds.
constexpr int kAttempts = 4;

// What one call of Collect is to find out while the section is mapped.
struct CollectCall {
  V1Request request{};
  std::span<std::byte> room{};
  V1Reply reply{};
  SectionState section = SectionState::kSound;
  std::uint64_t layout = 0;
};

bool is_of_now(std::int64_t written_at, std::int64_t now) {
  // As unsigned numbers, of which the difference can't overflow.
  const std::uint64_t age =
      static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(written_at);
  constexpr auto kOldest = static_cast<std::uint64_t>(kOldestState);
  return age + kOldest <= 2 * kOldest;
}

void collect_from(CollectCall& call, std::span<const Word> words) {
  const SectionView view(words);
  call.section = view.state();
  if (call.section == SectionState::kOtherLayout)
    call.layout = words[static_cast<std::size_t>(Head::kLayout)].load(std::memory_order_acquire);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto state = view.newest();
    if (!state) return;
    if (!is_of_now(state->written_at(), call.request.now)) {
      if (state->is_whole()) return;
      continue;
    }
    const V1Reply reply = write_v1_reply(view, *state, call.request, call.room);
    if (reply.outcome == ReplyOutcome::kChanged) continue;
    if (reply.outcome == ReplyOutcome::kDamaged)
      call.section = SectionState::kDamaged;
    else
      call.reply = reply;
    return;
  }
}

}  // namespace

std::uint32_t Extension::open() {
  TitleIndices indices;
  const std::uint32_t error = surroundings_.read_indices(surroundings_.context, indices);
  if (error != kErrorSuccess) {
    report(Trouble::kNotRegistered, error);
    return error;
  }
  // Also when it is open already: they are those of the registration that is in force.
  indices_.store(std::uint64_t{indices.first_help} << 32 | indices.first_counter,
                 std::memory_order_release);
  users_.fetch_add(1, std::memory_order_acq_rel);
  return kErrorSuccess;
}

std::uint32_t Extension::close() {
  std::uint32_t users = users_.load(std::memory_order_acquire);
  while (users != 0 && !users_.compare_exchange_weak(users, users - 1, std::memory_order_acq_rel)) {
  }
  return kErrorSuccess;
}

std::uint32_t Extension::collect(const char16_t* query, void** data, std::uint32_t* bytes,
                                 std::uint32_t* objects) {
  const std::uint32_t room = bytes == nullptr ? 0 : *bytes;
  if (bytes != nullptr) *bytes = 0;
  if (objects != nullptr) *objects = 0;
  if (data == nullptr || bytes == nullptr || objects == nullptr) return kErrorSuccess;
  if (users_.load(std::memory_order_acquire) == 0) return kErrorSuccess;
  const std::uint64_t indices = indices_.load(std::memory_order_acquire);
  CollectCall call;
  call.request.indices = {.first_counter = static_cast<std::uint32_t>(indices),
                          .first_help = static_cast<std::uint32_t>(indices >> 32)};
  call.request.query = read_v1_query(query, call.request.indices.first_counter);
  if (!call.request.query.wants_anything()) return kErrorSuccess;
  if (*data != nullptr) call.room = {static_cast<std::byte*>(*data), room};
  call.request.now = surroundings_.now(surroundings_.context);
  const std::uint32_t error = surroundings_.with_section(
      surroundings_.context,
      [](void* of_use, std::span<const Word> words) {
        collect_from(*static_cast<CollectCall*>(of_use), words);
      },
      &call);
  if (error != kErrorSuccess && error != kErrorFileNotFound) report(Trouble::kSection, error);
  if (call.section == SectionState::kOtherLayout)
    report(Trouble::kOtherLayout, static_cast<std::uint32_t>(call.layout));
  if (call.section == SectionState::kDamaged) report(Trouble::kDamaged, 0);
  if (call.reply.outcome == ReplyOutcome::kTooSmall) return kErrorMoreData;
  if (call.reply.bytes == 0) return kErrorSuccess;
  *data = static_cast<std::byte*>(*data) + call.reply.bytes;
  *bytes = call.reply.bytes;
  *objects = call.reply.objects;
  return kErrorSuccess;
}

void Extension::report(Trouble trouble, std::uint32_t detail) {
  std::atomic<std::uint64_t>& reported = reported_[static_cast<std::size_t>(trouble)];
  const std::uint64_t now = surroundings_.tick(surroundings_.context) + 1;
  std::uint64_t last = reported.load(std::memory_order_acquire);
  // Another thread may have reported at a later tick than `now`.
  if (last != 0 && (now <= last || now - last < kReportEvery)) return;
  // Where two threads are here at once, one of them reports.
  if (!reported.compare_exchange_strong(last, now, std::memory_order_acq_rel)) return;
  surroundings_.report(surroundings_.context, trouble, detail);
}

}  // namespace winperf::own
