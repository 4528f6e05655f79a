// The main loop of a worker process: it makes the queries that its parent requests, one after the
// other, until the parent requests its end, or has ended.
//
// Changes by a provider (ThreadState) are undone after each call. Nothing else is prevented here: a
// provider may do anything to this process, and the parent handles that. Thread rule: the main
// thread of a worker process.
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
#include "collectors/worker/worker_diagnosis.h"

namespace winperf::worker {

// Sources of a worker process by name: the registries of targets, or the providers that share the
// process. Each has a source, which is kept until it is released. Validated: the number of names is
// bounded; a name is passed on as text. Thread rule: that of the sources.

// Returns the source with a name.
using MakeNamedSource =
    std::function<std::expected<std::unique_ptr<CounterSource>, SourceError>(const std::string&)>;

class NamedSources {
 public:
  static constexpr std::size_t kMax = 4096;  // far more than a worker can query in an interval

  explicit NamedSources(MakeNamedSource make) : make_(std::move(make)) {}

  // Errors: those of creating one, with `where` "remote.connect"; kLimitExceeded.
  [[nodiscard]] std::expected<CounterSource*, Error> source_of(std::string_view machine);
  // Closes its handles, if any are open.
  void release(std::string_view machine);
  // Closes everything.
  void release();

 private:
  MakeNamedSource make_;
  std::map<std::string, std::unique_ptr<CounterSource>, std::less<>> sources_;
};

// Makes a diagnosis; the question and the answer are as worker_diagnosis.h says.
using Diagnose = std::function<DiagnosisAnswer(const std::string& question)>;
// Answers a question to PDH, as collectors/pdh/worker_pdh.h says.
using AskPdh = std::function<std::expected<std::string, Error>(const std::string& question)>;

// One of them is enough; requests to others are answered with kUnsupported.
class WorkerService {
 public:
  WorkerService(CounterSource* registry, PerflibApi* perflib, FactSource* facts = nullptr,
                MakeNamedSource make_remote = {}, Diagnose diagnose = {}, AskPdh ask_pdh = {})
      : registry_(registry),
        perflib_(perflib),
        facts_(facts),
        machines_(std::move(make_remote)),
        diagnose_(std::move(diagnose)),
        ask_pdh_(std::move(ask_pdh)) {}

  // Runs until the end. False if the parent ended without requesting it. An exception from a
  // provider is a crash.
  [[nodiscard]] bool serve(ParentLink& link) noexcept;
  // One request, from the shared memory to the shared memory. False if it was the last one.
  [[nodiscard]] bool answer(std::span<std::byte> shared, ReplyRoom::Commit commit = {});

 private:
  void perform(const Request& request, ReplyWriter& reply);
  // The source that a request addresses.
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
  Diagnose diagnose_;
  AskPdh ask_pdh_;
  std::map<std::string, PerflibClient, std::less<>> clients_;  // of PerfLib, by machine
  const ThreadState clean_;
};

}  // namespace winperf::worker
