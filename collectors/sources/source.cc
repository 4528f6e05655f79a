#include "collectors/sources/source.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include "collectors/base/file_failure.h"

namespace winperf {
namespace {

ErrorCode code_of(FileProblem problem) {
  if (problem == FileProblem::kAbsent) return ErrorCode::kNoSuchFile;
  if (problem == FileProblem::kNotAFile) return ErrorCode::kNotAFile;
  return problem == FileProblem::kTooLarge ? ErrorCode::kLimitExceeded : ErrorCode::kOsError;
}

}  // namespace

ReplyBlocks::ReplyBlocks(std::initializer_list<Bytes> blocks) {
  for (const Bytes& bytes : blocks) push_back(bytes);
}

ReplyBlocks::ReplyBlocks(const ReplyBlocks& other) {
  for (const Bytes& bytes : other.bytes_) push_back(bytes);
}

ReplyBlocks& ReplyBlocks::operator=(const ReplyBlocks& other) {
  if (this != &other) *this = ReplyBlocks(other);
  return *this;
}

ReplyBlocks::Walked ReplyBlocks::walk(const Bytes& bytes) {
  Walked walked{.block = BlockView::parse(bytes), .first_object = views_.size()};
  if (!walked.block) return walked;
  ObjectWalk objects = walked.block->objects();
  while (const auto object = objects.next()) {
    if (*object)
      views_.push_back(**object);
    else
      walked.problems.push_back(object->error());
  }
  walked.object_count = views_.size() - walked.first_object;
  return walked;
}

void ReplyBlocks::push_back(Bytes bytes) {
  const auto block = static_cast<std::uint32_t>(walked_.size());
  const Walked& walked = walked_.emplace_back(walk(bytes));
  bytes_.push_back(std::move(bytes));  // the bytes stay where they are
  const auto before = static_cast<std::ptrdiff_t>(objects_.size());
  const std::span<const ObjectView> objects = objects_of(walked);
  if (objects_.empty()) objects_.reserve(objects.size());
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    objects_.push_back({objects[i].index(), block, i});
  const auto added = objects_.begin() + before;
  // A stable sort would need memory.
  std::ranges::sort(added, objects_.end(), {},
                    [](const Place& at) { return std::pair(at.index, at.object); });
  std::ranges::inplace_merge(objects_, added, {}, &Place::index);
}

void ReplyBlocks::append(ReplyBlocks more) {
  const auto blocks = static_cast<std::uint32_t>(walked_.size());
  const auto before = static_cast<std::ptrdiff_t>(objects_.size());
  std::ranges::move(more.bytes_, std::back_inserter(bytes_));
  for (Walked& walked : more.walked_) {
    walked.first_object += views_.size();
    walked_.push_back(std::move(walked));
  }
  views_.insert(views_.end(), more.views_.begin(), more.views_.end());
  for (const Place& place : more.objects_)
    objects_.push_back({place.index, blocks + place.block, place.object});
  std::ranges::inplace_merge(objects_, objects_.begin() + before, {}, &Place::index);
}

void ReplyBlocks::clear() {
  bytes_.clear();
  walked_.clear();
  views_.clear();
  objects_.clear();
}

bool ReplyBlocks::is_sound() const {
  return std::ranges::all_of(walked_, [](const Walked& walked) {
    return walked.block.has_value() && walked.problems.empty();
  });
}

std::vector<Error> ReplyBlocks::problems() const {
  std::vector<Error> all;
  for (const Walked& walked : walked_) {
    if (!walked.block) all.push_back(walked.block.error());
    all.insert(all.end(), walked.problems.begin(), walked.problems.end());
  }
  return all;
}

void ReplyBlocks::put_in_order(std::span<const ObjectIndex> indices,
                               std::vector<Place>& places) const {
  places.clear();
  if (indices.empty()) places = objects_;
  for (const ObjectIndex index : indices) {
    const auto found = objects_with(index);
    places.insert(places.end(), found.begin(), found.end());
  }
  std::ranges::sort(places, {}, [](const Place& at) { return std::pair(at.block, at.object); });
}

std::span<const ReplyBlocks::Place> ReplyBlocks::objects_with(ObjectIndex index) const {
  const auto found = std::ranges::equal_range(objects_, index, {}, &Place::index);
  return {found.begin(), found.end()};
}

bool ReplyBlocks::has_values_of(ObjectIndex index) const {
  return std::ranges::any_of(objects_with(index),
                             [&](const Place& place) { return !view(place).metadata_only(); });
}

std::expected<Reply, Error> reply_of(std::expected<Bytes, Error> block, ReplyBlocks empty) {
  if (!block) return std::unexpected(block.error());
  Reply reply{.blocks = std::move(empty)};
  reply.blocks.push_back(*std::move(block));
  return reply;
}

std::uint64_t size_of(const Reply& reply) {
  std::uint64_t bytes = reply.logged_bytes;
  for (const Bytes& block : reply.blocks) bytes += block.size();
  return bytes;
}

std::optional<Error> reason_of(const Reply& reply, std::span<const ObjectIndex> objects) {
  std::optional<Error> awaited;
  for (const MissingObject& missing : reply.missing) {
    if (std::ranges::find(objects, missing.object) != objects.end()) return missing.reason;
    if (missing.object == ObjectIndex{} && missing.reason.code == ErrorCode::kPending)
      awaited = missing.reason;
  }
  return awaited;
}

std::expected<std::size_t, Error> CounterSource::query_in(const ReplyRoom& room,
                                                          std::string_view value_name,
                                                          StopToken stop) {
  const auto reply = query(value_name, std::move(stop));
  if (!reply) return std::unexpected(reply.error());
  if (reply->blocks.size() != 1)
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "source.query_in"});
  const Bytes& block = reply->blocks.front();
  const Error too_large{.code = ErrorCode::kBufferLimit,
                        .where = "source.query_in",
                        .actual = block.size(),
                        .limit = room.size()};
  if (block.size() > room.size()) return std::unexpected(too_large);
  try {
    std::ranges::copy(block, room.first(block.size()).begin());
  } catch (const std::bad_alloc&) {
    return std::unexpected(too_large);
  }
  return block.size();
}

Error file_error(const FileFailure& failure, const char* where, std::uint64_t max_bytes) {
  const bool too_large = failure.problem == FileProblem::kTooLarge;
  return {.code = code_of(failure.problem),
          .where = where,
          .actual = too_large ? failure.bytes : 0,
          .limit = too_large ? max_bytes : 0,
          .os_code = static_cast<std::uint32_t>(failure.cause.value())};
}

Error with_supplier(Error error, const char* supplier) {
  if (supplier == nullptr) return error;
  error.where = kept_text(std::string(supplier) + " in " + error.where, supplier);
  return error;
}

}  // namespace winperf
