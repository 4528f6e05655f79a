// The facts about this machine, read by a worker process, which may wait for other people's code.
// Errors, besides those of the source in the worker: those of Worker::call(), and those of
// parse_fact_text() and read_file_answer().
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/facts/fact_source.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker.h"

namespace winperf::worker {

class WorkerFacts final : public FactSource {
 public:
  explicit WorkerFacts(WorkerOptions options) : worker_(std::move(options)) {}

  [[nodiscard]] std::expected<FactTable, Error> read(const FactRequest& request,
                                                     const StopToken& stop) override;
  [[nodiscard]] std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                                           std::chrono::milliseconds time,
                                                           const StopToken& stop) override;
  std::vector<WorkerView*> workers() override { return {&worker_}; }

 private:
  Worker worker_;
};

// What a worker process is asked about facts, as text: the topic's name, and a folder in each
// further line. Which rows are wanted isn't said. Thread rule: pure functions.
std::string request_text(const FactRequest& request);
// Nothing if there is no such topic.
[[nodiscard]] std::optional<FactRequest> parse_request_text(std::string_view text);

// How a question about a file, and its answer, cross between a worker and its parent.
//
// Request: `text` is the file's path, `numbers` are the offset and how many bytes are wanted.
// Reply: `number` says what became of it (FileOutcome). A file that is here has two parts: its
// stamp, which both sides have as the same plain memory, and the bytes as they are. A file that is
// refused has one, a sentence.
// Validated: in the worker, that no more is asked than may be; in the parent, the outcome, how many
// parts there are, the size of each, and that a sentence is UTF-8. Not validated: that stamp and
// bytes are those of the file. Errors: kWorkerReply with `where` "facts.read_file".
enum class FileOutcome : std::uint8_t { kHere, kAbsent, kRefused };

// Its text is the question's.
Request file_request(const FileQuestion& question);
[[nodiscard]] std::expected<FileQuestion, Error> read_file_question(const Request& request);
void write_file_answer(ReplyWriter& reply, const std::expected<FileAnswer, Error>& answer);
[[nodiscard]] std::expected<FileAnswer, Error> read_file_answer(const Reply& reply,
                                                                const FileQuestion& question);

}  // namespace winperf::worker
