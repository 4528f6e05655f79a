#include "collectors/facts/win/task_walk.h"

#include <string>

#include "collectors/facts/refusals.h"
#include "collectors/facts/win/com.h"
#include "collectors/facts/win/task_row.h"

namespace winperf {
namespace {

// Windows' own code, if the result is made of one.
DWORD code_of(HRESULT result) {
  return HRESULT_FACILITY(result) == FACILITY_WIN32 ? static_cast<DWORD>(HRESULT_CODE(result))
                                                    : static_cast<DWORD>(result);
}

VARIANT index_of(LONG number) {
  VARIANT index{};
  index.vt = VT_I4;
  index.lVal = number;
  return index;
}

class Walk {
 public:
  explicit Walk(FactTable& table) : table_(table) {}

  HRESULT enter(ITaskFolder& folder, int depth) {
    UniqueCom<IRegisteredTaskCollection> tasks;
    UniqueCom<ITaskFolderCollection> folders;
    HRESULT result = folder.GetTasks(TASK_ENUM_HIDDEN, tasks.put());
    if (SUCCEEDED(result)) result = folder.GetFolders(0, folders.put());
    if (FAILED(result)) return result;
    result = for_each<IRegisteredTask>(tasks, refused_tasks_, [this](IRegisteredTask& task) {
      return table_.rows.size() < kMaxFactRows ? add_task(task, table_) : S_OK;
    });
    if (FAILED(result)) return result;
    return for_each<ITaskFolder>(folders, refused_folders_, [this, depth](ITaskFolder& inner) {
      if (depth < kMaxTaskFolderDepth && ++folders_ < kMaxTaskFolders)
        return enter(inner, depth + 1);
      ++left_out_;
      return S_OK;
    });
  }

  void report() const {
    refused_tasks_.report(table_);
    refused_folders_.report(table_);
    if (left_out_ > 0)
      table_.problems.push_back(std::to_string(left_out_) +
                                " folders of tasks are left out: there are too many or too deep");
  }

 private:
  // The collection's items are counted from 1. The result is the collection's own.
  template <class Item, class Collection, class Use>
  HRESULT for_each(const UniqueCom<Collection>& items, Refusals& refusals, Use use) {
    LONG count = 0;
    const HRESULT counted = items ? items.get()->get_Count(&count) : E_POINTER;
    if (FAILED(counted)) return counted;
    for (LONG number = 1; number <= count; ++number) {
      UniqueCom<Item> item;
      HRESULT result = items.get()->get_Item(index_of(number), item.put());
      if (SUCCEEDED(result)) result = item ? use(*item.get()) : E_POINTER;
      const DWORD code = code_of(result);
      // One that has been removed meanwhile is no problem.
      if (FAILED(result) && code != ERROR_FILE_NOT_FOUND && code != ERROR_PATH_NOT_FOUND)
        refusals.add(code);
    }
    return S_OK;
  }

  FactTable& table_;
  Refusals refused_tasks_{"scheduled tasks"};
  Refusals refused_folders_{"folders of scheduled tasks"};
  int folders_ = 0;
  int left_out_ = 0;
};

}  // namespace

HRESULT walk_tasks(ITaskFolder& root, FactTable& table) {
  Walk walk(table);
  const HRESULT result = walk.enter(root, 0);
  walk.report();
  return result;
}

}  // namespace winperf
