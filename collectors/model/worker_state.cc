#include "collectors/model/worker_state.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "collectors/base/hex.h"

namespace winperf {

std::string_view name_of(ProviderStanding standing) {
  static constexpr std::array<std::string_view, kProviderStandingCount> kNames{
      "new", "trusted", "probation", "quarantine", "shared"};
  return kNames.at(static_cast<std::size_t>(standing));
}

namespace {

struct EndInfo {
  WorkerEnd end;
  std::string_view name;
  std::string_view sentence;
};

constexpr std::array<EndInfo, kWorkerEndCount> kEnds{{
    {WorkerEnd::kCrashed, "crashed", "crashed"},
    {WorkerEnd::kExited, "exited", "exited"},
    {WorkerEnd::kTimedOut, "timed_out", "was terminated because it did not answer in time"},
    {WorkerEnd::kMemory, "memory", "was terminated because it used too much memory"},
    {WorkerEnd::kHandles, "handles", "was terminated because it had too many handles"},
    {WorkerEnd::kThreads, "threads", "was terminated because it had too many threads"},
    {WorkerEnd::kBadReply, "bad_reply", "was terminated because its reply was lost or damaged"},
    {WorkerEnd::kStartLate, "start_late", "was terminated because it did not start in time"},
}};

static_assert(std::ranges::adjacent_find(kEnds, std::ranges::greater_equal{}, &EndInfo::end) ==
              kEnds.end());

const EndInfo& info_of(WorkerEnd end) { return kEnds.at(static_cast<std::size_t>(end)); }

std::string numbers_of(WorkerEnd end, const Error& error) {
  if (error.code == ErrorCode::kWorkerCrashed) return crash_text(error.os_code);
  if (error.code == ErrorCode::kWorkerExited) return "exit code " + std::to_string(error.os_code);
  if (error.actual == 0 && error.limit == 0) return {};
  const bool is_time = end == WorkerEnd::kTimedOut || end == WorkerEnd::kStartLate;
  const std::string unit = is_time ? " ms" : end == WorkerEnd::kMemory ? " bytes" : "";
  return std::to_string(error.actual) + unit + ", limit " + std::to_string(error.limit) + unit;
}

}  // namespace

std::string_view name_of(WorkerEnd end) { return info_of(end).name; }

std::uint64_t lost_processes(const WorkerState& state) {
  return std::accumulate(state.ends.begin(), state.ends.end(), std::uint64_t{});
}

std::string describe(const WorkerTrace& trace) {
  constexpr std::size_t kSaid = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(trace.modules.size(), kSaid); ++i)
    text += (i == 0 ? "" : i == 1 ? ", called by " : ", ") + trace.modules[i];
  return text;
}

std::string describe(const WorkerEvent& event) {
  if (!event.end) return "answers " + event.call + " again";
  std::string text = "process " + std::to_string(event.process_id) + ' ' +
                     std::string(info_of(*event.end).sentence);
  if (event.was_starting) {
    text += event.end == WorkerEnd::kStartLate ? "" : " before it was ready";
  } else {
    text += event.call.empty() ? " while idle" : " during " + event.call;
  }
  const std::string numbers = event.error ? numbers_of(*event.end, *event.error) : std::string();
  if (!numbers.empty()) text += " (" + numbers + ')';
  const std::string where = describe(WorkerTrace{.modules = event.modules, .error = {}});
  return where.empty() ? text : text + " in " + where;
}

}  // namespace winperf
