// Gives the queries of another source a time limit: each runs on a thread of its own and is
// abandoned when its time is over. A query can't be interrupted, so after one that hangs in a
// provider the source isn't used again, and hung() says so. The destructor waits for that query: a
// process that doesn't want to wait ends without running destructors (std::_Exit). The thread is
// never detached: winpthreads gives a detached thread's record to the next thread while the first
// one still ends, and both fail. Errors, besides the inner source's: kTimedOut (milliseconds, of
// the query that hangs), kCancelled (of later queries, which are not made). Thread rule: one thread
// at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "collectors/sources/source.h"

namespace winperf {

class DeadlineSource final : public CounterSource {
 public:
  DeadlineSource(std::shared_ptr<CounterSource> inner, std::chrono::milliseconds timeout)
      : inner_(std::move(inner)), timeout_(timeout) {}

  bool hung() const { return hung_; }

  std::string machine() const override { return inner_->machine(); }
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  std::stop_token stop) override;
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
