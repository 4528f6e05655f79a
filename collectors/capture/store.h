// Where a capture's files go: a folder that appears under its name once it is whole.
// Errors: a sentence that names the file. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace winperf::capture {

class Store {
 public:
  // Refuses a folder that is there already.
  static std::expected<Store, std::string> create(const std::filesystem::path& folder,
                                                  std::uint64_t max_bytes);
  Store(Store&& other) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();  // what is not finished is removed

  // The error says so if the capture would be larger than it may be.
  std::expected<void, std::string> put(std::string_view name, std::span<const std::byte> bytes);
  std::expected<void, std::string> finish();
  std::uint64_t bytes() const { return bytes_; }

 private:
  Store(std::filesystem::path folder, std::filesystem::path partial, std::uint64_t max_bytes);

  std::filesystem::path folder_;
  std::filesystem::path partial_;  // empty once it is finished
  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
};

}  // namespace winperf::capture
