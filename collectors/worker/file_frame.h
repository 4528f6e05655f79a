// How a question about a file, and its answer, cross between a worker and its parent.
//
// Request: `text` is the file's path, `numbers` are the offset and how many bytes are wanted.
// Reply: `number` says what became of it (FileOutcome). A file that is here has two parts: its
// stamp, which both sides have as the same plain memory, and the bytes as they are. A file that is
// refused has one, a sentence.
// Validated: in the worker, that no more is asked than may be; in the parent, the outcome, how many
// parts there are, the size of each, and that a sentence is UTF-8. Not validated: that stamp and
// bytes are those of the file. Errors: kWorkerReply with `where` "facts.read_file".
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <expected>

#include "collectors/facts/file_question.h"
#include "collectors/model/error.h"
#include "collectors/worker/frame.h"

namespace winperf::worker {

enum class FileOutcome : std::uint8_t { kHere, kAbsent, kRefused };

// Its text is the question's.
Request file_request(const FileQuestion& question);
[[nodiscard]] std::expected<FileQuestion, Error> read_file_question(const Request& request);
void write_file_answer(ReplyWriter& reply, const std::expected<FileAnswer, Error>& answer);
[[nodiscard]] std::expected<FileAnswer, Error> read_file_answer(const Reply& reply,
                                                                const FileQuestion& question);

}  // namespace winperf::worker
