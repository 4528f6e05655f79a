// Parses what a consumer requests: the text that Collect receives.
//
// "Global", or no text, requests everything; "MetadataGlobal" requests the definitions of
// everything; and a list of decimal indices requests these objects. In a list, words that aren't
// indices are ignored. "Costly", "MetadataCostly" (nothing here is costly), "Foreign ..." (another
// machine) and any other text request nothing. Case does not matter. Consumers add the prefix OLD_
// to leave out V2 providers; it means nothing to a V1 provider, and Wine passes it on. Source:
// Learn, PM_COLLECT_PROC, and "Using the Registry Functions to Consume Counter Data".
#pragma once

#include <windows.h>

#include <vector>

namespace sysperf {

class Query {
 public:
  // `text`: any text, or nullptr. It is copied.
  static Query parse(const wchar_t* text);

  // Whether the object with this title index is requested.
  bool wants(DWORD object_index) const;
  // Whether only definitions are requested, without instances and counter blocks.
  bool metadata_only() const { return metadata_only_; }

 private:
  bool everything_ = false;
  bool metadata_only_ = false;
  std::vector<DWORD> indices_;
};

}  // namespace sysperf
