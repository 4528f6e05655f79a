#include "tests/providers/faulty/provider.h"

#include <cstring>
#include <string>

#include "tests/providers/faulty/data_harm.h"
#include "tests/providers/faulty/harm.h"

namespace faulty {
namespace {

constexpr std::uint32_t kSuccess = 0;
constexpr std::uint32_t kMoreData = 234;

Answer answer_to(const Call& call, const Wanted& wanted, const std::string& word) {
  Answer answer;
  const bool data = !wanted.metadata;
  if (wanted.device) {
    answer.bytes = device_bytes(call.titles, call.tenths, data);
    answer.objects = 1;
  }
  if (wanted.parts) {
    Parts parts = honest_parts(call.tenths);
    if (data) spoil_parts(word, parts);
    answer.parts_at = answer.bytes.size();
    answer.has_parts = true;
    const Bytes bytes = parts_bytes(call.titles, parts, data);
    answer.bytes.insert(answer.bytes.end(), bytes.begin(), bytes.end());
    ++answer.objects;
    if (data) spoil_bytes(word, answer);
  }
  answer.reported = answer.moved = static_cast<std::uint32_t>(answer.bytes.size());
  if (data) spoil_report(word, answer);
  return answer;
}

}  // namespace

std::uint32_t collect(const Call& call, std::byte*& data, std::uint32_t& bytes,
                      std::uint32_t& objects) {
  const std::uint32_t room = bytes;
  bytes = 0;
  objects = 0;
  const std::string word = fault_told(Point::kData, call.control_file);
  Wanted wanted = wanted_by(call.query, call.titles);
  wanted.parts |= is_everywhere(word);
  if (!wanted.device && !wanted.parts) return kSuccess;
  fault_at(Point::kCollect, call.control_file, data + room);

  const Answer answer = answer_to(call, wanted, word);
  if (answer.status != kSuccess) return answer.status;
  if (answer.bytes.size() > room) return kMoreData;
  if (!answer.bytes.empty()) std::memcpy(data, answer.bytes.data(), answer.bytes.size());
  data += answer.moved;
  bytes = answer.reported;
  objects = answer.objects;
  return kSuccess;
}

}  // namespace faulty
