// What may be in the place of the last word of a command line: what a shell offers at the Tab key.
// Commands, options and fixed choices are those of the parser; names are those of the machine or of
// the recording that the line names. Thread rule: any thread.
#pragma once

#include <CLI/CLI.hpp>

#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/commands/listing.h"
#include "service/plan/setup.h"

namespace winperf {

struct Candidates {
  std::vector<std::string> words{};  // each in full; one that ends with : \ or ( may be continued
  // A file or folder is expected after this beginning of the word, such as "replay:".
  std::optional<std::string> file_after{};
};

// Lists objects; the options name the source, which is the same in all calls.
using MakeListing =
    std::function<std::optional<Listing>(const SetupOptions& setup, const ListOptions& options)>;

// `words`: those after the program's name, the last one unfinished.
Candidates candidates_for(const CLI::App& program, std::span<const std::string> words,
                          const MakeListing& list);

}  // namespace winperf
