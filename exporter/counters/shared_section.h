// The shared section, as the process has it that publishes in it (section_layout.h).
//
// A section has one writer, so what already exists under the name is never used: another program
// may have made it, or a monitor may still have that of an earlier process open, for microseconds.
// The caller tries again later. Only the handle of the process that created it may write; who may
// read is in win/shared_section.cc. Where there are no named sections, it is a file, which is
// locked while it is used, and has the states of an earlier process.
// Errors are sentences without a full stop. Thread rule: one thread at a time.
// Source: Learn, CreateFileMappingW, "Security Descriptor Definition Language"; mmap(2), flock(2).
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>

#include "exporter/counters/section_layout.h"

namespace winperf::own {

class SharedSection {
 public:
  SharedSection() = default;
  SharedSection(const SharedSection&) = delete;
  SharedSection& operator=(const SharedSection&) = delete;
  virtual ~SharedSection() = default;  // the section goes when the last reader has closed it

  // kSectionWords of it, for a SectionWriter.
  virtual std::span<Word> words() = 0;
};

// `place`, on Windows: the name of the section; empty: kSectionName. Elsewhere a file; if it is
// empty there is no section, and the result is null.
[[nodiscard]] std::expected<std::unique_ptr<SharedSection>, std::string> create_shared_section(
    const std::string& place = {});

}  // namespace winperf::own
