#include "collectors/facts/textfile_reader.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/facts/steady_file.h"
#include "collectors/facts/textfile_encoding.h"

namespace winperf {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".prom";

// How long the text is as a string of JSON, without the quotes.
std::size_t bytes_in_json(std::string_view text) {
  std::size_t bytes = text.size();
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r') {
      ++bytes;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      bytes += std::string_view("u0000").size();
    }
  }
  return bytes;
}

double seconds_of(const FileState& state) {
  return std::chrono::duration<double>(state.modified.time_since_epoch()).count();
}

class Reading {
 public:
  explicit Reading(FactTable& table) : table_(table) {}

  void read_folder(const fs::path& folder) {
    const auto files = files_of(folder);
    for (const fs::path& file : files) {
      if (count_++ == kMaxTextfiles) {
        table_.problems.push_back("there are more than " + std::to_string(kMaxTextfiles) +
                                  " text files: " + path_text(file) +
                                  " and those after it are not read");
      }
      if (count_ > kMaxTextfiles) return;
      read_file(file);
    }
  }

 private:
  // Sorted.
  std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code cause;
    fs::directory_iterator entry(folder, cause);
    std::size_t looked_at = 0;
    for (; !cause && entry != fs::directory_iterator(); entry.increment(cause)) {
      if (++looked_at > kMaxFolderEntries) {
        table_.problems.push_back("the folder " + path_text(folder) + " has more than " +
                                  std::to_string(kMaxFolderEntries) +
                                  " files: use one for text files alone");
        break;
      }
      const std::string name = path_text(entry->path().filename());
      const std::string ending = name.substr(name.size() - std::min(name.size(), kEnding.size()));
      if (equal_names(ending, kEnding)) files.push_back(entry->path());
    }
    if (cause) add_folder_problem(folder, cause);
    std::ranges::sort(files);
    return files;
  }

  void add_folder_problem(const fs::path& folder, const std::error_code& cause) {
    table_.problems.push_back(cause == std::errc::no_such_file_or_directory
                                  ? "there is no folder " + path_text(folder)
                                  : "the folder " + path_text(folder) +
                                        " cannot be read: " + system_text(cause));
  }

  void read_file(const fs::path& file) {
    auto steady = read_steady_file(file, kMaxTextfileBytes);
    if (!steady && steady.error().problem == FileProblem::kAbsent) return;  // since it was listed
    FactRow& row = table_.add();
    row.text("file", path_text(file));
    if (!steady) {
      row.text("problem", steady.error().problem == FileProblem::kNotAFile
                              ? "it is not a regular file"
                              : "it cannot be read: " + steady.error().reason);
      return;
    }
    row.number("mtime", seconds_of(steady->state));
    const auto text = textfile_text(steady->bytes);
    const std::size_t bytes = text ? bytes_in_json(*text) : 0;
    if (!text) {
      row.text("problem", text.error());
    } else if (bytes > kMaxTextfileBytesInAll - bytes_) {
      row.text("problem", "with it, all text files together would be larger than " +
                              std::to_string(kMaxTextfileBytesInAll >> 20) + " MiB");
    } else {
      bytes_ += bytes;
      row.text("content", *text);
    }
  }

  FactTable& table_;
  std::size_t count_ = 0;  // of files
  std::size_t bytes_ = 0;  // of contents so far
};

}  // namespace

FactTable read_textfiles(std::span<const std::string> folders) {
  FactTable table;
  Reading reading(table);
  std::vector<fs::path> done;
  for (const std::string& folder : folders) {
    fs::path path = path_of(folder).lexically_normal().make_preferred();
    if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
    if (std::ranges::find(done, path) != done.end()) continue;
    reading.read_folder(path);
    done.push_back(std::move(path));
  }
  return table;
}

}  // namespace winperf
