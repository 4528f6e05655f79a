#include "collectors/worker/trace.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf::worker {
namespace {

void write_count(std::span<std::byte> shared, std::uint32_t count) {
  std::memcpy(shared.subspan(kTraceAt + offsetof(TraceFrame, count), sizeof count).data(), &count,
              sizeof count);
}

}  // namespace

TraceWriter::TraceWriter(std::span<std::byte> shared) : shared_(shared) { clear_trace(shared); }

void TraceWriter::add(std::string_view module) {
  module = module.substr(0, kMaxModuleName);
  if (module.empty() || count_ == kMaxModules) return;
  for (const auto& name : std::span(frame_.names).first(count_))
    if (module == name.data()) return;
  module.copy(frame_.names.at(count_).data(), kMaxModuleName);
  ++count_;
}

void TraceWriter::finish() {
  std::memcpy(shared_.subspan(kTraceAt, sizeof frame_).data(), &frame_, sizeof frame_);
  write_count(shared_, count_);
}

std::vector<std::string> read_trace(std::span<const std::byte> shared) {
  TraceFrame frame;
  std::memcpy(&frame, shared.subspan(kTraceAt, sizeof frame).data(), sizeof frame);
  std::vector<std::string> modules;
  const auto count = std::min<std::size_t>(frame.count, kMaxModules);
  for (const auto& name : std::span(frame.names).first(count)) {
    const auto end = std::ranges::find(name, '\0');
    if (end == name.end() || end == name.begin()) return {};
    std::string module(name.begin(), end);
    std::ranges::replace_if(module, std::not_fn(is_printable_ascii), '?');
    modules.push_back(std::move(module));
  }
  return modules;
}

void clear_trace(std::span<std::byte> shared) { write_count(shared, 0); }

}  // namespace winperf::worker
