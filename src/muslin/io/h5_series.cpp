// HDF5: the arrays of run.npz as datasets.
#include "muslin/core/check.h"
#include "muslin/io/array_series.h"
#ifdef MUSLIN_HAVE_HDF5
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
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_cause, &cause);
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
    // At exit the library would write again what it could not write, and fall over it. All is closed without
    // it.
    [[maybe_unused]] static const herr_t once = H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are thrown, not printed
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path_);
    check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST));
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, path_);
    check(H5Pset_obj_track_times(creation.get(), false));
    file_ = std::make_unique<Handle>(
        H5Fcreate(place_->temporary().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose, path_);
  }

  void add(const std::string& name, ArrayType type, const std::vector<std::size_t>& shape,
           const std::string& bytes, const GrowingFile* body) override {
    const std::vector<hsize_t> sizes(shape.begin(), shape.end());
    const bool is_real = type == ArrayType::float64;
    const hid_t number = is_real ? H5T_IEEE_F64LE : H5T_STD_I32LE;
    const Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose,
                       path_);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path_);
    check(H5Pset_obj_track_times(creation.get(), false));
    Handle set(
        H5Dcreate2(file_->get(), name.c_str(), number, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
        H5Dclose, path_);
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
    check(H5Fflush(file_->get(), H5F_SCOPE_GLOBAL));
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
      const Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose,
                          file.path_);
      file.check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
      file.check(H5Dwrite(set, number, memory.get(), space, H5P_DEFAULT, waiting.data()));
      waiting.erase(0, count * row_size);
      next += count;
    }
  };

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
