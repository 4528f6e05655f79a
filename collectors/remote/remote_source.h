// The registry of another machine, read by a worker: what CounterSource says holds here, and
// everything that comes back is a stranger's.
//
// The worker connects when it is first asked, and keeps the handle; release() closes it. What only
// needs an ordinary value of that machine's registry (whether it supports metadata, whether its
// providers have changed) is asked at most once a minute, and only while the machine answers.
// Errors, besides those of the source in the worker: those of Worker::call().
// Thread rule: that of the worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/remote/remote_link.h"
#include "collectors/sources/source.h"

namespace winperf {

class RemoteSource final : public CounterSource {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;
  static constexpr std::chrono::minutes kLookInterval{1};

  RemoteSource(std::shared_ptr<RemoteLink> link, Now now)
      : link_(std::move(link)), now_(std::move(now)) {}

  bool is_live() const override { return true; }
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override;
  std::uint64_t provider_generation() override;
  void release() override;
  // A round begins.
  void set_stop(StopToken stop) override;

 private:
  [[nodiscard]] worker::Request request_of(worker::Operation operation) const;
  // Asks for both values, if that is due.
  void look();

  std::shared_ptr<RemoteLink> link_;
  Now now_;
  StopToken stop_;
  std::uint64_t process_ = 0;  // which one has something open; 0: none
  bool answers_ = false;       // whether the last query was answered
  bool metadata_ = false;
  std::optional<std::uint64_t> first_generation_{};
  std::uint64_t generation_ = 0;  // since the first one, so that this is no change
  std::chrono::steady_clock::time_point look_again_{};
};

}  // namespace winperf
