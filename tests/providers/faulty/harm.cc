#include "tests/providers/faulty/harm.h"

#include <array>
#include <chrono>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/providers/faulty/harm_of_system.h"

namespace faulty {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kLeakBytes = 16 * 1024 * 1024;
constexpr int kHandles = 200;
constexpr int kThreads = 50;

// The condition is always true, which the compiler can't know, so it accepts the recursion.
volatile bool deeper = true;

int recurse(int depth) {
  volatile char room[512] = {};
  room[0] = static_cast<char>(depth);
  return deeper ? recurse(depth + 1) + room[0] : room[0];
}

// Larger than what allocators keep in caches that they don't check.
constexpr std::size_t kBlockBytes = 2'000;
constexpr std::size_t kTooMany =
    1'024;  // into the head of the next block, whatever stands before it

void smash_heap() {
  std::array<char* volatile, 64> blocks{};
  for (auto& block : blocks) block = static_cast<char*>(std::malloc(kBlockBytes));
  for (auto& block : blocks)
    for (std::size_t i = 0; i < kTooMany; ++i)
      const_cast<volatile char*>(block)[kBlockBytes + i] = 'A';
  for (auto& block : blocks) std::free(block);
  for (std::size_t i = 1; i <= 1'000; ++i) {
    void* volatile block = std::malloc(i * 100);
    std::free(block);
  }
}

void leak() {
  auto* const block = static_cast<volatile char*>(std::malloc(kLeakBytes));
  if (block == nullptr) return;
  for (std::size_t i = 0; i < kLeakBytes; i += kPageBytes) block[i] = 1;
}

void spin() {
  for (volatile bool on = true; on;) {
  }
}

void change_locale() {
  // The first that exists; each writes numbers with a comma, or at least is not "C".
  for (const char* const name : {"de_DE.UTF-8", "de_DE", "German_Germany", "C.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  change_thread_locale();
}

void overrun(std::byte* past, std::size_t bytes) {
  for (std::size_t i = 0; past != nullptr && i < bytes; ++i)
    static_cast<volatile std::byte*>(past)[i] = std::byte{0xEE};
}

struct Harm {
  std::string_view word;
  void (*act)(std::byte* past);
};

constexpr Harm kHarms[] = {
    {"av", [](std::byte*) { write_to_nowhere(); }},
    {"exit", [](std::byte*) { std::exit(3); }},
    {"terminate", [](std::byte*) { end_process(); }},
    {"abort", [](std::byte*) { std::abort(); }},
    {"cxx", [](std::byte*) { throw std::runtime_error("the provider's own exception"); }},
    {"stack", [](std::byte*) { recurse(0); }},
    {"heap", [](std::byte*) { smash_heap(); }},
    {"hang", [](std::byte*) { hang(); }},
    {"spin", [](std::byte*) { spin(); }},
    {"slow", [](std::byte*) { std::this_thread::sleep_for(std::chrono::seconds(3)); }},
    {"close_handles", [](std::byte*) { close_foreign_handles(); }},
    {"handles", [](std::byte*) { open_handles(kHandles); }},
    {"leak", [](std::byte*) { leak(); }},
    {"threads", [](std::byte*) { start_endless_threads(kThreads); }},
    {"thread_left", [](std::byte*) { start_crashing_thread(); }},
    {"fpu", [](std::byte*) { unmask_fpu(); }},
    {"locale", [](std::byte*) { change_locale(); }},
    {"cwd",
     [](std::byte*) {
       std::error_code ignored;
       std::filesystem::current_path(std::filesystem::current_path(ignored).root_path(), ignored);
     }},
    {"priority", [](std::byte*) { lower_priority(); }},
    {"overrun16", [](std::byte* past) { overrun(past, 16); }},
    {"overrun16m", [](std::byte* past) { overrun(past, std::size_t{16} * 1024 * 1024); }},
    {"overrun64k", [](std::byte* past) { overrun(past, std::size_t{64} * 1024); }},
};

constexpr std::string_view word_of(Point point) {
  constexpr std::string_view kWords[] = {"open", "collect", "close", "perflib", "data",
                                         "v2",   "clock",   "names", "key"};
  return kWords[static_cast<std::size_t>(point)];
}

}  // namespace

void write_to_nowhere() {
  volatile int* volatile nowhere = nullptr;  // volatile: otherwise the compiler removes the write
  *nowhere = 1;
}

std::vector<std::string_view> words() {
  std::vector<std::string_view> words;
  for (const Harm& harm : kHarms) words.push_back(harm.word);
  return words;
}

bool perform(std::string_view word, std::byte* past) {
  for (const Harm& harm : kHarms) {
    if (harm.word != word) continue;
    harm.act(past);
    return true;
  }
  return false;
}

std::string fault_told(Point point, const std::filesystem::path& control_file) {
  std::string fault;
  std::ifstream(control_file) >> fault;
  const std::size_t split = fault.rfind('_');  // words contain underscores, points don't
  if (split == std::string::npos || fault.substr(split + 1) != word_of(point)) return {};
  return fault.substr(0, split);
}

void fault_at(Point point, const std::filesystem::path& control_file, std::byte* past) {
  perform(fault_told(point, control_file), past);
}

}  // namespace faulty
