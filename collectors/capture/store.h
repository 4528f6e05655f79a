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

namespace winperf::capture {

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
