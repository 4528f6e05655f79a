#include "exporter/json/worker_objects.h"

#include <cstddef>
#include <optional>

#include "exporter/json/json_text.h"

namespace winperf::json {

void append_worker(std::string& out, const WorkerState& worker) {
  append_field(out, "{\"worker\":", worker.name);
  append_field(out, ",\"running\":", worker.process_id != 0);
  append_field(out, ",\"process_id\":",
               worker.process_id != 0 ? std::optional(worker.process_id) : std::nullopt);
  append_field(out, ",\"private_bytes\":", worker.private_bytes);
  append_field(out, ",\"handles\":", worker.handles);
  append_field(out, ",\"threads\":", worker.threads);
  append_field(out, ",\"starts\":", worker.starts);
  append_field(out, ",\"cpu_seconds\":", worker.cpu_seconds);
  append_field(out, ",\"queries\":", worker.queries);
  append_field(out, ",\"query_seconds\":", worker.query_seconds);
  out += ",\"restarts\":{";
  for (std::size_t end = 0; end < kWorkerEndCount; ++end) {
    if (end != 0) out += ',';
    append_string(out, name_of(static_cast<WorkerEnd>(end)));
    append_field(out, ":", worker.ends.at(end));
  }
  out += "}}";
}

void append_provider(std::string& out, const ProviderState& provider) {
  append_field(out, "{\"provider\":", provider.provider);
  append_field(out, ",\"worker\":", provider.worker);
  append_field(out, ",\"state\":", name_of(provider.standing));
  append_field(out, ",\"quarantine_seconds\":", provider.quarantine_seconds);
  append_field(out, ",\"queries\":", provider.queries);
  append_field(out, ",\"failures\":", provider.failures);
  append_field(out, ",\"error\":", provider.error);
  append_field(out, ",\"query_seconds\":", provider.query_seconds);
  append_field(out, ",\"reply_bytes\":", provider.reply_bytes);
  append_field(out, ",\"harms\":", provider.harms);
  append_field(out, ",\"last_harm\":", provider.last_harm);
  append_field(out, ",\"library\":", provider.library);
  append_field(out, ",\"apart_seconds\":", provider.apart_seconds);
  out += '}';
}

}  // namespace winperf::json
