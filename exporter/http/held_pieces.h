// What answers hold in memory: each piece counts once, however many answers share it. Thread rule:
// one thread.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "exporter/text/shared_text.h"

namespace winperf {

class HeldPieces {
 public:
  void add(const SharedText& text) {
    for (const SharedText::Piece& piece : text.pieces())
      if (holders_[piece.get()]++ == 0) bytes_ += piece->size();
  }
  // What was added.
  void remove(const SharedText& text) {
    for (const SharedText::Piece& piece : text.pieces()) {
      const auto holders = holders_.find(piece.get());
      if (holders == holders_.end() || --holders->second > 0) continue;
      holders_.erase(holders);
      bytes_ -= piece->size();
    }
  }
  std::size_t bytes() const { return bytes_; }
  // Bytes of the text that are not held yet.
  std::size_t missing(const SharedText& text) const {
    std::size_t bytes = 0;
    for (const SharedText::Piece& piece : text.pieces())
      if (!holders_.contains(piece.get())) bytes += piece->size();
    return bytes;
  }
  // Its part of what it holds: each piece is divided among those that hold it.
  std::size_t share_of(const SharedText& text) const {
    std::size_t bytes = 0;
    for (const SharedText::Piece& piece : text.pieces()) {
      const auto holders = holders_.find(piece.get());
      bytes += piece->size() / (holders == holders_.end() ? 1 : holders->second);
    }
    return bytes;
  }

 private:
  std::unordered_map<const std::string*, std::size_t> holders_;
  std::size_t bytes_ = 0;
};

}  // namespace winperf
