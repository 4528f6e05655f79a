// What answers hold in memory: each piece counts once, however many answers share it. Thread rule:
// one thread.
#pragma once

#include <cstddef>
#include <unordered_set>

#include "exporter/text/shared_text.h"

namespace winperf {

class HeldPieces {
 public:
  void add(const SharedText& text) {
    for (const SharedText::Piece& piece : text.pieces())
      if (pieces_.insert(piece.get()).second) bytes_ += piece->size();
  }
  std::size_t bytes() const { return bytes_; }
  // Bytes of the text that are not held yet.
  std::size_t missing(const SharedText& text) const {
    std::size_t bytes = 0;
    for (const SharedText::Piece& piece : text.pieces())
      if (!pieces_.contains(piece.get())) bytes += piece->size();
    return bytes;
  }

 private:
  std::unordered_set<const std::string*> pieces_;
  std::size_t bytes_ = 0;
};

}  // namespace winperf
