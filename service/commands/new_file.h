// Writes a file for somebody who may have one of that name already.
//
// Whoever reads the file meanwhile finds the whole of it, old or new.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace winperf {

// Says on standard output what was done, on standard error what could not be done, and returns the
// exit code. A file that is there is left alone, with `kept` as the exit code, unless `force`.
int write_new_file(const std::string& name, const std::string& text, bool force, int kept);

// Takes write_new_file() back: removes the file if it still holds `text` and nothing else. A file
// that differs, or is not there, is left as it is, which is no failure.
int remove_unchanged_file(const std::string& name, const std::string& text);

// Gives a file that is there a new text. Its rights and its owner stay, so that whoever could read
// it still can. With `keep_backup` the file as it was is kept beside it, as FILE.bak. The error is
// a sentence; the file is then as it was.
std::optional<std::string> change_file(const std::filesystem::path& file, const std::string& text,
                                       bool keep_backup);

// FILE.bak takes the place of FILE again, where there is one. The error is a sentence.
std::optional<std::string> restore_file(const std::filesystem::path& file);

std::filesystem::path backup_of(std::filesystem::path file);

// For change_file() and restore_file(), in win/ and posix/: `next` takes the name of `file`, and
// gets its rights; `file` takes the name `backup`. The error is the system's word for it.
std::optional<std::string> take_place(const std::filesystem::path& next,
                                      const std::filesystem::path& file,
                                      const std::filesystem::path& backup);
bool is_link(const std::filesystem::path& file);

}  // namespace winperf
