// Stores a capture's files in a folder or, if the name ends in ".zip" or ".ZIP", in a ZIP archive.
// It is written to "NAME.partial" and renamed when complete; an archive is kept in memory until
// then. Errors: a sentence that names the file. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectors/capture/archive.h"
#include "collectors/model/guid.h"
#include "collectors/sources/perflib_api.h"

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
//   capture.json               for people: machine, versions, what is missing
// Source: docs/capture.md.
inline constexpr std::string_view kCounterTable = "counter-009.bin";
inline constexpr std::string_view kHelpTable = "help-009.bin";
inline constexpr std::string_view kManifest = "capture.json";
inline constexpr std::string_view kCountersets = "v2-countersets.bin";
inline constexpr std::string_view kOrder = "v2-order.bin";

std::string block_file(std::uint32_t sample, std::uint32_t part);
std::string v2_data_file(std::uint32_t sample);
std::string registration_file(const Guid& counterset, RegistrationInfo info,
                              std::uint32_t argument);

class Store {
 public:
  // Refuses a name that already exists, a name whose "NAME.partial" exists, and the name of another
  // kind of archive.
  [[nodiscard]] static std::expected<Store, std::string> create(const std::filesystem::path& wanted,
                                                                std::uint64_t max_bytes);
  Store(Store&& other) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();  // removes what is not finished

  // The error of put() if the capture would become larger than allowed.
  std::string no_room() const;
  [[nodiscard]] std::expected<void, std::string> put(std::string_view name,
                                                     std::span<const std::byte> bytes);
  [[nodiscard]] std::expected<void, std::string> finish();
  // In addition to what it holds.
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

}  // namespace winperf::capture
