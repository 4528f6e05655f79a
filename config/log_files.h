// The names of the log files and of the folder of captures, and whether one of them is the
// configuration file: by name, since files may not exist yet, or by the caller's comparison. Thread
// rule: any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "config/config.h"

namespace winperf {

// A relative name starts at the folder of the configuration file. `config.file` must not be empty.
std::filesystem::path log_file_of(const LogConfig& config,
                                  const std::filesystem::path& config_file);

// Likewise the folder of the recorder's captures.
std::filesystem::path captures_folder_of(const CapturesConfig& config,
                                         const std::filesystem::path& config_file);

// The name of the full log file with this number, from 1: winperf.log becomes winperf.1.log. A new
// file has the number 0 until its first line is written.
std::filesystem::path full_log_file(const std::filesystem::path& file, std::size_t number);

// Why the log must not be written: it would overwrite the configuration, immediately or on
// rotation. A clause such as "it is the configuration file itself; name another file".
using SameFile = bool (*)(const std::filesystem::path&, const std::filesystem::path&);
std::optional<std::string> why_it_overwrites_config(const LogConfig& config,
                                                    const std::filesystem::path& config_file,
                                                    SameFile is_same);

// Compares the names alone, regardless of letter case, as Windows does. Links aren't followed.
bool same_name(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace winperf
