// Records a machine's raw counter data: name tables, V1 blocks, and the registrations and replies
// of V2 countersets. The recorder parses only as much as the next request needs. If a part can't be
// read, only that part is lost, and problems() reports it.
//
// One set covers all V2 countersets, so that their values have the same time. Errors: those of the
// store, which end the capture. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/capture/archive.h"
#include "collectors/capture/scrubber.h"
#include "collectors/model/guid.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"

namespace winperf::capture {

// The names of a capture's files. collectors/sources/replay.h describes the V1 blocks and name
// tables; the others are:
//
//   sample-NNNN.v2             the reply of PerfQueryCounterData for all V2 countersets, raw
//   v2-order.bin               the reply of PerfQueryCounterInfo: which counterset each result
//                              is for
//   v2-countersets.bin         the GUIDs that PerfEnumerateCounterSet returned, 16 bytes each
//   v2-GUID-INFO-ARGUMENT.bin  a reply of PerfQueryCounterSetRegistrationInfo, raw; GUID has no
//                              braces, INFO is the number of the PerfRegInfoType
//   capture.json               for readers: machine, versions, missing parts
// Source: docs/capture.md.
inline constexpr std::string_view kManifest = "capture.json";
inline constexpr std::string_view kCountersets = "v2-countersets.bin";
inline constexpr std::string_view kOrder = "v2-order.bin";

std::string block_file(std::uint32_t sample, std::uint32_t part);
std::string v2_data_file(std::uint32_t sample);
std::string registration_file(const Guid& counterset, RegistrationInfo info,
                              std::uint32_t argument);

// Stores a capture's files in a folder or, if the name ends in ".zip" or ".ZIP", in a ZIP archive.
// It is written to "NAME.partial" and renamed when complete; an archive is kept in memory until
// then. Errors: a sentence that names the file. Thread rule: one thread.
class Store {
 public:
  // Refuses a name that already exists, a name whose "NAME.partial" exists, and the name of another
  // kind of archive.
  [[nodiscard]] static std::expected<Store, std::string> create(const std::filesystem::path& wanted,
                                                                std::uint64_t max_bytes);
  Store(Store&& other) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();  // removes an unfinished capture

  // The error of put() if the capture would become larger than allowed.
  std::string no_room() const;
  [[nodiscard]] std::expected<void, std::string> put(std::string_view name,
                                                     std::span<const std::byte> bytes);
  [[nodiscard]] std::expected<void, std::string> finish();
  // In addition to the present files.
  bool has_room_for(std::uint64_t bytes) const { return bytes <= max_bytes_ - bytes_; }
  std::uint64_t bytes() const { return bytes_; }  // of the files, before compression

 private:
  Store(std::filesystem::path out, std::filesystem::path partial, std::uint64_t max_bytes);
  [[nodiscard]] static std::expected<void, std::string> write(const std::filesystem::path& file,
                                                              std::span<const std::byte> bytes);

  std::filesystem::path out_;
  std::filesystem::path partial_;  // empty once it is finished
  std::optional<ArchiveWriter> archive_;
  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
};

// Recorded buffers that wait for the end of a capture, because a name that is first found in the
// last one may also occur in the first. Thread rule: one thread.
enum class BufferKind { kBlock, kV2Data };

class HeldBuffers {
 public:
  // `file`: its name in the store.
  void add(std::string file, BufferKind kind, Bytes bytes);
  std::uint64_t bytes() const { return bytes_; }

  // Learns names from all of them, then scrubs and stores them; none is held afterwards. `note` is
  // called with a sentence for each part that can't be parsed and for each buffer that is left out.
  // Errors: those of the store.
  [[nodiscard]] std::expected<void, std::string> store(
      Scrubber& scrubber, Store& store, const std::function<void(std::string)>& note);

 private:
  struct Held {
    std::string file;
    BufferKind kind;
    Bytes bytes;
  };
  std::vector<Held> all_;
  std::uint64_t bytes_ = 0;
};

class Recorder {
 public:
  // `queries`: value names of HKEY_PERFORMANCE_DATA, such as "Global", queried for each sample.
  // `perflib` and `scrubber` may be null. With a scrubber, blocks and data are held in memory until
  // finish(), which scrubs and stores them. All references must outlive the recorder.
  Recorder(CounterSource& registry, PerflibSource* perflib, std::vector<std::string> queries,
           Store& store, Scrubber* scrubber = nullptr);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Call this once, before the samples.
  [[nodiscard]] std::expected<void, std::string> record_names();
  // Returns false at the end of a source that has an end.
  [[nodiscard]] std::expected<bool, std::string> record_sample(StopToken stop);

  // Call this once, after the samples, even if one of them failed.
  [[nodiscard]] std::expected<void, std::string> finish();

  std::uint32_t samples() const { return samples_; }
  std::size_t v2_countersets() const { return v2_countersets_; }
  // Sentences, each of them once.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  [[nodiscard]] std::expected<void, std::string> record_table(TextTable table,
                                                              std::string_view file);
  [[nodiscard]] std::expected<void, std::string> record_registrations();
  [[nodiscard]] std::expected<void, std::string> open_set(
      const std::vector<v2::CounterRequest>& wanted);
  [[nodiscard]] std::expected<bool, std::string> record_blocks(const StopToken& stop);
  [[nodiscard]] std::expected<void, std::string> record_v2_data();
  [[nodiscard]] std::expected<Bytes, Error> collect_set();
  [[nodiscard]] std::expected<void, std::string> store(std::string file, BufferKind kind,
                                                       Bytes bytes);
  void note(std::string problem);

  CounterSource& registry_;
  PerflibSource* perflib_;
  const std::vector<std::string> queries_;
  Store& store_;
  Scrubber* const scrubber_;
  HeldBuffers held_;
  std::optional<PerflibSet> set_;
  std::vector<v2::CounterRequest> wanted_;  // in the set, and where their results are
  std::vector<ResultPlace> places_;
  std::uint32_t samples_ = 0;
  std::size_t v2_countersets_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace winperf::capture
