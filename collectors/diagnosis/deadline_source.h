// A source whose queries end: each runs on a thread of its own, and is given up when its time is
// over. A query can't be interrupted, so the thread that hangs in a provider stays behind, and the
// source it hangs in is neither asked nor destroyed again; hung() tells. Then the process should
// end without running destructors (std::_Exit). Errors, besides the inner source's: kTimedOut
// (milliseconds, of the query that hangs), kCancelled (of those after it: they were not asked).
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/sources/source.h"

namespace winperf {

class DeadlineSource final : public CounterSource {
 public:
  DeadlineSource(std::shared_ptr<CounterSource> inner, std::chrono::milliseconds patience)
      : inner_(std::move(inner)), patience_(patience) {}

  bool hung() const { return hung_; }

  std::expected<Reply, Error> query(std::string_view value_name, std::stop_token stop) override;
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table, Language language) override;
  bool supports_metadata() override { return !hung_ && inner_->supports_metadata(); }
  std::uint64_t provider_generation() override { return hung_ ? 0 : inner_->provider_generation(); }
  void release() override {
    if (!hung_) inner_->release();
  }

 private:
  std::shared_ptr<CounterSource> inner_;
  std::chrono::milliseconds patience_;
  bool hung_ = false;
};

}  // namespace winperf
