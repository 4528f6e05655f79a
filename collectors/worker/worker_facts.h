// The facts about this machine, read by a worker process, because third-party code may block. The
// process ends while nothing is due for a while: the next one only has to read again what this one
// has kept. Errors, in addition to those of the source in the worker: those of Worker::call(), and
// those of parse_fact_text() and read_file_answer(). Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/facts/fact_source.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker.h"

namespace winperf::worker {

class WorkerFacts final : public FactSource {
 public:
  // A start costs as much CPU as some readings, so the process is kept for readings that are
  // closer.
  static constexpr std::chrono::seconds kWorthEnding{40};

  explicit WorkerFacts(WorkerOptions options) : now_(options.now), worker_(std::move(options)) {}

  [[nodiscard]] std::expected<FactTable, Error> read(const FactRequest& request,
                                                     const StopToken& stop) override;
  [[nodiscard]] std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                                           std::chrono::milliseconds time,
                                                           const StopToken& stop) override;
  bool rest_until(SteadyTime next) override;
  std::vector<WorkerView*> workers() override { return {&worker_}; }

 private:
  const std::function<SteadyTime()> now_;
  Worker worker_;
};

// A request for facts as text: the topic's name, and a folder in each further line. It doesn't
// select rows. Thread rule: pure functions.
std::string request_text(const FactRequest& request);
// Nothing if the topic is unknown.
[[nodiscard]] std::optional<FactRequest> parse_request_text(std::string_view text);

// How a request for a file, and its reply, are encoded between a worker and its parent.
//
// Request: `text` is the file's path, `numbers` are the offset and the number of bytes. Reply:
// `number` is the FileOutcome. A file that exists has two parts: its stamp, as plain memory, and
// the bytes. A refused file has one, a sentence. Validated: in the worker, the limit of bytes; in
// the parent, the outcome, the number of parts, their sizes, and that a sentence is UTF-8. Not
// validated: that stamp and bytes are those of the file. Errors: kWorkerReply with `where`
// "facts.read_file".
enum class FileOutcome : std::uint8_t { kHere, kAbsent, kRefused };

// Its text is that of the question.
Request file_request(const FileQuestion& question);
[[nodiscard]] std::expected<FileQuestion, Error> read_file_question(const Request& request);
void write_file_answer(ReplyWriter& reply, const std::expected<FileAnswer, Error>& answer);
[[nodiscard]] std::expected<FileAnswer, Error> read_file_answer(const Reply& reply,
                                                                const FileQuestion& question);

}  // namespace winperf::worker
