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

// As the list names a file: what isn't UTF-8 in its name is replaced.
std::string shown_name(const fs::path& file) {
  return FactRow().text("file", path_text(file)).text_of("file");
}

// The files of a folder and its subfolders, without links out of it.
class FolderWalk {
 public:
  FolderWalk(const fs::path& root, FactTable& table) : root_(root), table_(table) {}

  // Sorted.
  std::vector<fs::path> files() {
    for (open_.push_back({.path = root_}); !open_.empty();) {
      const Folder folder = std::move(open_.back());
      open_.pop_back();
      if (!walk(folder)) break;
    }
    std::ranges::sort(files_);
    return std::move(files_);
  }

 private:
  struct Folder {
    fs::path path{};
    int depth = 0;  // below the first one
  };

  // Whether there may be more.
  bool walk(const Folder& folder) {
    std::error_code cause;
    fs::directory_iterator entry(folder.path, cause);
    for (; !cause && entry != fs::directory_iterator(); entry.increment(cause)) {
      if (++looked_at_ > kMaxFolderEntries) {
        add_problem("the folder " + path_text(root_) + " has more than " +
                    std::to_string(kMaxFolderEntries) +
                    " files and folders: use a folder for text files only");
        return false;
      }
      add(entry->path(), folder.depth);
    }
    // Subfolders may vanish.
    const bool is_gone = cause == std::errc::no_such_file_or_directory;
    if (cause && !(is_gone && folder.depth > 0)) add_problem(why_not(folder.path, cause));
    return true;
  }

  void add(const fs::path& path, int depth) {
    if (is_plain_folder(path)) return add_folder(path, depth + 1);
    const std::string name = path_text(path.filename());
    const std::string ending = name.substr(name.size() - std::min(name.size(), kEnding.size()));
    if (equal_names(ending, kEnding)) files_.push_back(path);
  }

  void add_folder(const fs::path& path, int depth) {
    if (depth > kMaxTextfileDepth) {
      add_problem("the folder " + shown_name(path) + " is more than " +
                  std::to_string(kMaxTextfileDepth) + " folders below " + path_text(root_) +
                  ": its files are not read");
    } else if (path_of(shown_name(path)) != path) {
      add_problem("the name of the folder " + shown_name(path) +
                  " is not Unicode: its files are not read");
    } else {
      open_.push_back({.path = path, .depth = depth});
    }
  }

  void add_problem(std::string problem) {
    if (problems_++ < kMaxFolderProblems) table_.problems.push_back(std::move(problem));
  }

  static std::string why_not(const fs::path& folder, const std::error_code& cause) {
    return cause == std::errc::no_such_file_or_directory
               ? "no such folder: " + path_text(folder)
               : "the folder " + path_text(folder) + " cannot be read: " + system_text(cause);
  }

  const fs::path& root_;
  FactTable& table_;
  std::vector<Folder> open_;
  std::vector<fs::path> files_;
  std::size_t looked_at_ = 0;
  std::size_t problems_ = 0;
};

// The file that is listed under this name after replacing invalid Unicode.
std::optional<fs::path> find_by_shown_name(const std::string& name) {
  if (!name.contains(kReplacementCharacter)) return std::nullopt;
  std::vector<fs::path> found;
  std::error_code cause;
  fs::directory_iterator entry(path_of(name).parent_path(), cause);
  std::size_t looked_at = 0;
  for (; !cause && entry != fs::directory_iterator(); entry.increment(cause)) {
    if (shown_name(entry->path()) == name) found.push_back(entry->path());
    if (++looked_at == kMaxFolderEntries) break;
  }
  const auto first = std::ranges::min_element(found);
  return first != found.end() ? std::optional(std::move(*first)) : std::nullopt;
}

void list_folder(const fs::path& folder, FactTable& table) {
  std::vector<fs::path> files = FolderWalk(folder, table).files();
  files.resize(std::min(files.size(), kMaxTextfiles + 1));
  std::string before;
  for (const fs::path& file : files) {
    std::string name = shown_name(file);
    if (name == before) {
      table.problems.push_back("two files have the name " + name +
                               " after replacing invalid Unicode: only the first is read");
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
