// A task scheduler's folders and tasks, which a test owns. Each counts who holds it, so that a test
// sees what was not released. Thread rule: one thread.
#pragma once

#include <windows.h>

// After windows.h.
#include <taskschd.h>

#include <iterator>
#include <list>
#include <string>

#include "collectors/facts/win/com.h"

namespace winperf {

// What nobody calls.
template <class Interface>
class FakeCom : public Interface {
 public:
  virtual ~FakeCom() = default;
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void**) override { return E_NOINTERFACE; }
  ULONG STDMETHODCALLTYPE AddRef() override { return ++holders; }
  ULONG STDMETHODCALLTYPE Release() override { return --holders; }
  HRESULT STDMETHODCALLTYPE GetTypeInfoCount(UINT*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetTypeInfo(UINT, LCID, ITypeInfo**) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetIDsOfNames(REFIID, LPOLESTR*, UINT, LCID, DISPID*) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE Invoke(DISPID, REFIID, LCID, WORD, DISPPARAMS*, VARIANT*, EXCEPINFO*,
                                   UINT*) override {
    return E_NOTIMPL;
  }

  ULONG holders = 0;
};

template <class Interface>
HRESULT hand_out(Interface& item, Interface** to) {
  item.AddRef();
  *to = &item;
  return S_OK;
}

inline HRESULT hand_out(const std::wstring& text, BSTR* to) {
  *to = make_bstr(text).release();
  return S_OK;
}

class FakeTask final : public FakeCom<IRegisteredTask> {
 public:
  std::wstring path = L"\\task";
  HRESULT refusal = S_OK;  // of the path
  TASK_STATE state = TASK_STATE_READY;
  LONG last_result = 0;
  LONG missed_runs = 0;
  DATE last_run = 0;
  DATE next_run = 0;

  ULONG held() const { return holders; }
  HRESULT STDMETHODCALLTYPE get_Name(BSTR*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE get_Path(BSTR* to) override {
    return FAILED(refusal) ? refusal : hand_out(path, to);
  }
  HRESULT STDMETHODCALLTYPE get_State(TASK_STATE* to) override { return *to = state, S_OK; }
  HRESULT STDMETHODCALLTYPE get_Enabled(VARIANT_BOOL*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE put_Enabled(VARIANT_BOOL) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE Run(VARIANT, IRunningTask**) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE RunEx(VARIANT, LONG, LONG, BSTR, IRunningTask**) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE GetInstances(LONG, IRunningTaskCollection**) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE get_LastRunTime(DATE* to) override { return *to = last_run, S_OK; }
  HRESULT STDMETHODCALLTYPE get_LastTaskResult(LONG* to) override {
    return *to = last_result, S_OK;
  }
  HRESULT STDMETHODCALLTYPE get_NumberOfMissedRuns(LONG* to) override {
    return *to = missed_runs, S_OK;
  }
  HRESULT STDMETHODCALLTYPE get_NextRunTime(DATE* to) override { return *to = next_run, S_OK; }
  HRESULT STDMETHODCALLTYPE get_Definition(ITaskDefinition**) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE get_Xml(BSTR*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetSecurityDescriptor(LONG, BSTR*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetSecurityDescriptor(BSTR, LONG) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE Stop(LONG) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetRunTimes(const LPSYSTEMTIME, const LPSYSTEMTIME, DWORD*,
                                        LPSYSTEMTIME*) override {
    return E_NOTIMPL;
  }
};

template <class Collection, class Interface, class Item>
class FakeCollection final : public FakeCom<Collection> {
 public:
  std::list<Item> items;  // a folder holds folders, and a list takes a type that is incomplete here
  HRESULT refusal = S_OK;  // of the number

  HRESULT STDMETHODCALLTYPE get_Count(LONG* to) override {
    return *to = static_cast<LONG>(items.size()), refusal;
  }
  HRESULT STDMETHODCALLTYPE get_Item(VARIANT index, Interface** to) override {
    if (index.vt != VT_I4 || index.lVal < 1) return E_INVALIDARG;
    if (index.lVal > static_cast<LONG>(items.size()))
      return HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND);
    return hand_out<Interface>(*std::next(items.begin(), index.lVal - 1), to);
  }
  HRESULT STDMETHODCALLTYPE get__NewEnum(IUnknown**) override { return E_NOTIMPL; }
  ULONG held() const {
    ULONG all = this->holders;
    for (const Item& item : items) all += item.held();
    return all;
  }
};

class FakeFolder final : public FakeCom<ITaskFolder> {
 public:
  HRESULT refusal = S_OK;
  FakeCollection<IRegisteredTaskCollection, IRegisteredTask, FakeTask> tasks;
  FakeCollection<ITaskFolderCollection, ITaskFolder, FakeFolder> folders;
  LONG flags_for_tasks = -1;

  // Who holds anything in it.
  ULONG held() const { return holders + tasks.held() + folders.held(); }

  HRESULT STDMETHODCALLTYPE get_Name(BSTR*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE get_Path(BSTR*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetFolder(BSTR, ITaskFolder**) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetFolders(LONG flags, ITaskFolderCollection** to) override {
    return flags != 0 ? E_INVALIDARG : hand_out<ITaskFolderCollection>(folders, to);
  }
  HRESULT STDMETHODCALLTYPE CreateFolder(BSTR, VARIANT, ITaskFolder**) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE DeleteFolder(BSTR, LONG) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetTask(BSTR, IRegisteredTask**) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetTasks(LONG flags, IRegisteredTaskCollection** to) override {
    flags_for_tasks = flags;
    return FAILED(refusal) ? refusal : hand_out<IRegisteredTaskCollection>(tasks, to);
  }
  HRESULT STDMETHODCALLTYPE DeleteTask(BSTR, LONG) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE RegisterTask(BSTR, BSTR, LONG, VARIANT, VARIANT, TASK_LOGON_TYPE,
                                         VARIANT, IRegisteredTask**) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE RegisterTaskDefinition(BSTR, ITaskDefinition*, LONG, VARIANT, VARIANT,
                                                   TASK_LOGON_TYPE, VARIANT,
                                                   IRegisteredTask**) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE GetSecurityDescriptor(LONG, BSTR*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetSecurityDescriptor(BSTR, LONG) override { return E_NOTIMPL; }
};

}  // namespace winperf
