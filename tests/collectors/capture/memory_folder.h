// A capture's files in memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "collectors/sources/replay.h"

namespace winperf::testing {

class MemoryFolder final : public CaptureFolder {
 public:
  std::map<std::string, Bytes, std::less<>> files;

  std::expected<std::vector<std::string>, SourceError> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files) names.push_back(name);
    return names;
  }
  std::expected<Bytes, Error> read(std::string_view name, const char* where) const override {
    const auto found = files.find(name);
    if (found == files.end())
      return std::unexpected(Error{.code = ErrorCode::kNoSuchFile, .where = where});
    return found->second;
  }
  std::string text() const override { return "memory"; }
};

}  // namespace winperf::testing
