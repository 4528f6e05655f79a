// The seam between this program and the operating system: where the bytes come from.
//
// A source belongs to one machine. It answers with owned bytes and doesn't interpret them; a log of
// counters, which has no such bytes, answers with values. Implementations: replay (here, on any
// platform), the registry (win/), binary logs (collectors/blg).
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/model/error.h"
#include "collectors/model/ids.h"
#include "collectors/model/sample.h"
#include "collectors/model/worker_state.h"
#include "collectors/sources/reply_blocks.h"
#include "collectors/sources/reply_room.h"
#include "collectors/sources/source_health.h"

namespace winperf {

// One object of a recording that holds values, but not the V1 block that they came in.
struct LoggedObject {
  // Without what is derived from the sample before: it has raw, base, reason and own_clocks.
  std::shared_ptr<const CountersetSample> values;
  std::vector<Error> problems;  // parts that couldn't be read
};

// An object that was asked for, and can't be delivered; or a provider's, whichever it has.
struct MissingObject {
  ObjectIndex object{};  // 0: not known
  Error reason{};
};

// The reply to one query: usually one V1 block; several if a replayed sample was recorded by
// several queries, or if each provider was asked alone. It may hold more or fewer objects than were
// requested.
struct Reply {
  ReplyBlocks blocks;
  std::vector<MissingObject> missing{};  // as far as the source knows why
  std::vector<LoggedObject> logged{};
  std::uint64_t logged_bytes = 0;    // of the record that `logged` comes from
  std::optional<Ticks100ns> time{};  // when it was recorded, if the recording says so
  std::string host{};  // whose counters they are, if that is known and the blocks don't say it
};

// Of one block.
[[nodiscard]] std::expected<Reply, Error> reply_of(std::expected<Bytes, Error> block);

// Of what was delivered, in bytes.
[[nodiscard]] std::uint64_t size_of(const Reply& reply);

// Why the reply has none of these objects, if the source knows that: the reason of one of them, or
// that somebody who may have them hasn't answered yet.
[[nodiscard]] std::optional<Error> reason_of(const Reply& reply,
                                             std::span<const ObjectIndex> objects);

enum class TextTable { kCounter, kHelp };

// Where a name table comes from. English is the table of language 009; kMachine is the language of
// this machine.
enum class Language { kEnglish, kMachine };

class CounterSource {
 public:
  CounterSource() = default;
  CounterSource(const CounterSource&) = delete;
  CounterSource& operator=(const CounterSource&) = delete;
  virtual ~CounterSource() = default;

  // The machine whose counters these are, if there are several such sources; empty otherwise.
  virtual std::string machine() const { return {}; }

  // Whether it is the system itself: a query for several objects then gives what queries for each
  // of them would. A recording has a place in time for each value name.
  virtual bool is_live() const { return false; }

  // `value_name`: one that HKEY_PERFORMANCE_DATA knows, such as "Global", "238 2",
  // "MetadataGlobal".
  [[nodiscard]] virtual std::expected<Reply, Error> query(std::string_view value_name,
                                                          StopToken stop) = 0;
  // The same for a source whose reply is one block: puts it at the beginning of `room` and returns
  // its size. Errors, besides those of query(): kBufferLimit.
  [[nodiscard]] virtual std::expected<std::size_t, Error> query_in(const ReplyRoom& room,
                                                                   std::string_view value_name,
                                                                   StopToken stop);

  // Takes back a reply that is no longer needed: its memory may serve the next one. Blocks are
  // large enough that the system would give each one fresh pages, which costs more than copying.
  virtual void take_back(Reply) {}

  // How long each further query may take, with all its attempts; a single one can't be interrupted.
  virtual void limit_time(std::chrono::milliseconds) {}

  // Whose stop ends what takes no stop token itself, where it can be ended.
  virtual void set_stop(StopToken) {}

  // Of the processes in which the queries are made; null if they are made in this one.
  virtual SourceHealth* health() { return nullptr; }

  // The candidates for a name table as bytes, in order of preference (the registry's table first,
  // then perfcNNN.dat or perfhNNN.dat). The caller takes what it can use of each.
  [[nodiscard]] virtual std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                             Language language) = 0;

  // Whether the Metadata* value names may be used.
  virtual bool supports_metadata() { return false; }

  // A number that changes when providers are added or removed: Perflib's "Last Counter". Constant
  // if the source can't change.
  virtual std::uint64_t provider_generation() { return 0; }

  // Unloads cached providers, so that the next query loads them again (RegCloseKey).
  virtual void release() {}
};

// Why a source can't be made, for the person who asked for it. Unlike winperf::Error it carries
// text, because it names a directory or says what to do instead.
struct SourceError {
  ErrorCode code = ErrorCode::kOsError;
  std::string text;  // UTF-8, one sentence, lower case, no full stop
};

}  // namespace winperf
