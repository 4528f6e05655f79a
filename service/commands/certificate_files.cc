#include "service/commands/certificate_files.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "service/commands/new_file.h"
#include "service/run/key_file.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

fs::path with_suffix(fs::path file, const char* suffix) { return file += suffix; }

std::string cannot(const std::string& name, const std::string& reason) {
  return name + " cannot be written: " + reason;
}

// A file that is written beside another one, and takes its place or goes.
class NewFile {
 public:
  explicit NewFile(const std::string& name)
      : name_(name), file_(path_of(name)), beside_(with_suffix(file_, ".new")) {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    std::error_code ignored;
    fs::remove(beside_, ignored);
    if (has_old_) fs::remove(old_, ignored);
  }

  std::optional<std::string> problem(bool force) const {
    std::error_code ignored;
    if (const auto wrong = never_a_file(file_)) return cannot(name_, *wrong);
    if (is_link(file_)) return cannot(name_, "it is a link; name the file that it leads to");
    const fs::path folder = file_.has_parent_path() ? file_.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored))
      return cannot(name_, "its folder does not exist; create it, or correct the name");
    if (!force && fs::exists(file_, ignored))
      return name_ + " already exists and was not changed: --force replaces it";
    return std::nullopt;
  }

  std::optional<std::string> write(const std::string& text, bool is_private) {
    std::error_code ignored;
    fs::remove(beside_, ignored);
    if (is_private) {
      const auto written = write_private_file(beside_, text);
      return written ? std::nullopt : std::optional(cannot(name_, written.error()));
    }
    const auto written = write_whole_file(beside_, std::as_bytes(std::span(text)));
    return written ? std::nullopt : std::optional(cannot(name_, written.error().reason));
  }

  std::optional<std::string> take_place() {
    std::error_code ignored;
    if (fs::exists(file_, ignored)) {
      if (const auto kept = rename_file(file_, old_); !kept)
        return cannot(name_, kept.error().reason);
      has_old_ = true;
    }
    if (const auto renamed = rename_file(beside_, file_); !renamed) {
      give_back();
      return cannot(name_, renamed.error().reason);
    }
    return std::nullopt;
  }

  // What was there before, or nothing.
  void give_back() {
    std::error_code ignored;
    if (has_old_)
      (void)rename_file(old_, file_);
    else
      fs::remove(file_, ignored);
    has_old_ = false;
  }

 private:
  const std::string name_;
  const fs::path file_;
  const fs::path beside_;
  const fs::path old_ = with_suffix(file_, ".old");
  bool has_old_ = false;
};

bool are_one_file(const CertificateFiles& files) {
  std::error_code error;
  const auto whole = [&](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(path_of(name), error), error);
  };
  const fs::path certificate = whole(files.certificate);
  return certificate == whole(files.key) ||
         fs::equivalent(path_of(files.certificate), path_of(files.key), error);
}

}  // namespace

std::optional<std::string> write_certificate(const CertificateFiles& files,
                                             const CertificatePair& pair, bool force) {
  if (are_one_file(files))
    return "the certificate and its key need two files, but both are " + files.key;
  NewFile key(files.key);
  NewFile certificate(files.certificate);
  for (const NewFile* const file : {&certificate, &key})
    if (auto problem = file->problem(force)) return problem;
  if (auto problem = key.write(pair.key, true)) return problem;
  if (auto problem = certificate.write(pair.certificate, false)) return problem;
  if (auto problem = certificate.take_place()) return problem;
  if (auto problem = key.take_place()) {
    certificate.give_back();
    return problem;
  }
  return std::nullopt;
}

std::vector<std::string> usable_hosts(const std::vector<std::string>& names) {
  const auto is_usable = [](const std::string& name) {
    return std::ranges::all_of(
        name, [](char c) { return is_letter_or_digit(c) || std::string_view("-._").contains(c); });
  };
  std::vector<std::string> usable;
  std::ranges::copy_if(names, std::back_inserter(usable), is_usable);
  return usable;
}

}  // namespace winperf
