// What a worker process does: it makes the queries that its parent asks for, one after the other,
// until the parent tells it to end, or is gone.
//
// What a provider leaves changed (ThreadState) is restored after each call. Nothing else is
// prevented here: a provider may do to this process what it likes, and the parent bears it.
// Thread rule: the main thread of a worker process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/facts/fact_source.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/platform.h"
#include "collectors/sources/source.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/parent_link.h"

namespace winperf::worker {

// What a worker process has been asked about by a name: the registries of other machines, or the
// providers that share the process. Each has a source of its own, which stays until it is released.
// Validated: what the parent sends as a name is only text to whoever connects; the number of names
// is bounded. Thread rule: that of the sources.

// Returns the source with a name.
using MakeNamedSource =
    std::function<std::expected<std::unique_ptr<CounterSource>, SourceError>(const std::string&)>;

class NamedSources {
 public:
  static constexpr std::size_t kMax = 4096;  // far more than a worker can ask in an interval

  explicit NamedSources(MakeNamedSource make) : make_(std::move(make)) {}

  // Errors: that of making one, with `where` "remote.connect"; kLimitExceeded.
  [[nodiscard]] std::expected<CounterSource*, Error> source_of(std::string_view machine);
  // Closes what is open of it, if anything is.
  void release(std::string_view machine);
  // Closes everything.
  void release();

 private:
  MakeNamedSource make_;
  std::map<std::string, std::unique_ptr<CounterSource>, std::less<>> sources_;
};

// One of them is enough; what is asked of another is answered with kUnsupported.
class WorkerService {
 public:
  WorkerService(CounterSource* registry, PerflibApi* perflib, FactSource* facts = nullptr,
                MakeNamedSource make_remote = {})
      : registry_(registry), perflib_(perflib), facts_(facts), machines_(std::move(make_remote)) {}

  // Until the end. False if the parent has gone without asking for it. What a provider throws is a
  // crash.
  [[nodiscard]] bool serve(ParentLink& link) noexcept;
  // One request, from the shared memory to the shared memory. False if it was the last one.
  [[nodiscard]] bool answer(std::span<std::byte> shared, ReplyRoom::Commit commit = {});

 private:
  void perform(const Request& request, ReplyWriter& reply);
  // The registry that a request is about.
  [[nodiscard]] std::expected<CounterSource*, Error> source_of(const Request& request);
  void ask_registry(const Request& request, ReplyWriter& reply);
  void read_facts(const Request& request, ReplyWriter& reply);
  void read_file(const Request& request, ReplyWriter& reply);
  void ask_perflib(const Request& request, ReplyWriter& reply);
  [[nodiscard]] std::expected<PerflibClient*, Error> perflib_of(const Request& request,
                                                                std::size_t room);
  static void open_set(PerflibClient& perflib, const Request& request, ReplyWriter& reply);

  CounterSource* registry_;
  PerflibApi* perflib_;
  FactSource* facts_;
  NamedSources machines_;
  std::map<std::string, PerflibClient, std::less<>> clients_;  // of PerfLib, by machine
  const ThreadState clean_;
};

}  // namespace winperf::worker
