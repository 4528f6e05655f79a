// A worker process runs other people's code, so its parent believes nothing in the memory that they
// share: what is taken from it lies within it, and what an honest worker writes arrives as it is.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/utf8.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker_diagnosis.h"
#include "collectors/worker/worker_facts.h"
#include "collectors/worker/worker_source.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

using Part = std::expected<Input, Error>;

constexpr std::uint64_t kSequence = 0x0123'4567'89AB'CDEF;
constexpr std::size_t kPlaceBytes = 88;  // of one request of a set

// The memory that a worker has left, and which may have been anything before.
Input memory_of(Input bytes) {
  bytes.resize(std::max(bytes.size(), worker::kHeadBytes));
  return bytes;
}

// Where a reply's sequence is: where it is found in one that is known.
std::size_t sequence_offset() {
  static const std::size_t offset = [] {
    Input memory(worker::kHeadBytes);
    worker::ReplyWriter(memory, kSequence).finish();
    std::array<std::byte, sizeof kSequence> number{};
    std::memcpy(number.data(), &kSequence, sizeof kSequence);
    const auto found = std::ranges::search(memory, number);
    require(!found.empty(), "a reply has its sequence");
    return static_cast<std::size_t>(found.begin() - memory.begin());
  }();
  return offset;
}

std::uint64_t sequence_in(const Input& memory) {
  std::uint64_t sequence = 0;
  std::memcpy(&sequence, memory.data() + sequence_offset(), sizeof sequence);
  return sequence;
}

void set_sequence(Input& memory, std::uint64_t sequence) {
  std::memcpy(memory.data() + sequence_offset(), &sequence, sizeof sequence);
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

void check_error(const Error& error, std::string_view where, std::size_t memory_bytes) {
  require(error.code == ErrorCode::kWorkerReply && error.where == where,
          "what is no frame is the worker's error");
  require(error.offset <= memory_bytes, "a frame's error lies within the memory");
}

// Every byte, as its user does.
void read_wholly(std::span<const std::byte> part) {
  const Input copy(part.begin(), part.end());
  require(std::ranges::equal(copy, part), "a part can be copied");
}

void check_part(const std::expected<std::span<const std::byte>, Error>& part) {
  if (part) return read_wholly(*part);
  require(static_cast<std::size_t>(part.error().code) < kErrorCodeCount, "an error has a code");
  require(is_printable(part.error().where) && std::string_view(part.error().where).size() < 48,
          "an error's place is short and printable");
}

void check_reply(const Input& memory, std::uint64_t sequence) {
  const auto reply = worker::read_reply(memory, sequence);
  if (!reply) return check_error(reply.error(), "worker.reply", memory.size());
  require(sequence == sequence_in(memory), "a reply is the one that was awaited");
  require(reply->parts.size() <= worker::kMaxParts, "a reply has no more parts than it may");
  std::size_t end = worker::kHeadBytes;
  for (const auto& part : reply->parts) {
    if (part) {
      const auto begin = reinterpret_cast<std::uintptr_t>(part->data()) -
                         reinterpret_cast<std::uintptr_t>(memory.data());
      require(begin <= memory.size() && part->size() <= memory.size() - begin,
              "a part lies within the memory");
      require(begin >= end, "a part begins behind the one before it");
      end = begin + part->size();
    }
    check_part(part);
  }
}

// What a parent makes of it if it has asked for a part of a file.
void check_file_answer(const Input& memory, std::uint64_t sequence) {
  const auto reply = worker::read_reply(memory, sequence);
  if (!reply) return;
  const FileQuestion question{.file = "a.prom", .max_bytes = 40};
  const auto answer = worker::read_file_answer(*reply, question);
  if (!answer) return;
  require(answer->bytes.size() <= question.max_bytes, "no more comes than was asked for");
  require(answer->problem.size() <= kMaxFileProblem, "a refusal is a sentence");
  require(valid_bytes(answer->problem) == answer->problem.size(), "a refusal is a text");
  require(!answer->stamp || answer->problem.empty(), "a file is here, or refused");
  require(answer->stamp || answer->bytes.empty(), "only a file that is here has bytes");
  Input again(memory.size() + sizeof(FileStamp));
  worker::ReplyWriter writer(again, sequence);
  worker::write_file_answer(writer, answer);
  const auto written = worker::read_reply(again, sequence);
  require(written && worker::read_file_answer(*written, question) == answer,
          "an answer arrives as it was written");
}

// What a parent makes of it if it has asked for a diagnosis.
void check_diagnosis(const Input& memory, std::uint64_t sequence) {
  const auto reply = worker::read_reply(memory, sequence);
  if (!reply) return;
  const auto answer = worker::read_diagnosis(*reply);
  if (!answer) return;
  const bool is_refused = answer->outcome == worker::DiagnosisOutcome::kRefused;
  require(!is_refused || answer->text.size() <= worker::kMaxRefusal, "a refusal is short");
  require(!is_refused || valid_bytes(answer->text) == answer->text.size(), "a refusal is a text");
  Input again(memory.size() + sizeof(std::uint64_t));
  worker::ReplyWriter writer(again, sequence);
  worker::write_diagnosis(writer, *answer);
  const auto written = worker::read_reply(again, sequence);
  require(written && worker::read_diagnosis(*written)->text == answer->text,
          "an answer arrives as it was written");
}

// What a parent makes of its parts if it has asked PerfLib for a list, or for a set to be opened.
void check_perflib_answers(const Input& memory, std::uint64_t sequence) {
  const auto reply = worker::read_reply(memory, sequence);
  if (!reply) return;
  for (const auto& part : reply->parts) {
    if (!part) continue;
    const Input copy(part->begin(), part->end());
    if (const auto guids = worker::read_guids(copy))
      require(std::ranges::equal(std::as_bytes(std::span(*guids)), copy), "a list is its bytes");
    for (std::size_t count = 0; count <= copy.size() / kPlaceBytes + 1; ++count) {
      const auto places = worker::read_places(copy, count);
      require(!places || places->size() == count, "each request has a place");
      require(!places || count * kPlaceBytes == copy.size(), "no byte is left over");
      if (!places) continue;
      Input again(worker::kHeadBytes + copy.size());
      worker::ReplyWriter writer(again, sequence);
      worker::write_places(writer, *places);
      writer.finish();
      const auto written = worker::read_reply(again, sequence);
      require(written && worker::read_places(*written->parts.at(0), count) == places,
              "places arrive as they were written");
    }
  }
}

void check_marker(const Input& memory) {
  for (const std::string& module : worker::read_trace(memory))
    require(!module.empty() && module.size() <= worker::kMaxModuleName &&
                std::ranges::all_of(module, is_printable_ascii),
            "names of modules are short and printable");
  require(worker::read_trace(memory).size() <= worker::kMaxModules, "there are few modules");
  const worker::Marker marker = worker::read_marker(memory);
  const auto operation = static_cast<std::uint32_t>(marker.operation);
  require(marker.text.size() <= 200 && is_printable(marker.text),
          "a marker's text is short and printable");
  require(marker.busy ? operation >= 1 && operation <= worker::kLastOperation : operation == 0,
          "a marker's operation exists");
  require(marker.busy || (marker.text.empty() && marker.since == Ticks100ns{}),
          "an idle marker says nothing");
}

bool same(const worker::Request& a, const worker::Request& b) {
  return a.text == b.text && a.whose == b.whose && a.operation == b.operation &&
         a.sequence == b.sequence && a.time_ms == b.time_ms && a.numbers == b.numbers &&
         a.guid == b.guid;
}

void check_request(const Input& memory) {
  const auto request = worker::read_request(memory);
  if (!request) return check_error(request.error(), "worker.request", memory.size());
  require(request->text.size() + request->whose.size() <=
              std::min(worker::kMaxRequestBytes, memory.size() - worker::kHeadBytes),
          "a request's texts lie within the memory");
  Input copy(memory.size());
  require(worker::write_request(copy, *request).has_value(), "a request can be made again");
  if (const auto question = worker::read_file_question(*request))
    require(question->max_bytes <= kMaxFilePart, "no more is asked for than may be");
  const auto again = worker::read_request(copy);
  require(again && same(*request, *again), "a request arrives as it was made");
}

// A byte says how long the next part is, or that it is an error.
std::vector<Part> parts_of(std::span<const std::byte> bytes) {
  constexpr std::size_t kErrors = 16;  // one length of this many
  std::vector<Part> parts;
  while (!bytes.empty() && parts.size() < worker::kMaxParts) {
    const auto length = std::to_integer<std::size_t>(bytes.front());
    bytes = bytes.subspan(1);
    if (length % kErrors == 1) {
      parts.emplace_back(std::unexpected(Error{.code = static_cast<ErrorCode>(length / kErrors),
                                               .where = "worker.fuzz",
                                               .offset = bytes.size(),
                                               .actual = length,
                                               .limit = ~bytes.size(),
                                               .os_code = static_cast<std::uint32_t>(length)}));
      continue;
    }
    const auto part = bytes.first(std::min(length, bytes.size()));
    parts.emplace_back(Input(part.begin(), part.end()));
    bytes = bytes.subspan(part.size());
  }
  return parts;
}

bool same(const std::expected<std::span<const std::byte>, Error>& read, const Part& written) {
  if (read.has_value() != written.has_value()) return false;
  return read ? std::ranges::equal(*read, *written) : read.error() == written.error();
}

void write_reply(Input& memory, const std::vector<Part>& parts, std::uint64_t sequence) {
  worker::ReplyWriter writer(memory, sequence);
  for (const Part& part : parts) {
    if (part) {
      writer.add(*part);
    } else {
      writer.add(part.error());
    }
  }
  writer.finish(~sequence);
}

// Written over what was in the memory before, and as large as the memory has to be for that.
void check_round_trip(const Input& memory) {
  const auto parts = parts_of(memory);
  std::size_t end = worker::kHeadBytes;
  for (const Part& part : parts)
    if (part) end += (part->size() + 7) / 8 * 8;
  Input shared = memory;
  shared.resize(end);
  const std::uint64_t sequence = sequence_in(memory);
  write_reply(shared, parts, sequence);
  check_reply(shared, sequence);
  const auto reply = worker::read_reply(shared, sequence);
  require(reply && reply->number == ~sequence &&
              std::ranges::equal(reply->parts, parts,
                                 [](const auto& a, const auto& b) { return same(a, b); }),
          "a reply arrives as it was written");
}

// The same in the memory as it is, where some parts may have no place.
void check_in_small_memory(Input memory) {
  const auto parts = parts_of(std::span(memory).subspan(worker::kHeadBytes));
  write_reply(memory, parts, kSequence);
  check_reply(memory, kSequence);
  const auto reply = worker::read_reply(memory, kSequence);
  require(reply && reply->parts.size() == parts.size(), "a reply has a part for each");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& part = reply->parts[i];
    require(same(part, parts[i]) || (!part && part.error().code == ErrorCode::kBufferLimit),
            "a part without a place is an error");
  }
}

Input bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

Input memory_with(const worker::Request& request, const std::vector<Part>& parts,
                  std::size_t room) {
  Input memory(worker::kHeadBytes + room);
  require(worker::write_request(memory, request).has_value(), "a seed's request can be made");
  worker::write_marker(memory, request, {.ticks = 1});
  if (!parts.empty()) write_reply(memory, parts, request.sequence);
  return memory;
}

// A worker that was asked for a part of a file.
Input file_memory(const FileAnswer& answer) {
  Input memory = memory_with(worker::file_request({.file = "a.prom", .max_bytes = 40}), {}, 128);
  worker::ReplyWriter writer(memory, 0);
  worker::write_file_answer(writer, answer);
  return memory;
}

// A worker that was asked to open a set.
Input set_memory(const worker::Request& request, const std::vector<ResultPlace>& places) {
  Input memory = memory_with(request, {}, 512);
  worker::ReplyWriter writer(memory, request.sequence);
  worker::write_places(writer, places);
  writer.finish();
  return memory;
}

}  // namespace

std::vector<Input> seeds() {
  using worker::Operation;
  const Error error{.code = ErrorCode::kTimedOut, .where = "registry.query", .os_code = 170};
  const Part text = bytes_of("a name table, which is longer than the request");
  return {
      Input(worker::kHeadBytes),
      memory_with({.operation = Operation::kQuery, .sequence = 1, .text = "238 2"}, {}, 32),
      memory_with({.operation = Operation::kQuery, .sequence = 2, .text = "238"}, {text}, 64),
      memory_with({.operation = Operation::kTextTables, .sequence = 3, .numbers = {1, 1}},
                  {text, std::unexpected(error), Input{}, bytes_of("odd"), text}, 120),
      memory_with({.operation = Operation::kTextTables, .sequence = 4},
                  std::vector<Part>(worker::kMaxParts, bytes_of("four")), 61),
      memory_with({.operation = Operation::kEnumerateCountersets, .sequence = 5},
                  {bytes_of("two GUIDs of sixteen bytes each.")}, 64),
      memory_with({.operation = Operation::kEnumerateInstances, .sequence = 6, .whose = "m"},
                  {text}, 64),
      memory_with({.operation = Operation::kQueryRegistration, .sequence = 7, .numbers = {9, 0}},
                  {std::unexpected(error)}, 64),
      set_memory({.operation = Operation::kOpenSet,
                  .sequence = 8,
                  .numbers = {1},
                  .text = "identifiers, as many bytes as two of them have",
                  .whose = "m"},
                 {1U, std::unexpected(error), std::nullopt}),
      memory_with({.operation = Operation::kCollectSet, .sequence = 9, .numbers = {1}}, {text}, 64),
      memory_with({.operation = Operation::kCloseSet, .sequence = 10, .numbers = {1}}, {}, 64),
      file_memory({.stamp = FileStamp{.number = 7}, .bytes = bytes_of("a 1\n")}),
      file_memory({.problem = "it is not a regular file"}),
      file_memory({}),
      memory_with({.operation = Operation::kDiagnose, .sequence = 11}, {bytes_of("{}")}, 64),
  };
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  fuzz::Input memory = fuzz::memory_of(fuzz::copy_of(data, size));
  const std::uint64_t sequence = fuzz::sequence_in(memory);
  fuzz::check_reply(memory, sequence);
  fuzz::check_reply(memory, sequence + 1);
  fuzz::check_file_answer(memory, sequence);
  fuzz::check_diagnosis(memory, sequence);
  fuzz::check_perflib_answers(memory, sequence);
  fuzz::check_marker(memory);
  fuzz::check_request(memory);
  fuzz::check_round_trip(memory);
  fuzz::check_in_small_memory(memory);
  // An honest worker's sequence with everything else as it was found.
  fuzz::set_sequence(memory, fuzz::kSequence);
  fuzz::check_reply(memory, fuzz::kSequence);
  fuzz::check_file_answer(memory, fuzz::kSequence);
  fuzz::check_diagnosis(memory, fuzz::kSequence);
  fuzz::check_perflib_answers(memory, fuzz::kSequence);
  return 0;
}
