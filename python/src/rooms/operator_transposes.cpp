// The transposes of the letters, which run outward, and products that are compiled as a whole.
#include "rooms/operator_entries.hpp"

namespace linkwright::python {

using namespace operators;

void add_outward_letters(std::vector<OperatorEntry>& to) {
  to.push_back(letter_entry("phi.T", transpose(phi)));
  to.push_back(letter_entry("Phi.T", transpose(Phi)));
  to.push_back(letter_entry("phi_tilde.T", transpose(phi_tilde)));
  to.push_back(letter_entry("psi.T", transpose(psi)));
  to.push_back(letter_entry("Psi.T", transpose(Psi)));
  to.push_back(letter_entry("psi_tilde.T", transpose(psi_tilde)));
  to.push_back(letter_entry("S.T", transpose(S)));
  to.push_back(letter_entry("Delta_phi.T", transpose(Delta_phi)));
  to.push_back(letter_entry("Delta_psi.T", transpose(Delta_psi)));
  to.push_back(letter_entry("H.T", transpose(H)));
  to.push_back(letter_entry("G.T", transpose(G)));
  to.push_back(letter_entry("L.T", transpose(L)));
  to.push_back(letter_entry("B.T", transpose(B)));
  to.push_back(letter_entry("E.T", transpose(E)));
}

void add_products(std::vector<OperatorEntry>& to) {
  to.push_back(product_entry(MassOperator{}));
  to.push_back(product_entry(InverseMassOperator{}));
  to.push_back(product_entry(I + H * Phi * L));
  to.push_back(product_entry(I - H * Psi * L));
  to.push_back(product_entry(transpose(I + H * Phi * L)));
  to.push_back(product_entry(transpose(I - H * Psi * L)));
  to.push_back(product_entry(transpose(B) * transpose(phi) * transpose(H)));
  to.push_back(product_entry(H * phi * B));
}

const std::vector<OperatorEntry>& operator_entries() {
  static const std::vector<OperatorEntry> entries = [] {
    std::vector<OperatorEntry> all;
    add_inward_letters(all);
    add_local_letters(all);
    add_outward_letters(all);
    add_products(all);
    return all;
  }();
  return entries;
}

}  // namespace linkwright::python
