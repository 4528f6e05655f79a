#include "collectors/worker/trace.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf::worker {
namespace {

void write_word(std::span<std::byte> shared, std::size_t at, std::uint32_t word) {
  std::memcpy(shared.subspan(kTraceAt + at, sizeof word).data(), &word, sizeof word);
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

void TraceWriter::publish() {
  std::memcpy(shared_.subspan(kTraceAt, sizeof frame_).data(), &frame_, sizeof frame_);
  write_word(shared_, offsetof(TraceFrame, count), count_);
}

void TraceWriter::finish() {
  publish();
  write_word(shared_, offsetof(TraceFrame, is_whole), 1);
}

bool is_trace_whole(std::span<const std::byte> shared) {
  std::uint32_t is_whole = 0;
  std::memcpy(&is_whole,
              shared.subspan(kTraceAt + offsetof(TraceFrame, is_whole), sizeof is_whole).data(),
              sizeof is_whole);
  return is_whole != 0;
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

void clear_trace(std::span<std::byte> shared) {
  write_word(shared, offsetof(TraceFrame, is_whole), 0);
  write_word(shared, offsetof(TraceFrame, count), 0);
}

}  // namespace winperf::worker
