// V1 providers that share a process, in which each is loaded and asked as in a host of its own: one
// after the other, so that it is known whose call was lost. The system's query can't do that, since
// it can leave no provider out.
// Errors: those of worker::Worker::call() and ProviderSource; `where` names the provider.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/provider/registration.h"
#include "collectors/sources/source.h"
#include "collectors/worker/left_behind.h"
#include "collectors/worker/worker.h"

namespace winperf {

class SharedProviders {
 public:
  explicit SharedProviders(worker::WorkerOptions options) : worker_(std::move(options)) {}

  // The objects of one of them.
  [[nodiscard]] std::expected<Reply, Error> query(const ProviderRegistration& provider,
                                                  std::string_view value_name,
                                                  const StopToken& stop);
  // Lets it close its providers, and ends its process.
  void release() { worker_.finish(); }
  WorkerView* view() { return &worker_; }
  // Whether the call of this one was lost, and isn't made again yet.
  bool rests(const ProviderRegistration& provider) const {
    return worker_.rests_until(provider.service).has_value();
  }
  // How many it has had.
  std::uint64_t processes() const { return worker_.generation(); }
  // What the one that was asked last has left in the process: for people; empty if nothing.
  std::string take_left_over() {
    return worker::describe_left_behind(std::exchange(left_behind_, 0));
  }
  // How long it was busy, or was waited for in vain, in all.
  double query_seconds() const { return worker_.state().query_seconds; }

 private:
  worker::Worker worker_;
  std::uint32_t left_behind_ = 0;  // bits of worker::LeftBehind
};

}  // namespace winperf
