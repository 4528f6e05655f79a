// The captures that the recorder makes by itself, in their folder: at most kMostFiles files, and
// kMostBytes in all; the oldest goes. Files with other names are never touched. Thread rule: one
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf {

enum class CaptureReason : std::uint8_t { kCountersetFails, kCounter, kServiceStops };
inline constexpr std::array kCaptureReasons{CaptureReason::kCountersetFails,
                                            CaptureReason::kCounter, CaptureReason::kServiceStops};
// In metrics and names of files: "counterset_fails".
std::string_view name_of(CaptureReason reason);

// "PC-20261128T020000Z-counter.zip", from the name of a recording, which ends in its time.
std::string capture_name(std::string_view recording, CaptureReason reason);

// What such a name says; nothing if the name isn't one.
struct CaptureName {
  std::string stamp;  // "20261128T020000Z"
  CaptureReason reason{};
};
// `prefix`: what comes before the time, "PC-".
std::optional<CaptureName> parse_capture_name(std::string_view name, std::string_view prefix);

class CaptureFiles {
 public:
  static constexpr std::size_t kMostFiles = 3;
  static constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20U;

  // `prefix`: of this machine's captures. Those of others in the same folder are other files.
  CaptureFiles(std::filesystem::path folder, std::string prefix,
               std::uintmax_t most_bytes = kMostBytes)
      : folder_(std::move(folder)), prefix_(std::move(prefix)), most_bytes_(most_bytes) {}

  const std::filesystem::path& path() const { return folder_; }

  struct File {
    std::filesystem::path path;
    CaptureName name;
    std::uintmax_t bytes = 0;
  };
  // The oldest first, by the times in their names.
  std::vector<File> files() const;
  // Removes what a program that ended while it wrote has left.
  void remove_unfinished() const;
  struct Stored {
    std::filesystem::path file;
    std::string notice{};  // why an old one could not be removed; usually empty
  };
  // Creates the folder if necessary. The file gets its name when it is complete, and then the
  // oldest ones are removed. None is overwritten, and on failure none is lost. Errors: a clause
  // that names the file or folder.
  [[nodiscard]] std::expected<Stored, std::string> store(const std::string& name,
                                                         std::span<const std::byte> bytes) const;

 private:
  std::string remove_old_ones(const std::filesystem::path& new_one) const;

  std::filesystem::path folder_;
  std::string prefix_;
  std::uintmax_t most_bytes_;
};

// Why this account can't write files there, as far as can be determined without writing: a sentence
// for `check-config`.
[[nodiscard]] std::optional<std::string> capture_folder_notice(const std::filesystem::path& folder);

}  // namespace winperf
