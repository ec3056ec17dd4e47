#pragma once
/// The processor's ceiling: how many floating-point operations one core completes per nanosecond
/// when it does nothing but independent fused multiply-adds, with the widest vectors the library
/// would use.

namespace bench {

struct Peak {
  double double_flops_per_ns, float_flops_per_ns;
};

Peak measure_fma_peak();

}  // namespace bench
