#include "service/scm/counter_registration.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <ranges>
#include <utility>
#include <vector>

#include "collectors/base/os_code.h"
#include "collectors/base/plain_value.h"
#include "collectors/base/printable.h"
#include "service/console/exit_code.h"
#include "service/scm/service_definition.h"

namespace winperf {
namespace {

using CounterStep = std::expected<void, Failure>;

std::unexpected<Failure> step_failure(std::string message, int exit_code = kExitFailure) {
  return std::unexpected(Failure{.exit_code = exit_code, .message = std::move(message)});
}

// What the functions of loadperf.dll and the programs, whose exit codes are theirs, mean by a code.
std::string explain_counters(const SystemError& error) {
  switch (static_cast<OsCode>(error.code)) {
    case OsCode::kFileNotFound:
    case OsCode::kPathNotFound:
      return "Windows does not find a file or a registry value that it needs (Windows error " +
             std::to_string(error.code) + ")";
    case OsCode::kInvalidParameter:
      return "Windows does not accept the file that describes the counters (Windows error 87)";
    case OsCode::kInvalidData:
    case OsCode::kBadDatabase:
    case OsCode::kBadKey:
      return "Windows' tables of counter names are damaged (Windows error " +
             std::to_string(error.code) +
             "); back them up with \"lodctr /S:FILE\" before you let \"lodctr /R\" rebuild them";
    case OsCode::kLockFailed:
    case OsCode::kBusy:
    case OsCode::kWaitTimeout:
      return "another program is changing counters; try again (Windows error " +
             std::to_string(error.code) + ")";
    default:
      return explain(error);
  }
}

std::unexpected<Failure> step_failure(const std::string& what, const SystemError& error) {
  return step_failure(what + ": " + explain_counters(error), exit_code_of(error));
}

bool has_code(const ServiceResult<void>& result, std::initializer_list<OsCode> codes) {
  return !result &&
         std::ranges::find(codes, static_cast<OsCode>(result.error().code)) != codes.end();
}

// Changes of the registration, each with the step that undoes it.
class CounterChanges {
 public:
  explicit CounterChanges(CounterRegistrar& registrar) : registrar_(registrar) {}

  CounterStep put_key(const CounterKey& key, const std::optional<CounterKey>& old) {
    if (const auto done = registrar_.put_key(key); !done)
      return step_failure("the values of " + std::string(kCounterKeyPath) + " were not written",
                          done.error());
    undo_by([this, old] { return old ? registrar_.put_key(*old) : take_key_back(); });
    return {};
  }

  CounterStep remove_key(const CounterKey& old) {
    if (const auto done = registrar_.remove_key(); !done)
      return step_failure(std::string(kCounterKeyPath) + " was not removed", done.error());
    undo_by([this, old] { return registrar_.put_key(old); });
    return {};
  }

  CounterStep put_event_source(const std::string& file, const std::optional<std::string>& old) {
    if (const auto done = registrar_.put_event_source(file); !done)
      return step_failure(
          "the event log source \"" + std::string(kCounterEventSource) + "\" was not written",
          done.error());
    undo_by([this, old] {
      return old ? registrar_.put_event_source(*old) : registrar_.remove_event_source();
    });
    return {};
  }

  CounterStep remove_event_source(const std::string& old) {
    if (const auto done = registrar_.remove_event_source(); !done)
      return step_failure(
          "the event log source \"" + std::string(kCounterEventSource) + "\" was not removed",
          done.error());
    undo_by([this, old] { return registrar_.put_event_source(old); });
    return {};
  }

  CounterStep load_titles(const std::string& ini) {
    const auto done = call_load(ini);
    // "Already there" is a success if the registry says so.
    const bool is_loaded = done || has_code(done, {OsCode::kAlreadyExists});
    const auto facts = registrar_.facts();
    // What fails may have assigned indices before.
    if (is_loaded || (facts && facts->key && has_any_index(*facts->key)))
      undo_by([this] { return call_unload(); });
    if (!is_loaded)
      return step_failure("Windows did not load the counters' names from " + ini, done.error());
    if (!facts) return step_failure("the registration cannot be read", facts.error());
    if (!facts->key || !has_all_indices(*facts->key))
      return step_failure(
          "Windows reported success but has assigned no title indices: First Counter, Last "
          "Counter, First Help or Last Help is missing in " +
          std::string(kCounterKeyPath));
    if (!has_range_of_table(*facts->key))
      return step_failure("Windows has assigned the indices " + range_text(*facts->key) +
                          ", which are not those of " + std::to_string(counter_names()) +
                          " names; the files beside the program are of different versions");
    return {};
  }

  // `ini`: of the names that are removed.
  CounterStep unload_titles(const std::string& ini) {
    const auto done = call_unload();
    // unlodctr may report that it finds nothing although it has removed the names.
    if (!done && !has_code(done, {OsCode::kFileNotFound, OsCode::kBadKey}))
      return step_failure("Windows did not remove the counters' names", done.error());
    const auto facts = registrar_.facts();
    if (!facts) return step_failure("the registration cannot be read", facts.error());
    if (facts->key && has_any_index(*facts->key))
      return step_failure(done ? "Windows reported success but has not removed the counters' "
                                 "names: " +
                                     std::string(kCounterKeyPath) + " still has the indices " +
                                     range_text(*facts->key)
                               : "Windows did not remove the counters' names: " +
                                     explain_counters(done.error()));
    undo_by([this, ini] { return call_load(ini); });
    return {};
  }

  CounterStep load_manifest(const CounterFiles& files) {
    const auto done = call_load_manifest(files);
    const auto facts = registrar_.facts();
    // As for names.
    if (done || (facts && has_v2(*facts))) undo_by([this] { return call_unload_manifest(); });
    if (!done) return step_failure("Windows did not load " + files.manifest, done.error());
    if (!facts) return step_failure("the registration cannot be read", facts.error());
    if (facts->v2_countersets == 0U)
      return step_failure("Windows reported success but knows none of the countersets of " +
                          files.manifest);
    return {};
  }

  CounterStep unload_manifest(const CounterFiles& files) {
    const auto done = call_unload_manifest();
    const auto facts = registrar_.facts();
    const bool is_gone = facts && facts->v2_countersets == 0U;
    if (!done && !is_gone)
      return step_failure("Windows did not remove the countersets of " + files.manifest,
                          done.error());
    if (facts && has_v2(*facts))
      return step_failure("Windows reported success but still knows countersets of " +
                          files.manifest);
    undo_by([this, files] { return call_load_manifest(files); });
    return {};
  }

  // The last change first. Returns a line for each that can't be undone.
  std::vector<std::string> undo() {
    std::vector<std::string> lines;
    for (const auto& step : undo_ | std::views::reverse)
      if (const auto done = step(); !done) lines.push_back(explain_counters(done.error()));
    undo_.clear();
    return lines;
  }

 private:
  using Call = ServiceResult<void> (CounterRegistrar::*)(const std::string&);

  void undo_by(std::function<ServiceResult<void>()> step) { undo_.push_back(std::move(step)); }

  // With the names still there, only the key says which they are.
  ServiceResult<void> take_key_back() {
    const auto facts = registrar_.facts();
    if (facts && facts->key && has_any_index(*facts->key)) return {};
    return registrar_.remove_key();
  }

  // The function, or the program that does the same.
  ServiceResult<void> call(Call function, const std::string& word, const std::string& argument) {
    auto done = (registrar_.*function)(word + ' ' + argument);
    if (!has_code(done, {OsCode::kModuleNotFound, OsCode::kProcedureNotFound})) return done;
    return run(word + ".exe", argument);
  }
  ServiceResult<void> run(const std::string& program, const std::string& arguments) {
    return registrar_.run(quoted_argument(registrar_.system_program(program)) + ' ' + arguments);
  }

  ServiceResult<void> call_load(const std::string& ini) {
    return call(&CounterRegistrar::load_titles, "lodctr", quoted_argument(ini));
  }
  ServiceResult<void> call_unload() {
    return call(&CounterRegistrar::unload_titles, "unlodctr", kServiceName);
  }
  ServiceResult<void> call_load_manifest(const CounterFiles& files) {
    return run("lodctr.exe",
               "/M:" + quoted_argument(files.manifest) + ' ' + quoted_argument(files.folder));
  }
  // Not by the file, which may be of another version than what is registered. Source: Learn,
  // "Performance Counters Schema".
  ServiceResult<void> call_unload_manifest() {
    return run("unlodctr.exe", "/G:" + std::string(kCounterProvider));
  }

  CounterRegistrar& registrar_;
  std::vector<std::function<ServiceResult<void>()>> undo_;
};

int complain_of_counters(const ServiceConsole& console, const std::string& service,
                         const std::string& message, int exit_code = kExitFailure) {
  console.err << printable(service + ": " + message) << '\n';
  return exit_code;
}

constexpr std::string_view kNotRegistered = "its own counters are not registered";
constexpr std::string_view kNotRemoved = "its own counters are not removed completely";

// What Windows has assigned goes first, because it needs the key. Source: Learn, "Removing Counter
// Names and Descriptions from the Registry": it removes all texts in the range of indices. Where
// they are other programs', only the key goes, so that theirs stay.
CounterStep remove_titles(CounterChanges& changes, const CounterFacts& facts,
                          const CounterFiles& files) {
  if (!facts.key || !has_any_index(*facts.key) || has_names_of_others(facts)) return {};
  const CounterFiles old = facts.key->library ? files_beside(*facts.key->library) : files;
  return changes.unload_titles(old.ini);
}

CounterStep remove_v1(CounterChanges& changes, const CounterFacts& facts,
                      const CounterFiles& files) {
  if (auto done = remove_titles(changes, facts, files); !done) return done;
  if (facts.message_file)
    if (auto done = changes.remove_event_source(*facts.message_file); !done) return done;
  if (facts.key) return changes.remove_key(*facts.key);
  return {};
}

CounterStep add_v1(CounterChanges& changes, const CounterFacts& facts, const CounterFiles& files) {
  if (auto done = remove_titles(changes, facts, files); !done) return done;
  if (auto done = changes.put_key(counter_key_for(files.library), facts.key); !done) return done;
  if (auto done = changes.put_event_source(files.library, facts.message_file); !done) return done;
  return changes.load_titles(files.ini);
}

CounterStep carry_out(CounterChanges& changes, const CounterRequest& request, CounterFacts facts,
                      const CounterFiles& files) {
  // A repair begins with an empty key, in which nothing disables the DLL and no index is another
  // program's.
  const bool is_repair = request.anew || has_names_of_others(facts);
  if ((request.road != CounterRoad::kV1 || is_repair) && has_v1(facts)) {
    if (auto done = remove_v1(changes, facts, files); !done) return done;
    facts.key.reset();
    facts.first_title.reset();
    facts.message_file.reset();
  }
  // Also before it is registered again.
  if (has_v2(facts))
    if (auto done = changes.unload_manifest(files); !done) return done;
  if (request.road == CounterRoad::kV1) return add_v1(changes, facts, files);
  if (request.road == CounterRoad::kV2) return changes.load_manifest(files);
  return {};
}

// The first file that isn't there.
std::optional<std::string> missing_file(CounterRegistrar& registrar, CounterRoad road,
                                        const CounterFiles& files) {
  std::vector<std::string> needed;
  if (road == CounterRoad::kV1) needed = {files.library, files.ini, files.symbols};
  if (road == CounterRoad::kV2) needed = {files.manifest};
  const auto missing = std::ranges::find_if(
      needed, [&](const std::string& file) { return !registrar.has_file(file); });
  return missing == needed.end() ? std::nullopt : std::optional(*missing);
}

bool is_done(const CounterRequest& request, const CounterFacts& facts, const CounterFiles& files) {
  switch (request.road) {
    case CounterRoad::kNone:
      return !has_v1(facts) && !has_v2(facts);
    case CounterRoad::kV1:
      return !request.anew && !has_v2(facts) && is_v1_complete(facts, files.library);
    case CounterRoad::kV2:
      break;
  }
  return false;
}

// With the line for the result of an installation.
int say_registration(CounterRegistrar& registrar, const ServiceConsole& console) {
  if (const auto facts = registrar.facts())
    console.out << "  own counters: " << printable(registration_text(*facts)) << '\n';
  return kExitOk;
}

// A service with another name, whose key the DLL doesn't read.
int refuse_other_name(const CounterRequest& request, const ServiceConsole& console) {
  const std::string why = "only the service " + std::string(kServiceName) + " has own counters";
  if (request.is_explicit && request.road != CounterRoad::kNone)
    return complain_of_counters(console, request.service, std::string(kNotRegistered) + ": " + why);
  console.out << "  own counters: none; " << why << '\n';
  return kExitOk;
}

}  // namespace

int register_counters(CounterRegistrar& registrar, const CounterRequest& request,
                      ServiceConsole console) {
  if (request.service != kServiceName) return refuse_other_name(request, console);
  const auto refuse = [&](const std::string& why, int exit_code = kExitFailure) {
    return complain_of_counters(console, request.service, std::string(kNotRegistered) + ": " + why,
                                exit_code);
  };
  const CounterFiles files = counter_files(request.executable);
  const auto facts = registrar.facts();
  if (!facts) return refuse(explain(facts.error()), exit_code_of(facts.error()));
  if (facts->key && is_foreign(*facts->key))
    return refuse(std::string(kCounterKeyPath) +
                  " belongs to another program's DLL: " + *facts->key->library);
  if (is_done(request, *facts, files)) return say_registration(registrar, console);
  if (const auto missing = missing_file(registrar, request.road, files)) {
    const int code = refuse(*missing + " does not exist");
    // A program that was copied without its files, as versions before these counters were, and of
    // which nothing else was asked.
    const bool is_alone = *missing == files.library || *missing == files.manifest;
    return is_alone && !request.is_explicit && !has_v1(*facts) && !has_v2(*facts) ? kExitOk : code;
  }
  CounterChanges changes(registrar);
  if (const auto done = carry_out(changes, request, *facts, files); !done) {
    const int code = refuse(done.error().message, done.error().exit_code);
    for (const std::string& line : changes.undo())
      complain_of_counters(console, request.service, "a step could not be undone: " + line);
    return code;
  }
  return say_registration(registrar, console);
}

int unregister_counters(CounterRegistrar& registrar, const std::string& executable,
                        ServiceConsole console) {
  const std::string service(kServiceName);
  const auto facts = registrar.facts();
  if (!facts)
    return complain_of_counters(console, service,
                                std::string(kNotRemoved) + ": " + explain(facts.error()),
                                exit_code_of(facts.error()));
  if (!has_v1(*facts) && !has_v2(*facts)) return kExitOk;
  const bool is_ours = !facts->key || !is_foreign(*facts->key);
  if (!is_ours && !facts->message_file && !has_v2(*facts)) return kExitOk;
  const CounterFiles files = counter_files(executable);
  int code = kExitOk;
  const auto note = [&](const CounterStep& done) {
    if (done) return;
    code = complain_of_counters(console, service,
                                std::string(kNotRemoved) + ": " + done.error().message,
                                done.error().exit_code);
  };
  CounterChanges changes(registrar);
  if (is_ours) note(remove_titles(changes, *facts, files));
  // With the names still there, only the key says which they are.
  if (is_ours && facts->key && code == kExitOk) note(changes.remove_key(*facts->key));
  if (facts->message_file) note(changes.remove_event_source(*facts->message_file));
  if (has_v2(*facts)) note(changes.unload_manifest(files));
  if (code == kExitOk) console.out << service << ": its own counters are unregistered\n";
  return code;
}

}  // namespace winperf
