#include "service/commands/new_file.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "service/console/exit_code.h"
#include "service/run/key_file.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoFolder = "its folder does not exist; create it, or correct the name";

fs::path with_suffix(fs::path file, const char* suffix) { return file += suffix; }

std::string cannot(const std::string& name, const std::string& reason) {
  return name + " cannot be written: " + reason;
}

// A temporary file next to another one, which it replaces or is deleted.
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
    if (!fs::is_directory(folder, ignored)) return cannot(name_, kNoFolder);
    if (!force && fs::exists(file_, ignored))
      return name_ + " already exists; use --force to overwrite it";
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
    return "the certificate and its key need separate files, but both are " + files.key;
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

namespace {

std::expected<void, FileFailure> write_text(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::remove(file, ignored);  // it may be a link to another one
  return write_whole_file(file, std::as_bytes(std::span(text)));
}

std::expected<void, FileFailure> write_beside(const fs::path& file, const std::string& text) {
  const fs::path beside = with_suffix(file, ".new");
  auto written = write_text(beside, text);
  if (written) written = rename_file(beside, file);
  std::error_code ignored;
  if (!written) fs::remove(beside, ignored);
  return written;
}

bool holds(const fs::path& file, const std::string& text) {
  const auto content = read_whole_file(file, text.size());
  return content && std::ranges::equal(*content, std::as_bytes(std::span(text)));
}

}  // namespace

int write_new_file(const std::string& name, const std::string& text, bool force, int kept) {
  const fs::path file = path_of(name);
  if (const auto wrong = never_a_file(file)) return fail(cannot(name, *wrong));
  std::error_code ignored;  // if it can't be read, writing fails, too
  if (!force && fs::exists(file, ignored)) {
    (kept == kExitOk ? std::cout : std::cerr) << name << ": already exists and was not changed\n";
    return kept;
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) return fail(cannot(name, kNoFolder));
  if (const auto written = write_beside(file, text); !written)
    return fail(cannot(name, written.error().reason));
  std::cout << name << ": written\n";
  return kExitOk;
}

int remove_unchanged_file(const std::string& name, const std::string& text) {
  const fs::path file = path_of(name);
  if (!holds(file, text)) {
    std::cout << name << ": has been changed, so it was not removed\n";
    return kExitOk;
  }
  std::error_code error;
  fs::remove(file, error);
  if (error) return fail(name + " cannot be removed: " + system_text(error));
  std::cout << name << ": removed\n";
  return kExitOk;
}

fs::path backup_of(fs::path file) { return with_suffix(std::move(file), ".bak"); }

std::optional<std::string> change_file(const fs::path& file, const std::string& text,
                                       bool keep_backup) {
  // The new file would replace the link and not change the file that it leads to.
  if (is_link(file)) return path_text(file) + " is a link; name the file that it leads to";
  const fs::path beside = with_suffix(file, ".new");
  const fs::path before = keep_backup ? backup_of(file) : with_suffix(file, ".old");
  std::error_code ignored;
  std::optional<std::string> problem;
  if (const auto written = write_text(beside, text); !written) {
    problem = cannot(path_text(beside), written.error().reason);
  } else if (const auto failure = take_place(beside, file, before)) {
    problem = path_text(file) + " cannot be replaced: " + *failure;
  }
  fs::remove(beside, ignored);
  if (!keep_backup) fs::remove(before, ignored);
  return problem;
}

std::optional<std::string> restore_file(const fs::path& file) {
  const fs::path before = backup_of(file);
  std::error_code ignored;
  if (!fs::exists(before, ignored)) return std::nullopt;
  const fs::path failed = with_suffix(file, ".old");
  const auto failure = take_place(before, file, failed);
  fs::remove(failed, ignored);
  if (failure)
    return path_text(file) + " cannot be replaced by " + path_text(before) + ": " + *failure;
  return std::nullopt;
}

}  // namespace winperf
