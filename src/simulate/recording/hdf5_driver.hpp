#pragma once
/// HDF5 on a file descriptor of ours, with a disk that may fill up.
///
/// HDF5 1.10 crashes when a file whose last writes failed is closed. So it never hears of a failure:
/// this driver keeps the first errno, swallows all further writes, and whoever uses it looks.

#include <hdf5.h>

namespace linkwright {

/// What the driver writes to. Must outlive the HDF5 file.
struct Hdf5Disk {
  int descriptor = -1;
  int trouble = 0;  ///< errno of the first failure; 0: none
};

/// File access properties that make H5Fcreate use `disk` whatever its name; close with H5Pclose.
/// Negative when HDF5 refuses.
hid_t make_access(Hdf5Disk& disk);

}  // namespace linkwright
