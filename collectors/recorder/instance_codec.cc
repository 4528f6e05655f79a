#include "collectors/recorder/instance_codec.h"

#include <array>
#include <bit>
#include <utility>

namespace winperf::recorder {
namespace {

// Low bits of numbers, about as many as most of them have.
constexpr unsigned kLowOfCount = 4;
constexpr unsigned kLowOfDuplicate = 1;
constexpr unsigned kLowOfId = 10;
constexpr unsigned kLowOfTime = 56;
constexpr unsigned kLowOfLength = 4;

// No more are ever read, whatever the data says.
constexpr std::uint64_t kMostInstances = 1U << 22U;

// The ids of an instance, as numbers.
using Ids = std::array<std::pair<std::optional<std::uint64_t>, unsigned>, 5>;

Ids ids_of(const InstanceSchema& instance) {
  return {{{instance.unique_id, kLowOfId},
           {instance.process_id, kLowOfId},
           {instance.thread_id, kLowOfId},
           {instance.owner, kLowOfId},
           {instance.started, kLowOfTime}}};
}

void set_ids(const std::array<std::optional<std::uint64_t>, std::tuple_size_v<Ids>>& ids,
             InstanceSchema& instance) {
  instance.unique_id.reset();
  if (ids[0]) instance.unique_id = static_cast<std::uint32_t>(*ids[0]);
  instance.process_id = ids[1];
  instance.thread_id = ids[2];
  instance.owner = ids[3];
  instance.started = ids[4];
}

// An input of a few bytes may not ask for an amount of memory that has nothing to do with it.
constexpr std::uint64_t kCopiesAtLeast = 1U << 16U;
constexpr std::uint64_t kCopiesOfByte = 256;

unsigned low_of_text(std::size_t texts) { return static_cast<unsigned>(std::bit_width(texts)); }

// Which instances continue which; of an object without instances, each that is where it was.
std::vector<std::uint32_t> instances_before(const Frame& frame, std::size_t before,
                                            bool is_multi_instance) {
  const std::size_t count = frame.instances->instances.size();
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < count; ++i)
    result.push_back(is_multi_instance ? row_before(frame, i) : i < before ? i : kNewInstance);
  return result;
}

}  // namespace

void InstanceWriter::write(const Frame& frame, bool is_multi_instance) {
  const InstanceSet& set = *frame.instances;
  if (!is_multi_instance) out_.flag(row_before(frame, 0) == kNewInstance);
  const bool stays = before_ != nullptr && frame.rows_before.empty() &&
                     (before_ == &set || before_->instances == set.instances);
  const bool is_alike = before_ != nullptr && !is_multi_instance &&
                        (before_ == &set || before_->instances == set.instances);
  out_.flag(stays || is_alike);
  if (stays || is_alike) {
    before_ = &set;
    return;
  }
  const std::size_t count_before =
      before_ != nullptr ? before_->instances.size() : set.instances.size();
  const auto before = instances_before(frame, count_before, is_multi_instance);
  out_.number(set.instances.size(), kLowOfCount);
  std::uint32_t expected = 0;
  OrdinalGuess guess;
  for (const Run& run : runs_of(set, before)) {
    out_.number(run.count - 1, kLowOfCount);
    out_.flag(run.before == kNewInstance);
    if (run.before != kNewInstance) {
      out_.number(zigzag(std::uint64_t{run.before} - expected), 0);
      out_.flag(run.is_described);
      expected = run.before + run.count;
    }
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const InstanceSchema& now = set.instances[run.first + i];
      const InstanceSchema* old = run.before == kNewInstance || before_ == nullptr
                                      ? nullptr
                                      : &before_->instances[run.before + i];
      if (run.is_described) describe(now, old != nullptr ? guess.continued(*old) : guess.created());
      guess.note(now, old);
    }
  }
  before_ = &set;
}

std::vector<InstanceWriter::Run> InstanceWriter::runs_of(
    const InstanceSet& set, const std::vector<std::uint32_t>& before) const {
  std::vector<Run> runs;
  OrdinalGuess guess;
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    const bool is_new = before[i] == kNewInstance;
    const InstanceSchema* old =
        is_new || before_ == nullptr ? nullptr : &before_->instances[before[i]];
    const InstanceSchema& now = set.instances[i];
    const bool is_described = old == nullptr || guess.continued(*old) != now;
    guess.note(now, old);
    const bool continues_run = !runs.empty() && runs.back().is_described == is_described &&
                               (is_new ? runs.back().before == kNewInstance
                                       : runs.back().before != kNewInstance &&
                                             runs.back().before + runs.back().count == before[i]);
    if (!continues_run)
      runs.push_back({.first = i, .before = before[i], .is_described = is_described});
    ++runs.back().count;
  }
  return runs;
}

void InstanceWriter::describe(const InstanceSchema& instance, const InstanceSchema& predicted) {
  const bool has_name = instance.name != predicted.name || instance.parent != predicted.parent;
  out_.flag(has_name);
  if (has_name) {
    text(instance.name);
    text(instance.parent);
  }
  changed_number(instance.ordinal, predicted.ordinal, kLowOfCount);
  changed_number(instance.duplicate, predicted.duplicate, kLowOfDuplicate);
  const Ids now = ids_of(instance);
  const Ids before = ids_of(predicted);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto& [id, low] = now[i];
    out_.flag(id != before[i].first);
    if (id == before[i].first) continue;
    out_.flag(id.has_value());
    if (id) out_.number(*id, low);
  }
  const bool has_labels = instance.labels != predicted.labels;
  out_.flag(has_labels);
  if (!has_labels) return;
  out_.number(instance.labels.size(), kLowOfDuplicate);
  for (const InstanceLabel& label : instance.labels) {
    text(label.name);
    text(label.value);
  }
}

void InstanceWriter::changed_number(std::uint32_t now, std::uint32_t predicted, unsigned low) {
  out_.flag(now != predicted);
  if (now != predicted) out_.number(now, low);
}

void InstanceWriter::text(const std::string& text) {
  const unsigned low = low_of_text(texts_.size());
  const auto [entry, is_new] = texts_.try_emplace(text, texts_.size() + 1);
  out_.number(is_new ? 0 : entry->second, low);
  if (!is_new) return;
  out_.number(text.size(), kLowOfLength);
  for (const char c : text) out_.bits(static_cast<unsigned char>(c), 8);
}

InstanceReader::InstanceReader(std::shared_ptr<const InstanceSet> before, std::size_t rows_before,
                               BitReader& in)
    : before_(std::move(before)),
      rows_before_(rows_before),
      in_(in),
      copies_left_(kCopiesAtLeast + kCopiesOfByte * (in.bits_left() / 8)) {}

bool InstanceReader::read(Frame& frame, bool is_multi_instance) {
  const bool is_new_row = !is_multi_instance && in_.flag();
  const bool stays = in_.flag();
  if (stays && before_ == nullptr) in_.fail();
  if (in_.failed()) return false;
  if (stays) {
    frame.instances = before_;
    frame.rows = rows_before_;
  } else {
    auto set = std::make_shared<InstanceSet>();
    std::vector<std::uint32_t> before;
    next_before_ = 0;
    guess_ = {};
    taken_.assign(before_ != nullptr ? before_->instances.size() : 0, false);
    const std::uint64_t count = in_.number(kLowOfCount);
    if (count > kMostInstances) in_.fail();
    while (!in_.failed() && set->instances.size() < count)
      if (!read_run(*set, before, count)) in_.fail();
    if (in_.failed()) return false;
    frame.rows = is_multi_instance ? set->instances.size() : 1;
    if (is_multi_instance) frame.rows_before = std::move(before);
    if (before_ != nullptr) forget_if_same(frame, rows_before_);
    frame.instances = std::move(set);
  }
  if (!is_multi_instance && is_new_row) frame.rows_before = {kNewInstance};
  before_ = frame.instances;
  rows_before_ = frame.rows;
  return true;
}

bool InstanceReader::read_run(InstanceSet& set, std::vector<std::uint32_t>& before,
                              std::uint64_t count) {
  const std::uint64_t run = in_.number(kLowOfCount);
  if (run >= count - set.instances.size()) return false;
  const bool is_new = in_.flag();
  std::uint64_t from = kNewInstance;
  bool is_described = true;
  if (!is_new) {
    from = next_before_ + from_zigzag(in_.number(0));
    is_described = in_.flag();
    const std::uint64_t end = before_ != nullptr ? taken_.size() : kMostInstances;
    if (from >= end || run >= end - from || (before_ == nullptr && !is_described)) return false;
    next_before_ = static_cast<std::uint32_t>(from + run + 1);
  }
  for (std::uint64_t i = 0; i <= run && !in_.failed(); ++i) {
    if (copies_left_-- == 0) return false;
    const InstanceSchema* old = nullptr;
    if (!is_new && before_ != nullptr) {
      if (taken_[from + i]) return false;
      taken_[from + i] = true;
      old = &before_->instances[from + i];
    }
    InstanceSchema predicted = old != nullptr ? guess_.continued(*old) : guess_.created();
    set.instances.push_back(is_described ? described(std::move(predicted)) : std::move(predicted));
    before.push_back(is_new ? kNewInstance : static_cast<std::uint32_t>(from + i));
    guess_.note(set.instances.back(), old);
  }
  return !in_.failed();
}

InstanceSchema InstanceReader::described(InstanceSchema instance) {
  if (in_.flag()) {
    instance.name = text();
    instance.parent = text();
  }
  if (in_.flag()) instance.ordinal = static_cast<std::uint32_t>(in_.number(kLowOfCount));
  if (in_.flag()) instance.duplicate = static_cast<std::uint32_t>(in_.number(kLowOfDuplicate));
  const Ids predicted = ids_of(instance);
  std::array<std::optional<std::uint64_t>, std::tuple_size_v<Ids>> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = predicted[i].first;
    if (!in_.flag()) continue;
    ids[i].reset();
    if (in_.flag()) ids[i] = in_.number(predicted[i].second);
  }
  set_ids(ids, instance);
  if (!in_.flag()) return instance;
  instance.labels.clear();
  const std::uint64_t count = in_.number(kLowOfDuplicate);
  for (std::uint64_t i = 0; i < count && !in_.failed(); ++i) {
    InstanceLabel& label = instance.labels.emplace_back();
    label.name = text();
    label.value = text();
  }
  return instance;
}

std::string InstanceReader::text() {
  const std::uint64_t number = in_.number(low_of_text(texts_.size()));
  if (number > texts_.size()) in_.fail();
  if (in_.failed()) return {};
  if (number != 0) return texts_[number - 1];
  const std::uint64_t length = in_.number(kLowOfLength);
  if (length > in_.bits_left() / 8) in_.fail();
  std::string text;
  for (std::uint64_t i = 0; i < length && !in_.failed(); ++i)
    text.push_back(static_cast<char>(in_.bits(8)));
  texts_.push_back(text);
  return text;
}

}  // namespace winperf::recorder
