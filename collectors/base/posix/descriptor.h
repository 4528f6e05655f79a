// A file descriptor that closes itself. Thread rule: as for a value.
#pragma once

#include <unistd.h>

#include <utility>

namespace winperf {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  // Closes it. Returns false, with errno, if written data can't be stored.
  bool finish() { return close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

}  // namespace winperf
