#include "collectors/facts/textfile_reader.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/utf8.h"

namespace winperf {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".prom";

void add_folder_problem(FactTable& table, const fs::path& folder, const std::error_code& cause) {
  table.problems.push_back(cause == std::errc::no_such_file_or_directory
                               ? "there is no folder " + path_text(folder)
                               : "the folder " + path_text(folder) +
                                     " cannot be read: " + system_text(cause));
}

// Sorted.
std::vector<fs::path> files_of(const fs::path& folder, FactTable& table) {
  std::vector<fs::path> files;
  std::error_code cause;
  fs::directory_iterator entry(folder, cause);
  std::size_t looked_at = 0;
  for (; !cause && entry != fs::directory_iterator(); entry.increment(cause)) {
    if (++looked_at > kMaxFolderEntries) {
      table.problems.push_back("the folder " + path_text(folder) + " has more than " +
                               std::to_string(kMaxFolderEntries) +
                               " files: use one for text files alone");
      break;
    }
    const std::string name = path_text(entry->path().filename());
    const std::string ending = name.substr(name.size() - std::min(name.size(), kEnding.size()));
    if (equal_names(ending, kEnding)) files.push_back(entry->path());
  }
  if (cause) add_folder_problem(table, folder, cause);
  std::ranges::sort(files);
  return files;
}

// As the list names a file: what isn't UTF-8 in its name is replaced.
std::string shown_name(const fs::path& file) {
  return FactRow().text("file", path_text(file)).text_of("file");
}

// The file that the list names so, although it has another name.
std::optional<fs::path> find_by_shown_name(const std::string& name) {
  if (!name.contains(kReplacementCharacter)) return std::nullopt;
  FactTable ignored;
  for (fs::path& file : files_of(path_of(name).parent_path(), ignored))
    if (shown_name(file) == name) return std::move(file);
  return std::nullopt;
}

void list_folder(const fs::path& folder, FactTable& table) {
  std::vector<fs::path> files = files_of(folder, table);
  files.resize(std::min(files.size(), kMaxTextfiles + 1));
  std::string before;
  for (const fs::path& file : files) {
    std::string name = shown_name(file);
    if (name == before) {
      table.problems.push_back("two files have the name " + name +
                               ", apart from what is not Unicode: only the first is read");
      continue;
    }
    table.add().text("file", name);
    before = std::move(name);
  }
}

}  // namespace

FactTable list_textfiles(std::span<const std::string> folders) {
  FactTable table;
  for (const std::string& folder : folders) {
    fs::path path = path_of(folder).lexically_normal().make_preferred();
    if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
    list_folder(path, table);
  }
  return table;
}

FileAnswer read_textfile(const FileQuestion& question,
                         std::chrono::steady_clock::time_point until) {
  const auto read = [&](const fs::path& file) {
    return read_file_part(file, question.offset, std::min(question.max_bytes, kMaxFilePart), until);
  };
  auto part = read(path_of(question.file));
  if (!part && part.error().problem == FileProblem::kAbsent)
    if (const auto file = find_by_shown_name(question.file)) part = read(*file);
  if (part) return {.stamp = part->stamp, .bytes = std::move(part->bytes)};
  if (part.error().problem == FileProblem::kAbsent) return {};
  return {.problem = part.error().problem == FileProblem::kNotAFile
                         ? "it is not a regular file"
                         : "it cannot be read: " + part.error().reason};
}

}  // namespace winperf
