// Writes files that people may have edited, and restores them.
//
// A concurrent reader sees either the complete old text or the complete new one. Thread rule: one
// thread per file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "exporter/tls/self_signed.h"

namespace winperf {

// The two files that "config self-signed" writes, and the machine's own names. Thread rule: one
// thread per file.
struct CertificateFiles {
  std::string certificate;
  std::string key;
};

// Both or neither: a failure leaves what was there. Only its owner and administrators can read the
// key. Existing regular files are replaced if `force`, other files never. The error is a sentence.
[[nodiscard]] std::optional<std::string> write_certificate(const CertificateFiles& files,
                                                           const CertificatePair& pair, bool force);

// The names that a certificate can contain: a Windows name may have other characters.
std::vector<std::string> usable_hosts(const std::vector<std::string>& names);

// Reports on standard output what was done, or on standard error what failed, and returns the exit
// code. An existing file is not changed, and the exit code is `kept`, unless `force`.
int write_new_file(const std::string& name, const std::string& text, bool force, int kept);

// Undoes write_new_file(): removes the file if it still holds exactly `text`. If it differs or does
// not exist, nothing is done, which is no failure.
int remove_unchanged_file(const std::string& name, const std::string& text);

// Replaces the text of an existing file, which keeps its permissions and its owner. With
// `keep_backup`, the old file is kept as FILE.bak. The error is a sentence; the file is unchanged
// then.
[[nodiscard]] std::optional<std::string> change_file(const std::filesystem::path& file,
                                                     const std::string& text, bool keep_backup);

// Restores FILE.bak as FILE, if it exists. The error is a sentence.
[[nodiscard]] std::optional<std::string> restore_file(const std::filesystem::path& file);

std::filesystem::path backup_of(std::filesystem::path file);

// For change_file() and restore_file(), in win/ and posix/: renames `file` to `backup` and `next`
// to `file`, with the permissions of `file`. The error is the system's text.
[[nodiscard]] std::optional<std::string> take_place(const std::filesystem::path& next,
                                                    const std::filesystem::path& file,
                                                    const std::filesystem::path& backup);
bool is_link(const std::filesystem::path& file);

}  // namespace winperf
