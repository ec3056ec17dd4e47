// The letters that run a sweep inward, and those that need none of their own.
#include "rooms/operator_entries.hpp"

namespace linkwright::python {

using namespace operators;

void add_inward_letters(std::vector<OperatorEntry>& to) {
  to.push_back(letter_entry("phi", phi));
  to.push_back(letter_entry("Phi", Phi));
  to.push_back(letter_entry("phi_tilde", phi_tilde));
  to.push_back(letter_entry("psi", psi));
  to.push_back(letter_entry("Psi", Psi));
  to.push_back(letter_entry("psi_tilde", psi_tilde));
  to.push_back(letter_entry("S", S));
}

void add_local_letters(std::vector<OperatorEntry>& to) {
  to.push_back(letter_entry("Delta_phi", Delta_phi));
  to.push_back(letter_entry("Delta_psi", Delta_psi));
  to.push_back(letter_entry("H", H));
  to.push_back(letter_entry("M", M));
  to.push_back(letter_entry("P", P));
  to.push_back(letter_entry("D", D));
  to.push_back(letter_entry("D_inverse", inverse(D)));
  to.push_back(letter_entry("G", G));
  to.push_back(letter_entry("L", L));
  to.push_back(letter_entry("R", R));
  to.push_back(letter_entry("B", B));
  to.push_back(letter_entry("E", E));
}

}  // namespace linkwright::python
