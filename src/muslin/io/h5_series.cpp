// HDF5: the arrays of run.npz as datasets. The library is loaded when a run first writes some, so that
// programs with Muslin inside need neither it nor what it brings along.
#include "muslin/core/check.h"
#include "muslin/io/array_series.h"
#ifdef MUSLIN_HAVE_HDF5
#include <dlfcn.h>
#include <hdf5.h>

#include <functional>
#include <new>
#include <utility>

#include "muslin/io/sha256.h"
#endif

namespace muslin {

#ifdef MUSLIN_HAVE_HDF5

namespace {

constexpr const char* kH5Name = "run.h5";
constexpr unsigned kTruncate = 2;  // H5F_ACC_TRUNC, which calls the library by its name

/// What is used of the library. Throws Error(file) where it is not installed.
struct H5 {
  static const H5& library() {
    static const H5 loaded;
    return loaded;
  }

#define MUSLIN_H5(name) decltype(&::H5##name) const name = function<decltype(&::H5##name)>("H5" #name)
  MUSLIN_H5(open);
  MUSLIN_H5(dont_atexit);
  MUSLIN_H5(Eset_auto2);
  MUSLIN_H5(Ewalk2);
  MUSLIN_H5(Pcreate);
  MUSLIN_H5(Pclose);
  MUSLIN_H5(Pset_libver_bounds);
  MUSLIN_H5(Pset_obj_track_times);
  MUSLIN_H5(Fcreate);
  MUSLIN_H5(Fclose);
  MUSLIN_H5(Fflush);
  MUSLIN_H5(Screate_simple);
  MUSLIN_H5(Sclose);
  MUSLIN_H5(Sselect_hyperslab);
  MUSLIN_H5(Dcreate2);
  MUSLIN_H5(Dclose);
  MUSLIN_H5(Dwrite);
#undef MUSLIN_H5
  /// A constant that H5open sets.
  hid_t constant(const char* name) const { return *static_cast<const hid_t*>(find(name)); }

 private:
  // At exit the library would write again what it could not write, and fall over it. All is closed without
  // it. Errors are thrown, not printed.
  H5() {
    dont_atexit();
    open();
    Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  static void* find(const char* name) {
    static void* const library = dlopen(MUSLIN_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void* const found = library ? dlsym(library, name) : nullptr;
    if (!found)
      throw Error(ErrorKind::file,
                  "h5: expected the HDF5 library " MUSLIN_HDF5_LIBRARY
                  " on this machine (Debian: apt install libhdf5-dev), and found none; npz holds "
                  "the same arrays");
    return found;
  }
  template <class Function>
  static Function function(const char* name) {
    return reinterpret_cast<Function>(find(name));
  }
};

/// What the system said, of the library's description of its last error: "…, error message = 'No space …'".
herr_t take_cause(unsigned, const H5E_error2_t* error, void* cause) {
  const std::string text = error->desc ? error->desc : "", key = "error message = '";
  if (const auto place = text.find(key); place != text.npos) {
    const auto begin = place + key.size();
    *static_cast<std::string*>(cause) = ": " + text.substr(begin, text.find('\'', begin) - begin);
  }
  return 0;
}

[[noreturn]] void fail(const std::string& path) {
  std::string cause;
  H5::library().Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_cause, &cause);
  throw Error(ErrorKind::file, path + ": cannot be written by the HDF5 library" + cause);
}

/// Something of the library's that is closed at its end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t), const std::string& path) : id_(id), close_(closer) {
    if (id < 0) fail(path);
  }
  ~Handle() { close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t get() const { return id_; }
  /// What the library has kept back until now may fail to be written.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Datasets in one file, without times of writing: the same arrays give the same bytes.
class H5File final : public ArrayFile {
 public:
  explicit H5File(const SeriesSetting& setting)
      : path_(setting.path_of(kH5Name)), place_(series_file(setting, kH5Name)) {
    // Where the library finds no memory it may end the program by a signal: less than this is none.
    constexpr std::size_t kNeeded = std::size_t{32} << 20;  // [bytes]
    ::operator delete(::operator new(kNeeded));
    const Handle access(h5_.Pcreate(h5_.constant("H5P_CLS_FILE_ACCESS_ID_g")), h5_.Pclose, path_);
    check(h5_.Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST));
    const Handle creation(h5_.Pcreate(h5_.constant("H5P_CLS_FILE_CREATE_ID_g")), h5_.Pclose, path_);
    check(h5_.Pset_obj_track_times(creation.get(), false));
    file_ = std::make_unique<Handle>(
        h5_.Fcreate(place_->temporary().c_str(), kTruncate, creation.get(), access.get()), h5_.Fclose, path_);
  }

  void add(const std::string& name, ArrayType type, const std::vector<std::size_t>& shape,
           const std::string& bytes, const GrowingFile* body) override {
    const std::vector<hsize_t> sizes(shape.begin(), shape.end());
    const bool is_real = type == ArrayType::float64;
    const hid_t number = is_real ? h5_.constant("H5T_IEEE_F64LE_g") : h5_.constant("H5T_STD_I32LE_g");
    const Handle space(h5_.Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), h5_.Sclose,
                       path_);
    const Handle creation(h5_.Pcreate(h5_.constant("H5P_CLS_DATASET_CREATE_ID_g")), h5_.Pclose, path_);
    check(h5_.Pset_obj_track_times(creation.get(), false));
    Handle set(h5_.Dcreate2(file_->get(), name.c_str(), number, space.get(), H5P_DEFAULT, creation.get(),
                            H5P_DEFAULT),
               h5_.Dclose, path_);
    std::size_t row_size = is_real ? 8 : 4;  // bytes of all numbers with the same first index
    for (std::size_t k = 1; k < shape.size(); ++k) row_size *= shape[k];
    if (row_size == 0 || shape[0] == 0) return;
    RowWriter rows{*this, set.get(), space.get(), number, sizes, row_size, 0, {}};
    if (body)
      body->read_back([&](std::string_view piece) { rows.add(piece); });
    else
      rows.add(bytes);
    check(set.close());
  }

  void finish(FileSums& sums) override {
    check(h5_.Fflush(file_->get(), H5F_SCOPE_GLOBAL));
    check(file_->close());
    sums[kH5Name] = sha256_of_file(place_->temporary());
    place_->finish();
  }

 private:
  void check(herr_t status) const {
    if (status < 0) fail(path_);
  }

  /// Writes whole rows as their bytes come.
  struct RowWriter {
    const H5File& file;
    hid_t set, space, number;
    const std::vector<hsize_t>& sizes;
    std::size_t row_size;
    hsize_t next;         ///< row
    std::string waiting;  ///< bytes of a row that is not whole yet

    void add(std::string_view piece) {
      waiting += piece;
      const hsize_t count = waiting.size() / row_size;
      if (count == 0) return;
      std::vector<hsize_t> start(sizes.size(), 0), size = sizes;
      start[0] = next;
      size[0] = count;
      const Handle memory(file.h5_.Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                          file.h5_.Sclose, file.path_);
      file.check(
          file.h5_.Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
      file.check(file.h5_.Dwrite(set, number, memory.get(), space, H5P_DEFAULT, waiting.data()));
      waiting.erase(0, count * row_size);
      next += count;
    }
  };

  const H5& h5_ = H5::library();
  std::string path_;
  std::unique_ptr<GrowingFile> place_;
  std::unique_ptr<Handle> file_;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_h5_series(const SeriesSetting& setting) {
  return make_array_series(setting, kH5Name, std::make_unique<H5File>(setting));
}

#else

std::unique_ptr<SeriesWriter> make_h5_series(const SeriesSetting&) {
  throw Error(
      ErrorKind::invalid,
      "h5: this muslin was built without the HDF5 library (Debian: apt install libhdf5-dev, then build "
      "anew); npz holds the same arrays");
}

#endif

}  // namespace muslin
