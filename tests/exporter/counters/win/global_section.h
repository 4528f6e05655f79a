// The section that the service creates, in its place: for tests of the extension DLL.
//
// A machine has one. A test that has it keeps other processes with tests of it waiting.
// Thread rule: one thread.
#pragma once

#include <windows.h>

#include <cstddef>
#include <span>

#include "exporter/counters/section_layout.h"
#include "exporter/counters/section_name.h"

namespace winperf::own::testing {

inline const wchar_t* section_name() { return reinterpret_cast<const wchar_t*>(kSectionName); }

// Whether a service has created it.
inline bool is_published() {
  const HANDLE section = OpenFileMappingW(FILE_MAP_READ, FALSE, section_name());
  if (section != nullptr) CloseHandle(section);
  return section != nullptr;
}

// The section, created or opened.
class MappedSection {
 public:
  MappedSection() = default;
  // `file`: which keeps the section's bytes; without one, the page file does.
  explicit MappedSection(std::size_t words, HANDLE file = INVALID_HANDLE_VALUE)
      : handle_(CreateFileMappingW(file, nullptr, PAGE_READWRITE, 0,
                                   static_cast<DWORD>(words * sizeof(Word)), section_name())) {
    if (handle_ == nullptr) return;
    view_ = MapViewOfFile(handle_, FILE_MAP_WRITE, 0, 0, 0);
    if (view_ != nullptr) words_ = {static_cast<Word*>(view_), words};
  }
  ~MappedSection() { close(); }
  MappedSection(const MappedSection&) = delete;
  MappedSection& operator=(const MappedSection&) = delete;

  std::span<Word> words() const { return words_; }
  void close() {
    if (view_ != nullptr) UnmapViewOfFile(view_);
    if (handle_ != nullptr) CloseHandle(handle_);
    view_ = nullptr;
    handle_ = nullptr;
    words_ = {};
  }

 private:
  HANDLE handle_ = nullptr;
  void* view_ = nullptr;
  std::span<Word> words_;
};

// The right to have the section.
class SectionTurn {
 public:
  SectionTurn() : mutex_(CreateMutexW(nullptr, FALSE, L"Global\\winperf_own_section_tests")) {
    if (mutex_ != nullptr) WaitForSingleObject(mutex_, INFINITE);
  }
  ~SectionTurn() {
    if (mutex_ == nullptr) return;
    ReleaseMutex(mutex_);
    CloseHandle(mutex_);
  }
  SectionTurn(const SectionTurn&) = delete;
  SectionTurn& operator=(const SectionTurn&) = delete;

 private:
  HANDLE mutex_;
};

inline std::int64_t filetime_now() {
  FILETIME time{};
  GetSystemTimeAsFileTime(&time);
  return static_cast<std::int64_t>(std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
}

}  // namespace winperf::own::testing
