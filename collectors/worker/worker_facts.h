// The facts about this machine, read by a worker process, which may wait for other people's code.
// Errors, besides those of the source in the worker: those of Worker::call(), and those of
// parse_fact_text() and file_frame.h.
// Thread rule: one thread.
#pragma once

#include "collectors/facts/fact_source.h"
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

}  // namespace winperf::worker
