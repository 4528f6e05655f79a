#include "exporter/counters/v2_provider.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "collectors/base/os_code.h"
#include "collectors/base/system_text.h"
#include "collectors/base/utf8.h"
#include "collectors/base/wording.h"

namespace winperf::own {
namespace {

// Of the object that has one; no consumer shows its name.
constexpr char16_t kOnlyInstance[] = u"winperf_exporter";

// PerfLib gives the callback a second.
constexpr std::chrono::milliseconds kLongestWait{500};

// Ids are remembered for names that are gone, but not without end.
constexpr std::size_t kMostIds = 16 * kMaxRows;
constexpr std::uint32_t kIdEnd = 0xFFFF'FFFE;

constexpr std::size_t kMostProblems = 32;
constexpr std::size_t kMostCollections = 256;

// Surrogates become U+FFFD.
std::string message_text(const std::u16string& text) {
  std::string utf8;
  for (const char16_t unit : text) {
    if (unit >= 0xD800 && unit < 0xE000) {
      utf8 += kReplacementCharacter;
    } else {
      append_utf8(utf8, unit);
    }
  }
  return in_quotes(utf8);
}

std::string failure_text(std::uint32_t code) {
  return system_text({static_cast<int>(code), std::system_category()});
}

std::string failure_of(const char* function, std::string_view what, std::uint32_t code) {
  return std::string(function) + " failed for " + std::string(what) + ": " + failure_text(code);
}

std::uint64_t fitting(const CounterRow& row, std::uint64_t value) {
  return row.bytes == sizeof(std::uint32_t) ? value & 0xFFFF'FFFF : value;
}

}  // namespace

OwnProvider::OwnProvider(std::unique_ptr<ProviderFunctions> functions, ClockSource clock)
    : functions_(std::move(functions)), clock_(std::move(clock)) {}

std::expected<void, std::string> OwnProvider::start() {
  if (started_) return {};
  const std::uint32_t started = functions_->start(
      kProviderGuid, [this](ControlRequest request) { return on_control(request); });
  if (started != 0)
    return std::unexpected(failure_of("PerfStartProviderEx", "winperf_exporter", started));
  started_ = true;
  const auto give_up = [&](const char* function, std::string_view what, std::uint32_t code) {
    stop();
    return std::unexpected(failure_of(function, what, code));
  };
  for (const ObjectRow* const object : kObjects)
    if (const std::uint32_t code = functions_->describe(guid_of(*object), *object); code != 0)
      return give_up("PerfSetCounterSetInfo", object->english.name, code);
  const auto instance = functions_->create(kExporterGuid, kOnlyInstance, 0);
  if (!instance)
    return give_up("PerfCreateInstance", kExporterObject.english.name, instance.error());
  {
    const std::lock_guard lock(problems_mutex_);
    failures_ = 0;
    problems_.clear();
  }
  const std::lock_guard lock(mutex_);
  exporter_ = *instance;
  return {};
}

void OwnProvider::stop() {
  if (!std::exchange(started_, false)) return;
  std::vector<ProviderFunctions::Instance> instances;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, live] : countersets_)
      if (live.instance != nullptr) instances.push_back(live.instance);
    countersets_.clear();
    collections_.clear();
    state_ = {};
    if (exporter_ != nullptr) instances.push_back(std::exchange(exporter_, nullptr));
  }
  for (const auto instance : instances) functions_->remove(instance);
  functions_->stop();
}

std::vector<std::string> OwnProvider::show(const OwnState& state) {
  std::vector<ProviderFunctions::Instance> gone;
  std::vector<std::size_t> added;
  {
    const std::lock_guard lock(mutex_);
    if (exporter_ == nullptr) return {};
    if (is_collecting(clock_.steady_now())) {
      if (has_all_names(state)) take(state);
      return take_problems();
    }
    if (!find_changes(state, gone, added)) {
      take(state);
      return take_problems();
    }
    changing_ = true;
  }
  // Collections no longer wait, also where there was no memory for an instance.
  struct Settling {
    OwnProvider& provider;
    ~Settling() {
      {
        const std::lock_guard lock(provider.mutex_);
        provider.changing_ = false;
      }
      provider.changed_.notify_all();
    }
  };
  {
    const Settling settling{*this};
    remove_instances(gone);
    ByName created = create_instances(state, added);
    const std::lock_guard lock(mutex_);
    for (auto& [name, live] : created) countersets_.insert_or_assign(name, live);
    take(state);
  }
  return take_problems();
}

std::uint32_t OwnProvider::on_control(ControlRequest request) {
  switch (request) {
    case ControlRequest::kCollectStart:
      return begin_collection();
    case ControlRequest::kCollectEnd:
      end_collection();
      return value_of(OsCode::kSuccess);
    case ControlRequest::kAddCounter:
    case ControlRequest::kRemoveCounter:
    case ControlRequest::kEnumerateInstances:
      break;
  }
  return value_of(OsCode::kSuccess);
}

std::uint32_t OwnProvider::begin_collection() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kLongestWait, [&] { return !changing_; });
  if (exporter_ == nullptr) return value_of(OsCode::kNoData);
  // Of no state, too: it would be from 1601.
  const std::int64_t age = clock_.wall_now().ticks - state_.written_at;
  if (age > kOldestState || age < -kOldestState) return value_of(OsCode::kNoData);
  const SteadyTime now = clock_.steady_now();
  if (!is_collecting(now) || now - set_at_ >= kLongestHold) {
    set_all();
    set_at_ = now;
  }
  if (collections_.size() == kMostCollections) collections_.erase(collections_.begin());
  collections_.push_back(now);
  return value_of(OsCode::kSuccess);
}

// Which one has ended isn't said. It is taken for the youngest, so that one that hangs grows old.
void OwnProvider::end_collection() {
  const std::lock_guard lock(mutex_);
  if (!collections_.empty()) collections_.pop_back();
}

bool OwnProvider::is_collecting(SteadyTime now) {
  std::erase_if(collections_, [&](SteadyTime begun) { return now - begun >= kLongestCollection; });
  return !collections_.empty();
}

bool OwnProvider::has_all_names(const OwnState& state) const {
  const std::size_t rows = std::min(state.countersets.size(), kMaxRows);
  return rows == countersets_.size() &&
         std::all_of(state.countersets.begin(),
                     state.countersets.begin() + static_cast<std::ptrdiff_t>(rows),
                     [&](const CountersetRow& row) { return countersets_.contains(row.name); });
}

bool OwnProvider::find_changes(const OwnState& state,
                               std::vector<ProviderFunctions::Instance>& gone,
                               std::vector<std::size_t>& added) {
  std::map<std::u16string_view, std::size_t> rows;
  for (std::size_t row = 0; row < std::min(state.countersets.size(), kMaxRows); ++row)
    rows.try_emplace(state.countersets[row].name, row);
  for (auto live = countersets_.begin(); live != countersets_.end();) {
    if (rows.contains(live->first)) {
      ++live;
      continue;
    }
    if (live->second.instance != nullptr) gone.push_back(live->second.instance);
    live = countersets_.erase(live);
  }
  for (const auto& [name, row] : rows) {
    const auto live = countersets_.find(std::u16string(name));
    if (live == countersets_.end() || live->second.instance == nullptr) added.push_back(row);
  }
  return !gone.empty() || !added.empty();
}

void OwnProvider::take(const OwnState& state) {
  state_ = state;
  if (state_.countersets.size() > kMaxRows) state_.countersets.resize(kMaxRows);
  for (std::size_t row = 0; row < state_.countersets.size(); ++row)
    if (const auto live = countersets_.find(state_.countersets[row].name);
        live != countersets_.end())
      live->second.row = row;
}

void OwnProvider::remove_instances(const std::vector<ProviderFunctions::Instance>& gone) {
  for (const auto instance : gone)
    if (const std::uint32_t code = functions_->remove(instance); code != 0)
      note(code, "PerfDeleteInstance", kCountersetObject, "an instance");
}

OwnProvider::ByName OwnProvider::create_instances(const OwnState& state,
                                                  const std::vector<std::size_t>& rows) {
  ByName created;
  for (const std::size_t row : rows) {
    const CountersetRow& counterset = state.countersets[row];
    const auto instance =
        functions_->create(kCountersetGuid, counterset.name, id_of(counterset.name));
    // One that failed is tried again with the next state.
    created.emplace(counterset.name, Live{instance.value_or(nullptr), row});
    if (instance) {
      set_counterset(*instance, counterset);
    } else {
      note(instance.error(), "PerfCreateInstance", kCountersetObject,
           "the instance " + message_text(counterset.name));
    }
  }
  return created;
}

std::uint32_t OwnProvider::id_of(const std::u16string& name) {
  if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
  if (ids_.size() >= kMostIds)
    std::erase_if(ids_, [&](const auto& known) { return !countersets_.contains(known.first); });
  if (next_id_ >= kIdEnd) next_id_ = 1;
  return ids_.emplace(name, next_id_++).first->second;
}

void OwnProvider::set_all() {
  set_exporter(exporter_, state_);
  for (const auto& [name, live] : countersets_)
    if (live.instance != nullptr) set_counterset(live.instance, state_.countersets[live.row]);
}

void OwnProvider::set_exporter(ProviderFunctions::Instance instance, const OwnState& state) {
  for (std::size_t row = 0; row < kExporterValues; ++row) {
    const auto value = row == index_of(ExporterValue::kStateNumber) ? std::optional(state.number)
                                                                    : state.exporter[row];
    set(instance, kExporterObject, row, value);
  }
  set_clock(instance, kExporterObject);
}

void OwnProvider::set_counterset(ProviderFunctions::Instance instance, const CountersetRow& row) {
  for (std::size_t i = 0; i < kCountersetValues; ++i)
    set(instance, kCountersetObject, i, row.values[i]);
  set_clock(instance, kCountersetObject);
}

void OwnProvider::set(ProviderFunctions::Instance instance, const ObjectRow& object,
                      std::size_t row, std::optional<std::uint64_t> value) {
  const CounterRow& counter = object.counters[row];
  const auto id = static_cast<std::uint32_t>(row);
  const std::uint32_t code =
      value ? functions_->set(instance, id, counter.bytes, fitting(counter, *value))
            : functions_->set_unknown(instance, id);
  if (code == 0) return;
  const char* const by_value = counter.bytes == sizeof(std::uint32_t)
                                   ? "PerfSetULongCounterValue"
                                   : "PerfSetULongLongCounterValue";
  note(code, is_by_reference(object, counter) ? "PerfSetCounterRefValue" : by_value, object,
       counter.english.name);
}

void OwnProvider::set_clock(ProviderFunctions::Instance instance, const ObjectRow& object) {
  const auto now = static_cast<std::uint64_t>(clock_.wall_now().ticks);
  for (const auto& [id, value] :
       {std::pair{kTimeId, now}, std::pair{kFrequencyId, std::uint64_t{kTicks100nsPerSecond}}})
    if (const std::uint32_t code = functions_->set(instance, id, sizeof(value), value); code != 0)
      note(code, "PerfSetULongLongCounterValue", object, "the clock");
}

void OwnProvider::note(std::uint32_t code, const char* function, const ObjectRow& object,
                       std::string_view what) {
  const std::lock_guard lock(problems_mutex_);
  ++failures_;
  if (problems_.size() >= kMostProblems) return;
  problems_.try_emplace(
      {function, &object, code},
      failure_of(function, std::string(what) + " of " + object.english.name, code));
}

std::vector<std::string> OwnProvider::take_problems() {
  const std::lock_guard lock(problems_mutex_);
  std::vector<std::string> sentences;
  for (auto& [cause, sentence] : problems_)
    if (!sentence.empty()) sentences.push_back(std::exchange(sentence, {}));
  return sentences;
}

std::uint64_t OwnProvider::failures() const {
  const std::lock_guard lock(problems_mutex_);
  return failures_;
}

}  // namespace winperf::own
