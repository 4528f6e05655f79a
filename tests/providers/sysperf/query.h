// What a consumer asks a provider for: the text that Collect is given, parsed.
//
// "Global" (and no text at all) is everything, "MetadataGlobal" the definitions of everything, a
// list of decimal indices the objects with these indices; what isn't a number in a list, or is too
// large for an index, is ignored. "Costly", "MetadataCostly" (nothing here is costly), "Foreign
// ..." (another machine) and any other text are nothing. Words match whatever their case. An OLD_
// in front of them, with which a consumer leaves out V2 providers, makes no difference to a V1
// provider, and Wine hands it through. Source: Learn, PM_COLLECT_PROC, and "Using the Registry
// Functions to Consume Counter Data".
#pragma once

#include <windows.h>

#include <vector>

namespace sysperf {

class Query {
 public:
  // Any text, or nullptr; it is not kept.
  static Query parse(const wchar_t* text);

  // Whether the object with this title index was asked for.
  bool wants(DWORD object_index) const;
  // Whether the definitions suffice: no instances, no counter blocks.
  bool metadata_only() const { return metadata_only_; }

 private:
  bool everything_ = false;
  bool metadata_only_ = false;
  std::vector<DWORD> indices_;
};

}  // namespace sysperf
