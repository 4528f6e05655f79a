// Starts a worker process with no more than it needs: five inherited handles, among them its
// memory, a token without privileges, a job that ends with this process, and mitigation policies
// that performance DLLs tolerate. If the system refuses one of the restrictions (older Windows,
// Wine, a job that doesn't allow nesting), the worker runs without it, because a working query
// matters more; without the list of handles, which each Windows has, none is started. Thread rule:
// any thread. Source: Learn, UpdateProcThreadAttribute, "Job Objects".
#pragma once

#include <windows.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <utility>

#include "collectors/base/win/unique_handle.h"
#include "collectors/worker/worker_process.h"

namespace winperf::worker {

// A section of reserved memory, which either process commits as needed: the head always, the rest
// when replies need it. Committed memory stays committed.
class SharedView {
 public:
  SharedView() = default;
  // Null if `section` can't be mapped.
  SharedView(HANDLE section, std::size_t bytes);
  SharedView(SharedView&& other) noexcept
      : bytes_(std::exchange(other.bytes_, {})), committed_(std::exchange(other.committed_, 0)) {}
  SharedView& operator=(SharedView&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(committed_, other.committed_);
    return *this;
  }
  ~SharedView() {
    if (!bytes_.empty()) UnmapViewOfFile(bytes_.data());
  }
  explicit operator bool() const { return !bytes_.empty(); }
  std::span<std::byte> bytes() const { return bytes_; }
  // False if the system has no memory for so many bytes.
  [[nodiscard]] bool commit(std::size_t bytes);
  // By both processes; nothing if unknown.
  [[nodiscard]] std::optional<std::uint64_t> committed() const;

 private:
  std::span<std::byte> bytes_;
  std::size_t committed_ = 0;  // by this process
};

// The restrictions that the system has accepted.
struct Granted {
  bool has_reduced_token = false;
  DWORD64 policies = 0;  // PROCESS_CREATION_MITIGATION_POLICY_...
  bool is_in_job = false;
  bool has_screen_limits = false;
};

struct Launched {
  SharedView memory;
  UniqueKernelHandle request;      // an event: there is a request
  UniqueKernelHandle reply;        // an event: there is a reply
  UniqueKernelHandle where;        // an event: a trace is requested
  UniqueKernelHandle interrupted;  // an event of this process
  UniqueKernelHandle job;          // null if the system has refused it
  UniqueKernelHandle process;
  DWORD id = 0;
  Granted granted{};
};

// The error is the system's code.
[[nodiscard]] std::expected<Launched, DWORD> launch(const WorkerCommand& command);

}  // namespace winperf::worker
