// Where a capture's files go: a folder, or a ZIP archive where the name ends in ".zip" or
// ".ZIP", that appears under its name once it is whole. An archive is kept in memory until then.
// Errors: a sentence that names the file. Thread rule: one thread.
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
  // Refuses a name that is there already, one whose unfinished form, "NAME.partial", is, and one
  // that belongs to an archive of another kind.
  static std::expected<Store, std::string> create(const std::filesystem::path& wanted,
                                                  std::uint64_t max_bytes);
  Store(Store&& other) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();  // what is not finished is removed

  std::string no_room() const;  // the error of put() where the capture would be larger than allowed
  std::expected<void, std::string> put(std::string_view name, std::span<const std::byte> bytes);
  std::expected<void, std::string> finish();
  // Beside what it holds already.
  bool has_room_for(std::uint64_t bytes) const { return bytes <= max_bytes_ - bytes_; }
  std::uint64_t bytes() const { return bytes_; }  // of the files, not packed

 private:
  Store(std::filesystem::path out, std::filesystem::path partial, std::uint64_t max_bytes);
  static std::expected<void, std::string> write(const std::filesystem::path& file,
                                                std::span<const std::byte> bytes);

  std::filesystem::path out_;
  std::filesystem::path partial_;  // empty once it is finished
  std::optional<ArchiveWriter> archive_;
  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
};

}  // namespace winperf::capture
