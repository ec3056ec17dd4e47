#include "simulate/recording/hdf5_driver.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>

// From 1.13 on, what drivers need has a header of its own.
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

namespace linkwright {
namespace {

/// HDF5 sees the first member only, as drivers in C do it.
struct OpenDisk {
  H5FD_t base;
  Hdf5Disk* disk;
  haddr_t allocated, end;
};

OpenDisk& of(H5FD_t* file) { return *reinterpret_cast<OpenDisk*>(file); }
const OpenDisk& of(const H5FD_t* file) { return *reinterpret_cast<const OpenDisk*>(file); }

H5FD_t* open_disk(const char*, unsigned, hid_t access, haddr_t) {
  const auto* disk = static_cast<Hdf5Disk* const*>(H5Pget_driver_info(access));
  return disk == nullptr ? nullptr : &(new OpenDisk{{}, *disk, 0, 0})->base;
}
herr_t close_disk(H5FD_t* file) {
  delete &of(file);
  return 0;
}
herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}
haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).allocated = address;
  return 0;
}
haddr_t end(const H5FD_t* file, H5FD_mem_t) { return of(file).end; }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* out) {
  auto* bytes = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t got =
        ::pread(of(file).disk->descriptor, bytes, size, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    bytes += got;
    address += static_cast<haddr_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  std::memset(bytes, 0, size);  // behind the end: zeros, as HDF5 expects
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
             const void* buffer) {
  OpenDisk& open = of(file);
  const auto* bytes = static_cast<const char*>(buffer);
  open.end = std::max<haddr_t>(open.end, address + size);
  while (size > 0 && open.disk->trouble == 0) {
    const ssize_t done = ::pwrite(open.disk->descriptor, bytes, size, static_cast<off_t>(address));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      open.disk->trouble = errno;
      break;
    }
    bytes += done;
    address += static_cast<haddr_t>(done);
    size -= static_cast<std::size_t>(done);
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  OpenDisk& open = of(file);
  if (open.disk->trouble == 0 &&
      ::ftruncate(open.disk->descriptor, static_cast<off_t>(open.allocated)) != 0)
    open.disk->trouble = errno;
  open.end = open.allocated;
  return 0;
}

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(300);  // 256 to 511 are free for anyone
#endif
  driver.name = "linkwright";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Hdf5Disk*);  // NOLINT(bugprone-sizeof-expression): a pointer is kept
  driver.open = open_disk;
  driver.close = close_disk;
  driver.query = query;
  driver.get_eoa = allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = end;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  constexpr H5FD_mem_t one_kind[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(one_kind), std::end(one_kind), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

hid_t make_access(Hdf5Disk& disk) {
  static const H5FD_class_t driver = make_driver();
  static const hid_t registered = H5FDregister(&driver);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (registered < 0 || access < 0) return -1;
  Hdf5Disk* const pointer = &disk;
  // 1.8's format lets attributes (the names of many columns) exceed 64 KiB; old readers know it.
  const bool fine = H5Pset_driver(access, registered, &pointer) >= 0 &&
                    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0;
  if (fine) return access;
  H5Pclose(access);
  return -1;
}

}  // namespace linkwright
