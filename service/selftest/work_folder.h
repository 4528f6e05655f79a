// The folder of selftests, with the journal and a folder for each run.
//
// An administrator's is in Windows' folder for programs, where only administrators and the system
// write, and services read what they run: so no other program of the account can put a link, a
// program or a line of a journal in the way of one that may do everything. Without such rights, it
// is among the account's own data. Validated: that nothing which others made is taken for it.
// Errors: a sentence. Thread rule: any thread. Implemented in win/ and posix/.
#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

namespace winperf::selftest {

// Where it is, whether it exists or not.
[[nodiscard]] std::expected<std::filesystem::path, std::string> selftest_root();

// Makes it, or restricts it.
[[nodiscard]] std::expected<void, std::string> make_root(const std::filesystem::path& root);

// Whether an administrator's selftest has one that this account, which has fewer rights, doesn't
// look into: one that runs, or what a killed one has left.
bool has_administrators_root();

// Why accounts other than administrators and this one may change or replace a file, or put others
// beside it, as a sentence; nothing if they may not, or the system isn't Windows.
std::optional<std::string> why_others_may_change_file(const std::filesystem::path& file);

// Removes it and those above it that selftests have made, as far as nothing is in them.
void remove_empty_root(const std::filesystem::path& root);

// Removes a folder with all that is in it. A link in it is removed, not followed. Programs that
// still run from it are ended; it waits a while for those that have just ended.
[[nodiscard]] std::expected<void, std::string> remove_tree(const std::filesystem::path& folder);

}  // namespace winperf::selftest
