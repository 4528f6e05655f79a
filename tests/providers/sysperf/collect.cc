#include "tests/providers/sysperf/collect.h"

#include <expected>
#include <string>
#include <vector>

#include "tests/providers/sysperf/layout.h"
#include "tests/providers/sysperf/machine.h"

namespace sysperf {
namespace {

constexpr const wchar_t* kTotal = L"_Total";

// The numbers, or the Win32 error why there are none.
template <class T>
using Numbers = std::expected<T, DWORD>;
using Added = std::expected<void, DWORD>;

ProcessorBlock to_block(const ProcessorNumbers& cpu) {
  ProcessorBlock block{};
  block.idle = cpu.idle;
  block.user = cpu.user;
  block.privileged = cpu.privileged;
  return block;
}

ProcessBlock to_block(const ProcessNumbers& process) {
  ProcessBlock block{};
  block.thread_count = process.threads;
  block.processor = process.user + process.privileged;
  block.user = process.user;
  block.privileged = process.privileged;
  block.virtual_bytes_peak = process.virtual_bytes_peak;
  block.virtual_bytes = process.virtual_bytes;
  block.working_set_peak = process.working_set_peak;
  block.working_set = process.working_set;
  block.committed = process.committed;
  block.started = process.started;
  block.id = process.id;
  block.parent_id = process.parent_id;
  block.handle_count = process.handles;
  return block;
}

void add_to(ProcessNumbers& total, const ProcessNumbers& process) {
  total.threads += process.threads;
  total.handles += process.handles;
  total.user += process.user;
  total.privileged += process.privileged;
  total.virtual_bytes += process.virtual_bytes;
  total.virtual_bytes_peak += process.virtual_bytes_peak;
  total.working_set += process.working_set;
  total.working_set_peak += process.working_set_peak;
  total.committed += process.committed;
}

Added add_system(Reply& reply, bool metadata_only) {
  const auto numbers = metadata_only ? Numbers<SystemNumbers>() : system_numbers();
  if (!numbers) return std::unexpected(numbers.error());
  reply.begin_object(kSystem, metadata_only, now_100ns());
  if (!metadata_only) {
    SystemBlock block{};
    block.started = numbers->started;
    block.processes = numbers->processes;
    block.threads = numbers->threads;
    reply.add_block(block);
  }
  reply.end_object();
  return {};
}

// _Total is the average, so that its percentages stay below 100.
Added add_processor(Reply& reply, bool metadata_only) {
  const auto cpus = metadata_only ? Numbers<std::vector<ProcessorNumbers>>() : processors();
  if (!cpus) return std::unexpected(cpus.error());
  reply.begin_object(kProcessor, metadata_only, now_100ns());
  ProcessorNumbers total{};
  for (size_t i = 0; i < cpus->size(); ++i) {
    const ProcessorNumbers& cpu = (*cpus)[i];
    reply.add_instance(std::to_wstring(i), to_block(cpu));
    total.idle += cpu.idle;
    total.user += cpu.user;
    total.privileged += cpu.privileged;
  }
  if (!cpus->empty()) {
    const auto count = static_cast<LONGLONG>(cpus->size());
    reply.add_instance(
        kTotal, to_block({total.idle / count, total.user / count, total.privileged / count}));
  }
  reply.end_object();
  return {};
}

Added add_memory(Reply& reply, bool metadata_only) {
  const auto numbers = metadata_only ? Numbers<MemoryNumbers>() : memory_numbers();
  if (!numbers) return std::unexpected(numbers.error());
  reply.begin_object(kMemory, metadata_only, now_100ns());
  if (!metadata_only) {
    MemoryBlock block{};
    block.available_bytes = numbers->available_bytes;
    block.committed_bytes = numbers->committed_bytes;
    block.commit_limit = numbers->commit_limit;
    block.committed_pages = static_cast<DWORD>(numbers->committed_bytes / numbers->page_bytes);
    block.limit_pages = static_cast<DWORD>(numbers->commit_limit / numbers->page_bytes);
    block.available_kbytes = numbers->available_bytes >> 10;
    block.available_mbytes = numbers->available_bytes >> 20;
    reply.add_block(block);
  }
  reply.end_object();
  return {};
}

// _Total is the sum, Idle included. Its start time is now, as on Windows, so that Elapsed Time is
// 0.
Added add_process(Reply& reply, bool metadata_only) {
  const auto list = metadata_only ? Numbers<std::vector<ProcessNumbers>>() : processes();
  if (!list) return std::unexpected(list.error());
  const LONGLONG now = now_100ns();
  reply.begin_object(kProcess, metadata_only, now);
  if (!metadata_only) {
    ProcessNumbers total{};
    total.started = now;
    for (const ProcessNumbers& process : *list) {
      reply.add_instance(process.name, to_block(process));
      add_to(total, process);
    }
    reply.add_instance(kTotal, to_block(total));
  }
  reply.end_object();
  return {};
}

struct Publication {
  const ObjectSpec& spec;
  Subject subject;
  Added (*add)(Reply& reply, bool metadata_only);
};

constexpr Publication kObjects[] = {
    {kSystem, Subject::kSystem, add_system},
    {kProcessor, Subject::kProcessor, add_processor},
    {kMemory, Subject::kMemory, add_memory},
    {kProcess, Subject::kProcess, add_process},
};

}  // namespace

Reply collect(const Query& query, FirstIndices first, Journal& journal) {
  Reply reply(first);
  for (const Publication& object : kObjects) {
    if (!query.wants(first.counter + object.spec.symbol)) continue;
    const Added added = object.add(reply, query.metadata_only());
    // Definitions alone need no numbers, so there is neither success nor failure to report.
    if (added && !query.metadata_only()) journal.succeeded(object.subject);
    if (!added) journal.failed(object.subject, added.error());
  }
  return reply;
}

}  // namespace sysperf
