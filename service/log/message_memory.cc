#include "service/log/message_memory.h"

#include <utility>

namespace winperf {
namespace {

constexpr char kCutOff[] = " ...";

std::size_t bytes_of(const LogMessage& message) {
  return message.subject.size() + message.text.size();
}

// Not within a character of UTF-8.
void shorten(std::string& text) {
  std::size_t end = MessageMemory::kMostBytesOfAText;
  if (text.size() <= end) return;
  const auto continues = [&] { return (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U; };
  while (end > 0 && continues()) --end;
  text.resize(end);
  text += kCutOff;
}

}  // namespace

void MessageMemory::add(LogMessage message) {
  shorten(message.subject);
  shorten(message.text);
  bytes_ += bytes_of(message);
  messages_.push_back(std::move(message));
  while (messages_.size() > most_ || (bytes_ > most_bytes_ && messages_.size() > 1)) {
    bytes_ -= bytes_of(messages_.front());
    messages_.pop_front();
  }
}

}  // namespace winperf
