#include "collectors/worker/frame.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/file_failure.h"

namespace winperf::worker {
namespace {

constexpr const char* kUnknownPlace = "worker";

}  // namespace

ErrorFrame frame_of(const Error& error) {
  ErrorFrame frame{.code = static_cast<std::uint32_t>(error.code),
                   .os_code = error.os_code,
                   .offset = error.offset,
                   .actual = error.actual,
                   .limit = error.limit,
                   .where = {}};
  std::string_view(error.where).copy(frame.where.data(), frame.where.size() - 1);
  return frame;
}

std::optional<Error> read_error(const ErrorFrame& frame) {
  if (frame.code >= kErrorCodeCount) return std::nullopt;
  const auto end = std::ranges::find(frame.where, '\0');
  const std::string_view where = end == frame.where.end()
                                     ? std::string_view(kUnknownPlace)
                                     : std::string_view(frame.where.begin(), end);
  return Error{.code = static_cast<ErrorCode>(frame.code),
               .where = kept_text(where, kUnknownPlace),
               .offset = frame.offset,
               .actual = frame.actual,
               .limit = frame.limit,
               .os_code = frame.os_code};
}

namespace {

constexpr std::uint32_t kMagic = 0x46575057;  // "WPWF"
constexpr std::uint32_t kVersion = 4;
constexpr std::size_t kAlignment = 8;  // of a part
constexpr std::size_t kMarkerText = 200;

// Both sides are the same executable on the same machine, so the frames are plain structures.
struct RequestFrame {
  std::uint32_t magic, version;
  std::uint64_t sequence;
  std::uint64_t time_ms;
  std::uint32_t operation;
  std::array<std::uint32_t, 2> numbers;
  std::uint32_t text_bytes, whose_bytes;
  Guid guid;
};

struct PartFrame {
  std::uint64_t bytes;
  std::uint32_t failed;  // 0 if it has bytes
  ErrorFrame error;
};

struct ReplyFrame {
  std::uint32_t magic, version;
  std::uint64_t sequence;
  std::uint64_t number;
  std::uint64_t nanoseconds;
  std::uint32_t part_count;
  std::array<PartFrame, kMaxParts> parts;
};

struct MarkerFrame {
  std::uint32_t busy;
  std::uint32_t operation;
  std::int64_t since;
  std::uint32_t text_bytes;
  std::array<char, kMarkerText> text;
};

struct UpFrame {
  std::uint32_t magic, version;
};

struct Head {
  RequestFrame request;
  ReplyFrame reply;
  MarkerFrame marker;
  UpFrame up;
  std::uint32_t side_effects;  // by the call that was replied to
};
static_assert(std::is_trivially_copyable_v<Head> && sizeof(Head) <= kTraceAt);

template <class Frame>
Frame read(std::span<const std::byte> shared, std::size_t at) {
  Frame frame;
  std::memcpy(&frame, shared.subspan(at, sizeof frame).data(), sizeof frame);
  return frame;
}

template <class Frame>
void write(std::span<std::byte> shared, std::size_t at, const Frame& frame) {
  std::memcpy(shared.subspan(at, sizeof frame).data(), &frame, sizeof frame);
}

constexpr std::size_t aligned(std::size_t at) {
  return (at + kAlignment - 1) / kAlignment * kAlignment;
}

std::unexpected<Error> wrong(const char* where, std::size_t offset, std::uint64_t actual,
                             std::uint64_t limit) {
  return std::unexpected(Error{.code = ErrorCode::kWorkerReply,
                               .where = where,
                               .offset = offset,
                               .actual = actual,
                               .limit = limit});
}

constexpr const char* kReply = "worker.reply";
constexpr const char* kRequest = "worker.request";

}  // namespace

std::string text_of(std::span<const std::byte> bytes) {
  std::string copy(bytes.size(), '\0');
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(copy)).begin());
  return copy;
}

const char* where_of(Operation operation) {
  static constexpr std::array<const char*, kLastOperation + 1> kPlaces{
      "worker",
      "registry.query",
      "registry.text_tables",
      "remote.inspect",
      "remote.release",
      "worker.end",
      "perflib.enumerate_countersets",
      "perflib.enumerate_instances",
      "perflib.query_registration",
      "perflib.open_query",
      "perflib.query_counter_data",
      "perflib.close_query",
      "facts.read",
      "facts.read_file",
      "doctor.diagnose",
      "pdh.ask"};
  return kPlaces.at(std::min(static_cast<std::uint32_t>(operation), kLastOperation));
}

std::expected<void, Error> write_request(std::span<std::byte> shared, const Request& request) {
  const std::size_t bytes = request.text.size() + request.whose.size();
  const std::size_t room = std::min(kMaxRequestBytes, shared.size() - kHeadBytes);
  if (bytes > room)
    return std::unexpected(Error{
        .code = ErrorCode::kLimitExceeded, .where = kRequest, .actual = bytes, .limit = room});
  write(shared, offsetof(Head, request),
        RequestFrame{.magic = kMagic,
                     .version = kVersion,
                     .sequence = request.sequence,
                     .time_ms = request.time_ms,
                     .operation = static_cast<std::uint32_t>(request.operation),
                     .numbers = request.numbers,
                     .text_bytes = static_cast<std::uint32_t>(request.text.size()),
                     .whose_bytes = static_cast<std::uint32_t>(request.whose.size()),
                     .guid = request.guid});
  write(shared, offsetof(Head, reply), ReplyFrame{});
  write(shared, offsetof(Head, side_effects), std::uint32_t{0});
  const auto end =
      std::ranges::copy(std::as_bytes(std::span(request.text)), shared.subspan(kHeadBytes).begin())
          .out;
  std::ranges::copy(std::as_bytes(std::span(request.whose)), end);
  return {};
}

std::expected<Request, Error> read_request(std::span<const std::byte> shared) {
  const auto frame = read<RequestFrame>(shared, offsetof(Head, request));
  if (frame.magic != kMagic) return wrong(kRequest, offsetof(Head, request), frame.magic, kMagic);
  if (frame.version != kVersion)
    return wrong(kRequest, offsetof(Head, request), frame.version, kVersion);
  if (frame.operation == 0 || frame.operation > kLastOperation)
    return wrong(kRequest, offsetof(Head, request), frame.operation, kLastOperation);
  const std::uint64_t bytes = std::uint64_t{frame.text_bytes} + frame.whose_bytes;
  const std::size_t room = std::min(kMaxRequestBytes, shared.size() - kHeadBytes);
  if (bytes > room) return wrong(kRequest, kHeadBytes, bytes, room);

  return Request{
      .operation = static_cast<Operation>(frame.operation),
      .sequence = frame.sequence,
      .time_ms = frame.time_ms,
      .numbers = frame.numbers,
      .guid = frame.guid,
      .text = text_of(shared.subspan(kHeadBytes, frame.text_bytes)),
      .whose = text_of(shared.subspan(kHeadBytes + frame.text_bytes, frame.whose_bytes))};
}

std::expected<Reply, Error> read_reply(std::span<const std::byte> shared, std::uint64_t sequence) {
  constexpr std::size_t kAt = offsetof(Head, reply);
  const auto frame = read<ReplyFrame>(shared, kAt);
  if (frame.magic != kMagic) return wrong(kReply, kAt, frame.magic, kMagic);
  if (frame.version != kVersion) return wrong(kReply, kAt, frame.version, kVersion);
  if (frame.sequence != sequence) return wrong(kReply, kAt, frame.sequence, sequence);
  if (frame.part_count > kMaxParts) return wrong(kReply, kAt, frame.part_count, kMaxParts);

  constexpr std::uint64_t kLongest = std::chrono::nanoseconds::max().count();
  Reply reply{
      .number = frame.number,
      .took = std::chrono::nanoseconds(std::min(frame.nanoseconds, kLongest)),
      .side_effects = read<std::uint32_t>(shared, offsetof(Head, side_effects)) & kAllSideEffects,
      .parts = {},
      .end = kHeadBytes};
  std::size_t at = kHeadBytes;
  for (const PartFrame& part : std::span(frame.parts).first(frame.part_count)) {
    if (part.failed != 0) {
      const auto error = read_error(part.error);
      if (!error) return wrong(kReply, kAt, part.error.code, kErrorCodeCount);
      reply.parts.emplace_back(std::unexpected(*error));
      continue;
    }
    const std::size_t left = shared.size() - at;
    if (part.bytes > left) return wrong(kReply, at, part.bytes, left);
    reply.parts.emplace_back(shared.subspan(at, static_cast<std::size_t>(part.bytes)));
    reply.end = at + static_cast<std::size_t>(part.bytes);
    at = std::min(aligned(at + static_cast<std::size_t>(part.bytes)), shared.size());
  }
  return reply;
}

bool is_up(std::span<const std::byte> shared) {
  const auto frame = read<UpFrame>(shared, offsetof(Head, up));
  return frame.magic == kMagic && frame.version == kVersion;
}

void write_up(std::span<std::byte> shared) {
  write(shared, offsetof(Head, up), UpFrame{.magic = kMagic, .version = kVersion});
}

Marker read_marker(std::span<const std::byte> shared) {
  const auto frame = read<MarkerFrame>(shared, offsetof(Head, marker));
  if (frame.busy != 1 || frame.operation == 0 || frame.operation > kLastOperation ||
      frame.text_bytes > kMarkerText)
    return {};
  std::string text(frame.text.data(), frame.text_bytes);
  std::ranges::replace_if(text, std::not_fn(is_printable_ascii), '?');
  return {.busy = true,
          .operation = static_cast<Operation>(frame.operation),
          .text = std::move(text),
          .since = {frame.since}};
}

void write_marker(std::span<std::byte> shared, const Request& request, Ticks100ns now) {
  MarkerFrame frame{.busy = 1,
                    .operation = static_cast<std::uint32_t>(request.operation),
                    .since = now.ticks,
                    .text_bytes = 0,
                    .text = {}};
  frame.text_bytes = static_cast<std::uint32_t>(request.text.copy(frame.text.data(), kMarkerText));
  write(shared, offsetof(Head, marker), frame);
}

void clear_marker(std::span<std::byte> shared) {
  write(shared, offsetof(Head, marker), MarkerFrame{});
}

void write_time(std::span<std::byte> shared, std::chrono::nanoseconds took,
                std::uint32_t side_effects) {
  auto frame = read<ReplyFrame>(shared, offsetof(Head, reply));
  frame.nanoseconds = static_cast<std::uint64_t>(took.count());
  write(shared, offsetof(Head, reply), frame);
  write(shared, offsetof(Head, side_effects), side_effects);
}

ReplyRoom ReplyWriter::room() const {
  if (!commit_) return shared_.subspan(at_);
  return {shared_.subspan(at_),
          [commit = commit_, at = at_](std::size_t bytes) { return commit(at + bytes); }};
}

void ReplyWriter::add_filled(std::size_t bytes) {
  parts_.push_back({.bytes = bytes});
  at_ = std::min(aligned(at_ + bytes), shared_.size());
}

void ReplyWriter::add(std::span<const std::byte> bytes) {
  const std::size_t left = shared_.size() - at_;
  if (bytes.size() > left || (commit_ && !commit_(at_ + bytes.size()))) {
    add(Error{
        .code = ErrorCode::kBufferLimit, .where = kReply, .actual = bytes.size(), .limit = left});
    return;
  }
  std::ranges::copy(bytes, shared_.subspan(at_).begin());
  add_filled(bytes.size());
}

void ReplyWriter::add(const Error& error) {
  parts_.push_back({.bytes = 0, .result = std::unexpected(error)});
}

void ReplyWriter::finish(std::uint64_t number) {
  ReplyFrame frame{.magic = kMagic,
                   .version = kVersion,
                   .sequence = sequence_,
                   .number = number,
                   .nanoseconds = 0,
                   .part_count = static_cast<std::uint32_t>(std::min(parts_.size(), kMaxParts)),
                   .parts = {}};
  for (std::size_t i = 0; i < frame.part_count; ++i) {
    const Part& part = parts_[i];
    frame.parts.at(i) = {.bytes = part.bytes,
                         .failed = part.result ? 0U : 1U,
                         .error = part.result ? ErrorFrame{} : frame_of(part.result.error())};
  }
  write(shared_, offsetof(Head, reply), frame);
}

std::string describe_side_effects(std::uint32_t bits) {
  constexpr std::pair<SideEffect, std::string_view> kAll[]{
      {SideEffect::kFloatingPoint, "a changed floating-point unit"},
      {SideEffect::kIdentity, "an impersonation token"},
      {SideEffect::kHeap, "a damaged heap"}};
  std::string text;
  for (const auto& [what, words] : kAll) {
    if ((bits & static_cast<std::uint32_t>(what)) == 0) continue;
    text += text.empty() ? "left " : ", ";
    text += words;
  }
  return text;
}

namespace {

constexpr std::size_t kCountAt = kTraceAt + offsetof(TraceFrame, count);
constexpr std::size_t kIsWholeAt = kTraceAt + offsetof(TraceFrame, is_whole);

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
  write(shared_, kTraceAt, frame_);
  write(shared_, kCountAt, count_);
}

void TraceWriter::finish() {
  publish();
  write(shared_, kIsWholeAt, std::uint32_t{1});
}

bool is_trace_whole(std::span<const std::byte> shared) {
  return read<std::uint32_t>(shared, kIsWholeAt) != 0;
}

std::vector<std::string> read_trace(std::span<const std::byte> shared) {
  const auto frame = read<TraceFrame>(shared, kTraceAt);
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
  write(shared, kIsWholeAt, std::uint32_t{0});
  write(shared, kCountAt, std::uint32_t{0});
}

}  // namespace winperf::worker
