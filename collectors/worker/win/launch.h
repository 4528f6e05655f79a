// Starts a worker process with no more than it needs: four inherited handles, among them its
// memory, a token without privileges, a job that ends with this process, and mitigation policies
// that performance DLLs bear. Where the system refuses one of the restrictions (older Windows,
// Wine, a job that doesn't allow another one inside), the worker runs without it: a query that
// works matters more. Thread rule: any thread. Source: Learn, UpdateProcThreadAttribute, "Job
// Objects".
#pragma once

#include <windows.h>

#include <cstddef>
#include <expected>
#include <span>

#include "collectors/base/win/unique_handle.h"
#include "collectors/worker/worker_process.h"

namespace winperf::worker {

class SharedView {
 public:
  SharedView() = default;
  // Null if `section` can't be mapped.
  SharedView(HANDLE section, std::size_t bytes);
  SharedView(SharedView&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  SharedView& operator=(SharedView&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SharedView() {
    if (!bytes_.empty()) UnmapViewOfFile(bytes_.data());
  }
  explicit operator bool() const { return !bytes_.empty(); }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

struct Launched {
  SharedView memory;
  UniqueKernelHandle request;      // an event: there is a request
  UniqueKernelHandle reply;        // an event: there is a reply
  UniqueKernelHandle interrupted;  // an event of this process
  UniqueKernelHandle job;          // null if the system has refused it
  UniqueKernelHandle process;
  DWORD id = 0;
};

// The error is the system's code.
[[nodiscard]] std::expected<Launched, DWORD> launch(const WorkerCommand& command);

}  // namespace winperf::worker
