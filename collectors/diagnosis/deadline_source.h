// Wraps another source and gives its queries a timeout: each query runs on a thread of its own, and
// the caller stops waiting for it when the time is over. A query can't be interrupted. Once one
// hangs in a provider, this object doesn't use the wrapped source again, and hung() returns true.
// The destructor waits for that query; a process that can't wait ends without running destructors
// (std::_Exit). The thread is never detached: winpthreads gives a detached thread's record to the
// next thread while the first one is still ending, and both fail. Errors, besides the wrapped
// source's: kTimedOut for the query that hangs (in milliseconds), kCancelled for later queries,
// which are not made. Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/sources/source.h"

namespace winperf {

class DeadlineSource final : public CounterSource {
 public:
  DeadlineSource(std::shared_ptr<CounterSource> inner, std::chrono::milliseconds timeout)
      : inner_(std::move(inner)), timeout_(timeout) {}

  bool hung() const { return hung_; }

  std::string machine() const override { return inner_->machine(); }
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override { return !hung_ && inner_->supports_metadata(); }
  std::uint64_t provider_generation() override { return hung_ ? 0 : inner_->provider_generation(); }
  void release() override {
    if (!hung_) inner_->release();
  }

 private:
  std::shared_ptr<CounterSource> inner_;
  std::chrono::milliseconds timeout_;
  bool hung_ = false;
  std::jthread asking_;  // the last member, so that it ends before what it uses
};

}  // namespace winperf
