#include "tests/simulator/network/german.h"

#include <map>
#include <string>
#include <string_view>

namespace winperf::simulator {
namespace {

const std::map<std::string_view, std::string_view>& dictionary() {
  static const std::map<std::string_view, std::string_view> texts{
      {"% Free Space", "Freier Speicherplatz (%)"},
      {"% Privileged Time", "Privilegierte Zeit (%)"},
      {"% Processor Time", "Prozessorzeit (%)"},
      {"% User Time", "Benutzerzeit (%)"},
      {"Available Bytes", "Verfügbare Bytes"},
      {"Bytes Received/sec", "Empfangene Bytes/s"},
      {"Bytes Sent/sec", "Gesendete Bytes/s"},
      {"Committed Bytes", "Zugesicherte Bytes"},
      {"Connections Established", "Hergestellte Verbindungen"},
      {"Context Switches/sec", "Kontextwechsel/s"},
      {"Disk Read Bytes/sec", "Bytes gelesen/s"},
      {"Disk Write Bytes/sec", "Bytes geschrieben/s"},
      {"Elapsed Time", "Verstrichene Zeit"},
      {"Handle Count", "Handleanzahl"},
      {"LogicalDisk", "Logischer Datenträger"},
      {"Memory", "Arbeitsspeicher"},
      {"Network Interface", "Netzwerkschnittstelle"},
      {"Page Faults/sec", "Seitenfehler/s"},
      {"PhysicalDisk", "Physischer Datenträger"},
      {"Private Bytes", "Private Bytes"},
      {"Process", "Prozess"},
      {"Processor", "Prozessor"},
      {"Processor Information", "Prozessorinformationen"},
      {"Processor Queue Length", "Prozessor-Warteschlangenlänge"},
      {"System Calls/sec", "Systemaufrufe/s"},
      {"System Up Time", "Systembetriebszeit"},
      {"Thread Count", "Threadanzahl"},
      {"Threads", "Threads"},
      {"Working Set", "Arbeitsseiten"},
  };
  return texts;
}

void translate(const std::string& name, std::string& local_name) {
  const auto found = dictionary().find(name);
  if (found != dictionary().end()) local_name = found->second;
}

}  // namespace

void translate_to_german(ServerData& data) {
  for (ServerProvider& provider : data.providers) {
    for (ServerObject& object : provider.objects) {
      translate(object.name, object.local_name);
      for (ServerCounter& counter : object.counters) translate(counter.name, counter.local_name);
    }
  }
}

}  // namespace winperf::simulator
