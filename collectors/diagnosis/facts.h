// Facts about a machine that decide whether its counters can be read; the rules in service/doctor
// evaluate them. An unknown fact is absent, never zero: it doesn't exist, can't be read, or isn't
// available on this platform.
//
// Thread rule: values; read_machine_facts(): any thread. Source: docs/doctor.md names the registry
// values and what they mean.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/diagnosis/pe_exports.h"
#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/model/ids.h"
#include "collectors/provider/library_head.h"
#include "collectors/provider/registration.h"
#include "collectors/wire/name_table.h"

namespace winperf {

// HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib.
struct PerflibFacts {
  Access access = Access::kUnknown;
  std::optional<std::uint32_t> last_counter{};
  std::optional<std::uint32_t> last_help{};
  std::optional<std::uint32_t> supports_metadata{};
  std::optional<std::uint32_t> disable_performance_counters{};
  std::optional<std::uint32_t> configuration_flags{};
  std::optional<std::uint32_t> ext_counter_test_level{};
};

// One V1 provider.
struct ProviderFacts : PerformanceKey {
  // With variables expanded; searched for if it names no directory.
  std::string library_path{};
  LibraryFile file{};
  // How many of the indices from First Counter to Last Counter have a name.
  std::size_t named = 0;
  std::size_t nameless = 0;
};

// The account of this process.
struct TokenFacts {
  std::string account{};  // "DOMAIN\name"; empty if unknown
  std::optional<bool> administrator{};
  std::optional<bool> performance_monitor_users{};
  std::optional<bool> performance_log_users{};
};

// One candidate of the English name table, see CounterSource::text_tables().
struct NameTableFacts {
  std::optional<Error> error{};  // why it couldn't be read
  std::size_t names = 0;
  std::uint32_t highest_index = 0;
  std::vector<NameTable::Problem> problems{};
  std::vector<ForeignName> foreign{};  // some of its names, if it isn't English
};

// One counterset of a V2 provider.
struct V2CountersetFacts {
  std::string name{};
  std::optional<Guid> guid{};
  std::string provider{};
  std::optional<bool> running{};  // whether its provider supplies data right now
};

// The identity of this process' account on remote machines.
enum class NetworkIdentity : std::uint8_t { kUnknown, kItself, kMachine, kAnonymous };

// A target and the connection to it.
struct TargetFacts {
  std::string host{};
  std::optional<Error> connection{};            // why none of its counters can be read
  std::optional<bool> has_address{};            // whether its name resolves
  std::optional<bool> answers_smb{};            // whether its TCP port 445 takes a connection
  std::optional<Error> perflib{};               // why PerfLib doesn't list its countersets
  std::optional<std::chrono::seconds> ahead{};  // relative to our clock
  std::string account{};                        // of this process; empty if unknown
  NetworkIdentity identity = NetworkIdentity::kUnknown;
};

struct MachineFacts {
  bool replay = false;                  // a recording
  std::string source{};                 // of a recording: the value of --source
  std::optional<TargetFacts> target{};  // if it isn't this machine
  bool registry_known = false;          // perflib, providers and token were looked up
  PerflibFacts perflib{};
  std::vector<ProviderFacts> providers{};
  std::optional<PerfHost> perf_host{};
  TokenFacts token{};
  std::optional<PeMachine> process_machine{};      // that this program was built for
  std::vector<NameTableFacts> name_tables{};       // in order of preference
  std::optional<std::uint32_t> base_last_index{};  // the last index of Windows' own names
  std::optional<std::vector<V2CountersetFacts>> v2{};
};

// Reads the facts about this machine: Perflib's key, every V1 provider's registration and DLL, the
// account. Read-only: keys are opened with KEY_READ, in the 64-bit view; no DLL is loaded and no
// provider is called. Implemented in win/; elsewhere (posix/) nothing is known. The name tables
// come from the source, see note_name_tables() in trial.h. Source: Learn, "Creating the
// Application's Performance Key" and "Using the Registry Functions to Consume Counter Data"
// (Perflib's values).
[[nodiscard]] MachineFacts read_machine_facts();

// The account of this process, its name and its identity on remote machines.
struct AccountFacts {
  std::string name{};  // "DOMAIN\\name"; empty if unknown
  NetworkIdentity identity = NetworkIdentity::kUnknown;
};
[[nodiscard]] AccountFacts read_account();

// One of the configured names of a counterset.
struct NameFacts {
  std::string name{};
  std::vector<ObjectIndex> indices{};  // of objects with this name; a number is its own index
  std::string text{};                  // for a number: its name, if any
  std::string nearest{};               // for an unknown name: the most similar known one
  std::string replacement{};           // its known successor or predecessor, if in the name table
};

struct DeliveredObject {
  ObjectIndex index{};
  std::string name{};  // from the name table; may be empty
  bool multi_instance = false;
  std::size_t counters = 0;  // without bases
  std::size_t matching_counters = 0;
  std::size_t instances = 0;
  std::size_t matching_instances = 0;
  // The first few names.
  std::vector<std::string> counter_names{};
  std::vector<std::string> instance_names{};
};

// The faults of a provider.
struct HarmFacts {
  std::string provider{};  // its service
  std::string text{};
};

// The outcome of reading the counterset as it is configured.
struct TrialFacts {
  std::optional<Error> error{};   // the error if there was no reply
  std::vector<Error> problems{};  // the defects of the reply
  std::optional<DeliveredObject> object{};
  std::optional<std::chrono::milliseconds> took{};  // to get the reply; absent for a recording
  std::vector<HarmFacts> harms{};                   // faults during the trial, of any provider
};

struct CountersetFacts {
  std::vector<NameFacts> names{};     // in configured order
  std::optional<TrialFacts> trial{};  // absent if no name is known
};

}  // namespace winperf
