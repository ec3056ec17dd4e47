#pragma once
/// What a linear model does between one input and one output: poles, zeros, and the answer to waves.
///
///     const LinearModel model = linearize(work, point, {.inputs = {"tau:elbow"}, .outputs = {"q:elbow"}});
///     const TransferFunction g = make_transfer_function(model, "tau:elbow", "q:elbow");
///     std::complex<double> at = respond(g, 2 * std::numbers::pi * 50);      // at 50 Hz
///     std::string svg = draw_frequency_response(std::vector{compute_frequency_response(model, "tau:elbow", "q:elbow")});
///
/// Poles and zeros are those of the part of the model that the input moves and the output shows; what it leaves
/// out is told. In product form G(s) = gain Π (s − zero) / Π (s − pole); of a discrete model in z.

#include <complex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/linear/linear_model.hpp"

namespace linkwright::linear {

struct TransferFunction {
  std::string input{}, output{};
  double gain = 0;  ///< 0: the output does not feel the input
  std::vector<std::complex<double>> zeros{},
      poles{};       ///< by growing size, the upper of a pair first
  int left_out = 0;  ///< states that the input does not move or the output does not show
  double step = 0;   ///< of a discrete model, seconds; 0: continuous
};

/// Throws Error for a name that is no input, or no output, of the model, with the closest.
TransferFunction make_transfer_function(const LinearModel& model, std::string_view input,
                                        std::string_view output);

/// From its poles and zeros, at an angular frequency in rad/s.
std::complex<double> respond(const TransferFunction& g, double frequency);

/// The answer to a wave of unit size: its size and phase.
struct FrequencyResponse {
  std::string input{}, output{};
  std::vector<double> frequencies{};  ///< rad/s
  std::vector<std::complex<double>> values{};
};

/// C (jω − A)⁻¹ B + D at these frequencies, from the model's matrices; none given: 400 from a tenth of the slowest
/// mode to ten times the fastest (up to half the sampling rate of a discrete model).
FrequencyResponse compute_frequency_response(const LinearModel& model, std::string_view input,
                                             std::string_view output,
                                             std::span<const double> frequencies = {});

/// A Bode plot as SVG: size in decibels above, phase in degrees below, over hertz; one curve each.
std::string draw_frequency_response(std::span<const FrequencyResponse> responses);

}  // namespace linkwright::linear
