// Writes a file for somebody who may have one of that name already.
#pragma once

#include <string>

namespace winperf {

// Says on standard output what was done, on standard error what could not be done, and returns the
// exit code. A file that is there is left alone, with `kept` as the exit code, unless `force`.
// Whoever reads the file meanwhile finds the whole of it or nothing.
int write_new_file(const std::string& name, const std::string& text, bool force, int kept);

// Takes write_new_file() back: removes the file if it still holds `text` and nothing else. A file
// that differs, or is not there, is left as it is, which is no failure.
int remove_unchanged_file(const std::string& name, const std::string& text);

}  // namespace winperf
