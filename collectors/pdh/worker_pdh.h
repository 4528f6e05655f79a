// PDH in a worker process: a PdhApi whose calls another process makes, since PDH loads every
// provider of the machine, and what that process answers.
//
// Request: `text` is a line with the call, and after it what the call is about as JSON
// (pdh_record.h). Reply: one part, JSON. Validated, in the parent: the number of parts, and all
// that pdh_record.h says. Errors: those of the worker's calls, of the part, and of pdh_record.h,
// with `where` "pdh.reply". A query that is open is lost with its worker: collect() then fails.
// Thread rule: one thread.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/pdh/pdh_api.h"
#include "collectors/worker/worker.h"

namespace winperf {

// In the worker: answers one request. Errors: those of the call; kBadText, with `where`
// "pdh.question".
[[nodiscard]] std::expected<std::string, Error> answer_pdh(PdhApi& pdh, std::string_view question);

// In its parent.
class WorkerPdh final : public PdhApi {
 public:
  // A call that a stop interrupts ends the worker.
  WorkerPdh(std::unique_ptr<worker::Worker> worker, StopToken stop)
      : worker_(std::move(worker)), stop_(std::move(stop)) {}

  [[nodiscard]] std::expected<std::vector<std::string>, Error> objects() override;
  [[nodiscard]] std::expected<PdhItems, Error> items(const PdhObject& object) override;
  [[nodiscard]] std::expected<std::vector<PdhDefinition>, Error> open(
      const PdhQuery& query) override;
  [[nodiscard]] std::expected<PdhCollection, Error> collect() override;
  void close() override;

  const WorkerState& state() const { return worker_->state(); }

 private:
  // `name`: of the call, by which its deadline and its rest after a loss are known.
  [[nodiscard]] std::expected<std::string, Error> ask(const std::string& question,
                                                      const std::string& name);

  std::unique_ptr<worker::Worker> worker_;
  StopToken stop_;
  std::string opened_;  // the object of the open query
};

}  // namespace winperf
