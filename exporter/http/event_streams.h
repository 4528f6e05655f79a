// The streams of GET /api/v1/events: server-sent events with the values of each sample as it comes.
//
// One thread writes for all streams; without one it sleeps, and otherwise it wakes up for samples,
// heartbeats and new streams. Clients that ask for the same paths of a machine share what is
// written. No client holds up another one or the sampling: what it doesn't take is limited, and
// then its stream ends. It may continue with the id of the last event that it has, for which the
// recorder has the samples in between.
//
// The events are "sample" (exporter/api/events.h), and "lost" with the reason if some of the past
// can't be sent, or the machine is no longer sampled: {"reason": "..."}. The id is that of this
// program's run and the time of the sample in nanoseconds by the steady clock.
//
// Thread rule: any thread. Source: HTML Living Standard, 9.2 (server-sent events).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "collectors/base/net_address.h"
#include "collectors/model/sample.h"
#include "exporter/api/events.h"
#include "exporter/http/connection.h"
#include "exporter/http/machine_view.h"

namespace winperf {

struct EventStreamOptions {
  std::size_t most = 64;                 // streams
  std::size_t most_of_one = 32;          // of these, for the clients of one network
  std::size_t most_bytes = 1024 * 1024;  // that wait for a client
  std::chrono::milliseconds heartbeat{15'000};
  std::function<Instant()> now;
};

// What a stream begins with, and the rest of it.
struct OpenedStream {
  std::string begin;
  std::shared_ptr<AnswerStream> rest;
};

class EventStreams {
 public:
  explicit EventStreams(EventStreamOptions options);
  ~EventStreams();
  EventStreams(const EventStreams&) = delete;
  EventStreams& operator=(const EventStreams&) = delete;

  using Machine = std::shared_ptr<const MachineView>;

  // `last_id`: of the last event that the client has; empty if it has none. `network`: of the
  // client.
  [[nodiscard]] std::expected<OpenedStream, api::Problem> open(const Machine& machine,
                                                               const api::Query& query,
                                                               std::string_view last_id,
                                                               const NetAddress& network);
  // Why open() would refuse the query.
  static std::optional<api::Problem> why_refused(const MachineView& machine,
                                                 const api::Query& query);
  // A sample of a machine was published, and recorded.
  void note_sample();
  // How many were open when that was found out last.
  std::size_t count() const { return count_; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Stream {
    std::weak_ptr<AnswerStream> answer;
    NetAddress network;
  };
  // Streams of the same machine and paths.
  struct Group {
    api::EventSelection selection;
    std::shared_ptr<const Sample> shown;
    std::vector<Stream> streams;
    Time pushed_at = std::chrono::steady_clock::now();
  };
  using Groups = std::map<std::pair<Machine, std::vector<std::string>>, Group>;

  // With the mutex of the groups held:
  [[nodiscard]] std::expected<Groups::iterator, api::Problem> group_of(const Machine& machine,
                                                                       const api::Query& query);
  std::optional<api::Problem> why_full(const NetAddress& network) const;
  void push_news();
  std::string news_of(const MachineView& machine, Group& group) const;
  static void end(Group& group);
  Time next_heartbeat() const;
  static void push(Group& group, const SharedText& text);
  void forget_ended();

  std::string beginning(const MachineView& machine, api::EventSelection selection,
                        const std::shared_ptr<const Sample>& sample,
                        std::string_view last_id) const;
  std::string missed(const MachineView& machine, const api::EventSelection& selection,
                     SteadyTime& after, SteadyTime until, std::string_view last_id) const;
  std::string text_of(const api::Event& event) const;
  void run();

  const EventStreamOptions options_;
  const std::string run_;  // distinguishes this run of the program from earlier ones

  std::mutex groups_mutex_;
  Groups groups_;
  std::atomic<std::size_t> count_ = 0;
  // The sampling waits for this one only, which is never held for long.
  std::mutex news_mutex_;
  std::condition_variable news_;
  bool has_news_ = false;
  bool has_streams_ = false;
  bool is_stopped_ = false;
  std::thread thread_;  // since the first stream; guarded by the mutex of the groups
};

}  // namespace winperf
