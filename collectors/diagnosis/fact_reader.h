// Reads the facts about this machine that decide whether counters can be read: Perflib's key, every
// V1 provider's registration and DLL, the account. It only reads: keys are opened with KEY_READ, in
// the 64-bit view; no DLL is loaded and no provider is called.
// Implemented in win/; elsewhere (posix/) nothing is known. The name tables come from the source,
// see note_name_tables() in trial.h.
// Thread rule: any thread.
// Source: Learn, "Creating the Application's Performance Key" and "Using the Registry Functions to
// Consume Counter Data" (Perflib's values).
#pragma once

#include <filesystem>

#include "collectors/diagnosis/facts.h"

namespace winperf {

[[nodiscard]] MachineFacts read_machine_facts();

// The account of this process, its name and how it logs on to other machines.
struct AccountFacts {
  std::string name{};  // "DOMAIN\\name"; empty if unknown
  NetworkIdentity identity = NetworkIdentity::kUnknown;
};
[[nodiscard]] AccountFacts read_account();

// Examines the file that a provider's Library value names, without loading it. Only a regular file
// is opened. Of a file larger than 64 MiB only the first 64 KiB are read, so its exported functions
// stay unknown (kLimitExceeded).
[[nodiscard]] LibraryFile inspect_library(const std::filesystem::path& path);

}  // namespace winperf
